"""Words that languages keep for themselves, and names that come with them: no product can be called so there."""

from __future__ import annotations

import builtins
import keyword
import sys

from neutralize.words import listed

_JAVASCRIPT = """
    abstract any arguments as asserts async await bigint boolean break byte case catch char class const continue
    debugger declare default delete do double else enum eval export extends false final finally float for from
    function get global goto if implements import in infer instanceof int interface internal is keyof let long module
    namespace native never new null number object of out override package private protected public readonly require
    return satisfies set short static string super switch symbol synchronized this throw throws transient true try
    type typeof undefined unique unknown using var void volatile while with yield
"""
_GO = """
    any append bool break byte cap case chan clear close comparable complex complex128 complex64 const continue copy
    default defer delete else error fallthrough false float32 float64 for func go goto if imag import int int16 int32
    int64 int8 interface iota len make map max min new nil package panic print println range real recover return rune
    select string struct switch true type uint uint16 uint32 uint64 uint8 uintptr var
"""
_CPP = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class compl
    concept const const_cast consteval constexpr constinit continue contract_assert co_await co_return co_yield
    decltype default delete do double dynamic_cast else enum explicit export extern false final float for friend goto
    if import inline int long main module mutable namespace new noexcept not not_eq nullptr operator or or_eq override
    private protected public register reinterpret_cast requires restrict return short signed sizeof static
    static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename typeof
    union unsigned using virtual void volatile wchar_t while xor xor_eq
"""
_RUST = """
    abstract as async await become bool box break char const continue crate do dyn else enum extern f32 f64 false
    final fn for gen i128 i16 i32 i64 i8 if impl in isize let loop macro macro_rules match mod move mut override priv
    pub raw ref return safe self static str struct super trait true try type typeof u128 u16 u32 u64 u8 union unsafe
    unsized use usize virtual where while yield
"""
_NODE = """
    assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain
    events fetch fs globalthis http http2 https inspector infinity intl isfinite isnan json math module navigator net
    os parsefloat parseint path perf_hooks performance process promise proxy punycode querystring readline reflect
    regexp repl request response sea sqlite stream string_decoder structuredclone sys test timers tls trace_events tty
    url urlsearchparams util v8 vm wasi weakmap weakref weakset webassembly websocket window worker_threads zlib
"""
_GO_LIBRARY = """
    archive arena bufio builtin bytes cgo cmp compress container context crypto database debug embed encoding errors
    expvar flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp
    runtime slices sort strconv strings structs sync syscall testing text time unicode unique unsafe vendor weak
    ascii85 atomic base32 base64 binary bzip2 cookiejar draw ecdsa ed25519 elliptic exec filepath flate fstest gzip
    heap hkdf hmac httptest httptrace httputil hex ioutil iotest jpeg json list md5 multipart netip parser pbkdf2
    pprof printer quick rand ring rpc scanner sha1 sha256 sha3 sha512 signal slogtest smtp subtle suffixarray synctest
    syntax tabwriter template textproto token tzdata utf16 utf8 x509
"""
_CPP_LIBRARY = """
    algorithm any array atomic barrier bit bitset boost cassert cctype cerrno cfenv cfloat charconv chrono cinttypes
    climits clocale cmath codecvt compare complex concepts condition_variable coroutine csetjmp csignal cstdarg
    cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype debugging deque exception execution expected
    filesystem flat_map flat_set format forward_list fstream functional future generator hazard_pointer
    initializer_list inplace_vector iomanip ios iosfwd iostream istream iterator latch limits linalg list locale map
    mdspan memory memory_resource mutex new numbers numeric optional ostream print queue random ranges ratio rcu regex
    scoped_allocator semaphore set shared_mutex simd source_location span spanstream sstream stack stacktrace
    stdexcept stdfloat stop_token streambuf string string_view strstream syncstream system_error thread text_encoding
    tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray variant vector version assert
    complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic stdbit
    stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar unistd wchar wctype
    pthread semaphore
"""
_RUST_LIBRARY = """
    alloc core proc_macro std test any arch array ascii async_iter backtrace borrow boxed cell char clone cmp
    collections convert default env error f128 ffi fmt fs future hash hint intrinsics io iter marker mem net num ops
    option os panic path pin prelude primitive process ptr range rc result slice simd str string sync task thread time
    vec
"""
KEYWORDS = {
    "Python": frozenset(word.lower() for word in (*keyword.kwlist, *keyword.softkwlist)),
    "JavaScript or TypeScript": listed(_JAVASCRIPT),
    "Go": listed(_GO),
    "C++": listed(_CPP),
    "Rust": listed(_RUST),
}
"""Language -> keywords and predeclared names, lower case; reserved and contextual ones too."""
LIBRARIES = {
    "Python": frozenset(name.lower() for name in (*sys.stdlib_module_names, *dir(builtins))),
    "Node.js": listed(_NODE),
    "Go": listed(_GO_LIBRARY),
    "C++": listed(_CPP_LIBRARY),
    "Rust": listed(_RUST_LIBRARY),
}
"""Language -> modules of its standard library and names that are always there, lower case."""


def keyword_of(name: str) -> list[str]:
    """Languages that have `name` as a keyword, in any case."""
    return [language for language, words in KEYWORDS.items() if name.lower() in words]


def library_of(name: str) -> list[str]:
    """Languages whose standard library or builtins have `name`, in any case."""
    return [language for language, words in LIBRARIES.items() if name.lower() in words]
