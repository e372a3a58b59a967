"""What may stand in a bundle though a detector knows it: the contract's literals, reserved hosts, neutral holders."""

from __future__ import annotations

from taskpack.record import Part


class Allow(Part):
    """Exact strings, compared without case where the things themselves are."""

    holders: tuple[str, ...] = ("The Task Authors", "the authors of this task")
    """Whom a copyright line may name."""
    hosts: tuple[str, ...] = (
        "ietf.org", "rfc-editor.org", "w3.org", "iana.org", "iso.org", "unicode.org", "ecma-international.org",
        "whatwg.org", "ieee.org", "json-schema.org", "schema.org", "spdx.org", "semver.org", "toml.io", "yaml.org",
        "json.org", "opensource.org", "creativecommons.org", "docs.python.org", "peps.python.org",
        "packaging.python.org", "developer.mozilla.org", "nodejs.org", "go.dev", "doc.rust-lang.org", "wikipedia.org",
    )  # fmt: skip
    """Domains, with all below them: of standards and of languages. One that is the upstream's own is never allowed."""
    literals: tuple[str, ...] = ()
    """Strings, numbers and messages that the Interface Contract fixes."""
    nouns: tuple[str, ...] = (
        "version", "release", "released", "since", "changelog", "added in", "changed in", "new in", "deprecated",
        "removed in", "upgrade", "backported",
    )  # fmt: skip
    """Beside which a version is one of a product's."""
