"""All gates of all rooms, in one list."""

from __future__ import annotations

from authoring.gates import GATES as STRUCTURE
from judge.subject import Subject
from neutralize.gates import GATES as NEUTRALITY
from taskpack.gate import Gate
from validation.gates import GATES as STRENGTH

ALL_GATES: tuple[Gate[Subject], ...] = tuple(sorted((*STRUCTURE, *NEUTRALITY, *STRENGTH), key=lambda gate: gate.code))
