"""The recipe of an environment and the environment that was built from it."""

from __future__ import annotations

from taskpack.order import Language
from taskpack.record import Part, Record, Sha256


class Package(Part):
    """One locked distribution."""

    name: str
    version: str
    hashes: tuple[str, ...]
    """`sha256:...` of each file that may be installed."""


class Recipe(Record):
    """What an environment is made of: packages by hash on a base, nothing else."""

    language: Language
    python: str
    """Major and minor version of the interpreter."""
    packages: tuple[Package, ...]
    """Sorted by name. Empty for a product without dependencies."""


class Locks(Record):
    """What an order's requirements were resolved to, kept in the case: later runs install the same files."""

    test_requirements: tuple[str, ...]
    """As the order had them when they were resolved."""
    build_requirements: tuple[str, ...]
    upstream: Recipe
    build: Recipe


class Environment(Record):
    """A built environment. It lies in the work directory under its `digest`."""

    recipe: Sha256
    """Digest of the recipe."""
    tree: Sha256
    """Digest of the installed files."""
    base: str
    """`preview:<facts>` for the host's toolchain, `rootfs:<digest>` for a root file system of its own."""
    folder: str
    """Relative to the work directory."""


class Rebuilt(Record):
    """An environment that was built a second time from its lock, from an empty cache, and came out the same."""

    name: str
    """Which of the case's environments."""
    recipe: Sha256
    inventory: Sha256
    """Digest over path, kind, mode, owner and content of every entry without bytecode, and the packages installed."""
    entries: int
    packages: int


class Bench(Record):
    """The environments of a case with their recipes, and what was seen in them. Recipes make them again anywhere."""

    product_recipe: Recipe
    product: Environment
    """What the product may import besides its language."""
    bench_recipe: Recipe
    bench: Environment
    """What the hidden suite runs on."""
    upstream_recipe: Recipe
    upstream: Environment
    """What the upstream's own tests import."""
    upstream_tests: int
    """Tests of the upstream that passed inside, offline, each of two times."""
    rebuilt: tuple[Rebuilt, ...] = ()
    """One for each environment of the case, sorted by name."""
