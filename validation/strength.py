"""Checks that judge workspaces whose reward is known beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from judge.subject import Subject
from taskpack.gate import GateResult, failed, passed
from taskpack.receipt import Input
from validation.hostile.apply import make_attack, make_twin
from validation.hostile.candidate import HostileCandidate, candidates
from validation.inputs import helper_inputs, judged_inputs
from validation.reading import manifest_of
from validation.trials import Trial, failed_nodes, judge_made, misses, side_by_side
from validation.variants import Variant, controls, preserving, vacuous
from validation.workspaces import copy_reference

SAMPLE = 20
"""Nodes that meet a workspace first which must score 0."""
REFERENCE_SEEDS = ("reference-1", "reference-2", "reference-3")


def check_reference(subject: Subject) -> GateResult:
    """The reference scores 1 with every seed."""
    copy = partial(copy_reference, subject.reference, replaced={})

    def trial(seed: str) -> Trial:
        return Trial(name=f"seed {seed}", expected=1, verdict=judge_made(subject, seed, copy, seed=seed))

    trials = list(side_by_side(trial, REFERENCE_SEEDS))
    return _answer(
        subject,
        trials,
        good=f"the reference passed {len(trials)} of {len(trials)}",
        bad="the reference does not pass with every seed",
        inputs=[Input(name="seeds", digest=" ".join(REFERENCE_SEEDS)), *helper_inputs("REF-PASS")],
    )


def check_vacuous(subject: Subject) -> GateResult:
    """Every vacuous workspace scores 0."""
    trials = _tried(subject, vacuous(subject.reference, manifest_of(subject.case).product_paths))
    return _answer(
        subject,
        trials,
        good=f"{len(trials)} vacuous workspaces score 0",
        bad="a workspace that does nothing scores 1",
        inputs=helper_inputs("STR-VACUOUS"),
    )


def check_controls(subject: Subject) -> GateResult:
    """The always-raising mutant scores 0 and a comment-only change scores 1."""
    trials = _tried(subject, controls(subject.reference, manifest_of(subject.case).product_paths))
    return _answer(
        subject,
        trials,
        good="the always-raising mutant scores 0 and the comment-only change 1",
        bad="a control came out wrong: no verdict of this suite can be trusted",
        inputs=helper_inputs("STR-CONTROLS"),
    )


def check_variants(subject: Subject) -> GateResult:
    """Rewrites that keep the behaviour score 1."""
    trials = _tried(subject, preserving(subject.reference, manifest_of(subject.case).product_paths))
    return _answer(
        subject,
        trials,
        good=f"{len(trials)} behaviour-preserving variants score 1",
        bad="the suite rejects a rewrite that behaves as the reference does",
        inputs=helper_inputs("STR-VARIANTS"),
    )


def check_runner(subject: Subject) -> GateResult:
    """Candidates that attack the runner or the comparison score 0, their harmless twins 1."""
    return _hostile(subject, "SEC-RUNNER", {"runner", "comparison"})


def check_shadow(subject: Subject) -> GateResult:
    """Candidates that replace a module of the oracles score 0, their harmless twins 1."""
    return _hostile(subject, "SEC-SHADOW", {"shadow"})


def _hostile(subject: Subject, code: str, families: set[str]) -> GateResult:
    product_paths = manifest_of(subject.case).product_paths
    chosen = [each for each in candidates() if each.family in families]
    variants = [variant for each in chosen for variant in _pair(each, subject.reference, product_paths)]
    return _answer(
        subject,
        _tried(subject, variants),
        good=f"{', '.join(each.name for each in chosen)}: attack 0, twin 1",
        bad="a hostile candidate is not told from an honest one",
        inputs=helper_inputs(code, hostile=tuple(each.name for each in chosen)),
    )


def _pair(candidate: HostileCandidate, reference: Path, product_paths: Sequence[str]) -> tuple[Variant, Variant]:
    attack = partial(make_attack, candidate, reference, product_paths)
    twin = partial(make_twin, candidate, reference, product_paths)
    return (
        Variant(name=candidate.name, expected=candidate.reward, make=attack),
        Variant(name=f"{candidate.name}-twin", expected=candidate.twin_reward, make=twin),
    )


def _tried(subject: Subject, variants: Iterable[Variant]) -> list[Trial]:
    sample = _sample(manifest_of(subject.case).node_ids)

    def trial(each: Variant) -> Trial:
        verdict = judge_made(subject, each.name, each.make, only=() if each.expected else sample)
        if not each.expected and not failed_nodes(verdict):
            verdict = judge_made(subject, each.name, each.make)
        return Trial(name=each.name, expected=each.expected, verdict=verdict)

    return list(side_by_side(trial, variants))


def _sample(nodes: Sequence[str]) -> tuple[str, ...]:
    """Some nodes of the whole suite: one that fails is enough for reward 0, and the others need not run."""
    return tuple(nodes[:: max(len(nodes) // SAMPLE, 1)])


def _answer(subject: Subject, trials: Sequence[Trial], *, good: str, bad: str, inputs: Iterable[Input]) -> GateResult:
    wrong = misses(trials)
    every = (*judged_inputs(subject), *inputs)
    if wrong or not trials:
        return failed(bad, evidence=wrong or ["nothing was tried"], inputs=every)
    return passed(good, evidence=[trial.line() for trial in trials], inputs=every)
