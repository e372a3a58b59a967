"""What a suite imports on the bench: `from judge.harness import clause, same`."""

from judge.harness.clauses import clause
from taskpack.wire.kinds import UNDEFINED, Map, Obj, Set, When
from taskpack.wire.same import same

__all__ = ["UNDEFINED", "Map", "Obj", "Set", "When", "clause", "same"]
