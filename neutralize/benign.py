"""Phrases with a hyphen in which a common word is plain English: mined, not invented.

Made by `python -m benchmarks.benign_phrases`, which says how. Do not edit.
"""

from __future__ import annotations

from neutralize.words import listed

NOTE = "2026-11-30: in 5 packages of 803 at least, without 15029 names of packages"
PHRASES = listed(
    """
    accept-encoding accept-language add-hook add-in add-on align-content align-items align-self all-in-one all-ones
    all-zero allow-list along-the-way api-key app-engine-python append-only apply-imports apply-templates
    arch-release array-like array-shape array-slice ascii-only ascii-range attribute-access attribute-set
    author-email auto-added auto-assign auto-complete auto-completion auto-converted auto-created auto-deleted
    auto-detect auto-detected auto-detecting auto-detection auto-detector auto-detects auto-discovery auto-enable
    auto-generate auto-generated auto-load auto-numbered auto-select auto-updating back-end back-ends back-reference
    back-to-back badly-formed badly-spelled base-class base-files base-release base-string before-save-hook
    beginning-of-line best-matching bit-field bit-fields bit-for-bit bit-mask bit-vector bit-wise blank-line
    block-level block-line block-nodes block-size body-type border-block border-block-color border-block-end
    border-block-start border-block-style border-bottom border-bottom-color border-bottom-style border-box
    border-color border-image border-image-repeat border-image-slice border-image-source border-inline
    border-inline-color border-inline-end border-inline-start border-inline-style border-left border-left-color
    border-left-style border-right border-right-color border-right-style border-spacing border-style border-top
    border-top-color border-top-style bottom-level bottom-most bottom-right bottom-up bounds-checking box-shadow
    box-sizing break-word buffer-list bug-fix build-path build-system build-time build-up by-products by-value
    byte-code byte-compilation byte-compile byte-compiled byte-compiling byte-for-byte byte-order byte-size
    byte-string byte-swap byte-swapped byte-swapping byte-wise bytes-like cache-control calendar-based call-back
    call-based call-template call-time call-until-exception caller-provided caller-supplied carry-out case-by-case
    case-folded case-folding case-preserving catch-all center-aligned checked-out chunk-size chunked-style
    class-based class-body class-level class-method class-name class-wide clean-up cleaned-up clear-text client-code
    client-level client-provided client-server client-side clip-path clip-rule closed-form closed-source code-block
    color-scheme column-count column-fill column-gap column-rule column-rule-color column-rule-style
    command-by-command command-line comment-only compare-and-swap compile-time compiled-in compiler-defined
    compiler-related config-file config-files connection-class connection-pooling connection-related constant-time
    contact-email content-box content-disposition content-encoding content-length content-range
    content-transfer-encoding content-type context-free context-management control-flow copy-and-paste copy-of
    copy-on-write copy-paste copy-pasted counter-claims counter-reset counter-set cross-claim cross-claims
    cross-compilation cross-compile cross-compiled cross-compiling cross-device cross-domain cross-host cross-module
    cross-origin cross-platform cross-process cross-product cross-reference cross-references cross-version
    current-directory current-time currently-available currently-installed currently-running cut-off dash-separated
    data-files data-flow data-structure data-type date-time day-of-month day-of-week day-to-day debug-compiled
    debug-level decimal-format decoding-related deep-copied deep-copy default-value delete-char depth-first
    description-content-type diagram-formatting dict-like disk-based display-lines display-name display-only
    divide-by-zero dot-notation dot-separated double-byte double-check double-dash double-precision double-quote
    double-quoted double-quoted-string double-quotes double-quoting double-release double-to-string drive-letter
    drop-in dry-run duck-type duck-typing dump-source easy-to-use edge-case egg-info eight-byte element-by-element
    element-wise empty-cells empty-string end-of-archive end-of-block end-of-file end-of-life end-of-line
    end-of-stream end-of-string end-start end-to-end end-user end-users entity-body entity-header entry-point
    entry-points error-checking error-handling error-message error-reporting event-based event-handling event-loop
    exception-handling exit-handler expression-based fall-back fall-through fan-out fast-forward fast-forwarding
    fast-path field-level field-name field-names field-value figured-it-out file-backed file-based file-level
    file-like file-like-object file-object file-size file-system fill-column fill-in fill-rule filled-in filter-out
    final-letter final-letters find-links find-package find-system-path fine-grained fine-tune finer-grained
    first-class first-level first-out first-party first-time fix-python fix-up fixed-length fixed-offset fixed-point
    fixed-size fixed-sized fixed-up flag-style flex-direction flex-flow flex-grow flex-wrap float-precision
    floating-point flow-collection flow-control flow-mapping flow-nodes flow-sequence follow-up font-family
    font-name font-palette font-size font-size-adjust font-style font-weight for-each for-loop force-reload
    forced-color-adjust form-data form-encoded form-encoding forward-char forward-word four-byte four-digit
    four-function free-form free-of-charge free-thinking free-threaded free-threading front-end full-featured
    full-form full-screen full-text fully-featured function-call function-level function-like function-local
    function-name function-scoped future-proof future-related gap-console general-case generator-based get-property
    get-time globally-installed greater-than grid-area grid-auto-columns grid-auto-flow grid-auto-rows grid-column
    grid-column-end grid-column-start grid-row grid-row-end grid-row-start grid-template grid-template-areas
    grid-template-columns grid-template-rows half-closed half-open half-points half-precision half-way half-worked
    hand-rolled hard-code hard-coded hard-codes hard-coding hard-float hard-linked hash-based hash-set hash-table
    header-like help-commands help-compiler help-formats high-bit high-level high-numbered high-order high-precision
    high-quality high-speed high-water higher-level home-page human-friendly if-else if-match if-none-match if-range
    if-statement if-then-else image-rendering import-time in-band in-between in-case in-core in-depth in-flight
    in-line in-memory in-order in-package in-process in-progress in-range in-scope in-source in-stream in-sync
    in-tree in-use index-servers inline-block inline-flex inline-size inner-most install-base install-data
    install-headers install-scripts instance-level integer-based integer-like integer-only integer-valued
    inter-process internal-only json-encoded json-file json-object json-unless-none jump-starting just-in-time
    keep-alive kernel-config key-sequence key-value key-values key-word kind-of last-access last-in last-index
    last-resort lazy-load lazy-loaded left-align left-aligned left-hand left-most left-right left-side left-to-right
    length-prefixed less-than less-useful letter-spacing license-file license-files light-weight lighter-weight
    lighting-color line-based line-break line-breaks line-buffered line-by-line line-count line-ending line-height
    line-through line-wrapping linear-time link-based link-local link-time linked-list linked-to list-dict
    list-index list-item list-like list-style list-style-image list-style-position list-style-type list-table
    list-valued literal-string live-script load-time local-only local-part lock-free log-level log-space
    log-transform logged-in long-description long-form long-lasting long-lived long-running long-standing long-term
    look-ahead look-behind look-up looked-up low-level low-order low-water lower-case lower-cased lower-left
    lower-level lower-right machine-executable machine-generated machine-readable major-only major-version make-hash
    many-to-one map-reduce marker-end marker-start mask-clip mask-image mask-mode mask-origin mask-position
    mask-repeat mask-size mask-type match-all max-age max-block-size max-height max-inline-size max-size media-type
    memory-mapped meta-data min-block-size min-fresh min-height min-inline-size mini-language missing-file
    mix-blend-mode mix-in mixed-case mixed-in model-fields module-global module-level module-name module-path
    module-wide modules-in-packages more-or-less multi-block multi-byte multi-column multi-command multi-file
    multi-host multi-key multi-level multi-line multi-module multi-package multi-part multi-pass multi-platform
    multi-process multi-producer multi-representer multi-statement multi-threaded multi-threading multi-user
    multi-value multi-valued multi-word must-revalidate name-based name-only name-value near-constant
    network-related new-line new-style newly-created next-to-last nicer-looking not-allowed not-found null-byte
    object-based object-fit object-info object-position object-type object-view-box off-by-one off-line off-screen
    offset-anchor offset-distance offset-path offset-position offset-rotate old-style on-disk on-line on-screen
    on-the-fly one-argument one-based one-by-one one-byte one-char one-element one-item one-length one-line
    one-liner one-of one-off one-offs one-step one-time one-to-many one-to-one one-way only-if-cached open-ended
    open-file open-source operating-system option-parsing order-preserving other-writable out-of-band out-of-bounds
    out-of-date out-of-memory out-of-order out-of-process out-of-range out-of-scope out-of-tree outer-most
    output-only over-ride over-the-wire package-level package-name package-prefix package-private package-space
    page-aligned pair-of-letter pair-wise parameter-values parent-child parse-time part-way pass-through passed-in
    passed-through path-based path-element path-empty path-like path-only path-related pattern-matching per-argument
    per-call per-channel per-class per-command per-compilation per-connection per-directory per-field per-file
    per-function per-instance per-item per-key per-line per-link per-message per-method per-module per-node
    per-object per-pool per-process per-project per-request per-server per-session per-stream per-target per-thread
    per-type per-user place-content place-items place-self plain-string plain-text platform-native platform-shared
    plug-in pointed-to pointer-events pointer-like pointer-to-function pop-up post-process post-processed
    post-processing post-release power-of-two prefix-in preserve-space pretty-format pretty-print pretty-printed
    pretty-printer pretty-printing pretty-prints print-options print-set private-key process-global process-wide
    project-wide property-based provides-extra proxy-connection proxy-only proxy-revalidate public-domain
    public-facing public-key pure-python python-based python-level python-related python-requests python-side
    python-version quoted-pair quoted-printable quoted-string quoted-strings random-access random-seed range-based
    rate-limit raw-unicode-escape read-ahead read-buffer read-only read-write reader-writer real-life real-time
    real-valued real-world reference-counted reference-style regex-escaped regex-syntax reply-to request-host
    requests-style required-by requires-python resource-type retry-after return-type right-align right-aligned
    right-click right-hand right-hand-side right-left right-most right-shift right-side right-to-left rocky-release
    root-level round-off round-robin round-trip round-tripped round-tripping round-trips row-gap ruby-align
    ruby-position run-length run-parts run-time safe-guards same-named same-origin same-type same-value scale-down
    script-based scroll-down scroll-up second-guess second-level second-pass second-to-last self-check self-closing
    self-contained self-describing self-documenting self-hosted self-pipe self-reference self-references
    self-referencing self-signed self-test self-updating sequence-like server-side session-level set-cookie
    set-default set-like set-locale set-up shared-memory shell-escaped shell-like shell-script shell-session
    shell-style short-circuit short-circuiting short-circuits short-cut short-cuts short-form short-hand short-lived
    short-option short-term side-by-side side-channel side-effect side-effects sign-extend sign-in signed-byte
    simple-minded single-argument single-bit single-byte single-call single-char single-compiler single-dash
    single-digit single-element single-entry single-field single-file single-item single-key single-letter
    single-line single-module single-part single-pass single-platform single-precision single-quote single-quoted
    single-quotes single-step single-stepping single-string single-threaded single-use single-value single-valued
    skip-build socket-based socket-level socket-like solar-public-domain source-code source-directory source-level
    source-only space-delimited space-separated special-case special-cased special-cases special-casing
    specially-formatted speed-up split-index stack-based stand-alone stand-in standard-library standard-time
    standards-based start-up starts-with state-saved step-by-step stream-based stream-like string-append
    string-based string-compare string-escape string-escaped string-length string-like string-literal
    string-literals string-match string-prefix string-replace strings-double strings-single strip-space
    stripped-down sub-class sub-classed sub-classes sub-command sub-commands sub-diagram sub-directories
    sub-directory sub-domain sub-element sub-elements sub-expression sub-fields sub-iterables sub-layout sub-layouts
    sub-lists sub-module sub-modules sub-object sub-objects sub-options sub-package sub-packages sub-path sub-paths
    sub-process sub-protocol sub-range sub-resource sub-second sub-sequences sub-set sub-structure sub-tree sub-type
    sub-types super-special supported-platform swift-exception system-level system-provided system-release
    system-wide tab-completion tab-size table-cell table-layout table-of-contents tear-down test-cases test-driver
    test-only test-suite text-align text-align-last text-based text-bottom text-decoration text-decoration-color
    text-decoration-line text-decoration-style text-mode text-only text-shadow text-spacing text-transform text-wrap
    then-current third-part third-parties third-party thread-based thread-local thread-safe thread-unsafe
    three-digit three-letter three-way time-based time-of-day time-stamp time-stamp-end time-stamp-format
    time-stamp-start time-to-live time-zone timed-out timed-relation timestamp-based to-be-installed to-be-joined
    token-based top-down top-left top-level top-most top-right trade-off trade-offs transfer-encoding transform-box
    transform-origin transform-style transition-delay transition-duration transition-property tree-like true-color
    try-except two-argument two-byte two-column two-digit two-element two-item two-key two-letter two-level two-pass
    two-phase two-sided two-step two-token two-way type-based type-check type-checked type-checking type-checks
    type-safe type-union type-unsafe typed-dict unicode-data unicode-escape union-find unit-test unit-testing
    unit-tests up-arrow up-front up-to-date upper-case upper-cased upper-left use-after-free use-case use-cases
    use-defaults user-assigned user-controlled user-created user-defined user-entered user-facing user-friendly
    user-interface user-level user-provided user-readable user-select user-settable user-space user-supplied
    user-throwable value-based value-check value-of variable-expanded variable-length variable-size variable-sized
    version-controlled version-number wall-clock weight-keys well-defined well-formed when-not white-on-black
    white-space will-change window-system windows-only windows-style wire-format with-handlers word-break word-group
    word-spacing word-wrap work-around work-arounds world-readable world-wide world-writeable wrap-around
    wrapped-object write-file write-mode write-only write-through write-to-file writing-mode zero-argument
    zero-based zero-blocks zero-byte zero-copy zero-cost zero-filled zero-filling zero-indexed zero-length zero-size
    zero-sized zero-valued
    """
)
