"""How C and C++ are written, with CMake, for the renaming. Data alone."""

from __future__ import annotations

from environments.languages.writing import C_COMMENTS, C_ESCAPES, OPERATORS, Layout, Manifest, Quote, Writing

_GLUED = ("lib", "-l", "-D", "-U", "-I", "-L", "-W", "-f", "-m")

CPP = Writing(
    name="cpp",
    endings=("c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "ipp", "inl"),
    comments=("//",),
    blocks=C_COMMENTS,
    quotes=(
        Quote(opens='R"(', closes=')"', lines=True, escape=""),
        Quote(opens='"', closes='"'),
        Quote(opens="'", closes="'"),
    ),
    escapes=C_ESCAPES,
    imports=(
        r"(?m)^[ \t]*#[ \t]*(?:include|import)[ \t]*[<\"][^>\"\n]+[>\"]",
        r"(?m)^[ \t]*(?:export[ \t]+)?import[ \t]+[\w.:<>\"/]+[ \t]*;",
    ),
    manifests=(
        Manifest(
            file="CMakeLists.txt",
            layout=Layout.LINES,
            own=(r"(?im)^[ \t]*project[ \t]*\([ \t\r\n]*\"?([A-Za-z][\w.+-]*)",),
            needs=(
                r"(?i)\bfind_package[ \t]*\([ \t\r\n]*([\w.+-]+)",
                (
                    r"(?i)\b(?:FetchContent_Declare|CPMAddPackage|ExternalProject_Add)[ \t]*\([ \t\r\n]*"
                    r"(?:NAME[ \t\r\n]+)?([\w.+-]+)"
                ),
            ),
        ),
        Manifest(file="vcpkg.json", layout=Layout.JSON, own=("name",), needs=("dependencies",)),
        Manifest(file="conanfile.txt", layout=Layout.LINES, needs=(r"(?m)^([a-z0-9_][a-z0-9_+.-]*)/\d",)),
        Manifest(
            file="meson.build",
            layout=Layout.LINES,
            own=(r"(?m)^project\([ \t\r\n]*'([^'\n]+)'",),
            needs=(r"\b(?:dependency|subproject)\([ \t\r\n]*'([^'\n]+)'",),
        ),
    ),
    glued=_GLUED,
    snapshots=("*.golden", "*.approved.*"),
    behaviour=(
        r"\b(?:getenv|setenv|secure_getenv)\([ \t]*$",
        r"(?i:user-agent)[^\n]*[:=(,][ \t]*$",
        r"(?i:salt|magic)\b[^\n]*=[ \t\[{]*$",
    ),
    mutants=(*OPERATORS, (r"&&", "||"), (r"\|\|", "&&"), (r"\breturn true\b", "return false")),
)
CMAKE = Writing(
    name="cmake",
    endings=("cmake",),
    files=("CMakeLists.txt", "meson.build", "Makefile", "*.mk", "GNUmakefile"),
    comments=("#",),
    quotes=(Quote(opens='"', closes='"', lines=True),),
    escapes=(r"\\[nrt\\\"$;]",),
    glued=_GLUED,
    imports=(r"(?im)^[ \t]*(?:include|add_subdirectory|find_package)[ \t]*\([^)\n]*\)?",),
)
