"""Probes: what a product shows for each scenario of a specification, and whether that is what was said."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from pathlib import Path

from environments.interface import Mount, Sandbox
from environments.runtime import scratch
from judge.bundle_lib import copy_lib
from judge.harness.seen import read_seen
from judge.parsing import NotParsed, parse_source
from judge.product import Answer, Product
from judge.workspace import copy_folder
from taskpack.spec import Expected, Probe
from taskpack.verdict import CallOutcome, Observation
from taskpack.wire.caught import caught_as
from taskpack.wire.frames import Malformed
from taskpack.wire.requests import Clock
from taskpack.wire.same import same
from taskpack.wire.values import Decoder, decode

_WALL_S = 900.0


def observe(
    workspace: Path,
    probes: Sequence[tuple[str, Probe]],
    *,
    sandbox: Sandbox,
    product_site: Path | None,
    product_paths: Sequence[str],
    clock: Callable[[], Path] | None = None,
    resources: Mount | None = None,
) -> dict[str, Observation]:
    """Run every probe on the product in `workspace`, each in a fresh child, and tell what was seen under its name.

    A scenario that is not one function, or arguments that are no wire values, are seen as `malformed`. `clock` gives
    the folder of `environments.clock` when a probe is told the time; `resources` are mounted for the product.
    Raises `SandboxFailed` when the sandbox itself cannot be used.
    """
    seen: dict[str, Observation] = {}
    with scratch() as folder:
        candidate = copy_folder(workspace, folder / "app", what="the workspace of the probes")
        copy_lib(folder / "tests")
        scenarios = folder / "scenarios"
        scenarios.mkdir(mode=0o755)
        functions: dict[str, str] = {}
        for number, (key, probe) in enumerate(probes):
            function = _only_function(probe.scenario)
            problem = "the scenario is not one function" if function is None else _bad_args(probe)
            if problem:
                seen[key] = Observation(outcome=CallOutcome.MALFORMED, message=problem)
                continue
            (scenarios / f"p{number}.py").write_text(probe.scenario, encoding="utf-8")
            functions[key] = f"p{number}.{function}"
        with Product(
            sandbox=sandbox,
            workspace=candidate.root,
            lib=folder / "tests" / "_lib",
            scenarios=scenarios,
            product_paths=product_paths,
            site=product_site,
            clock=clock() if clock and any(probe.now is not None for _, probe in probes) else None,
            resources=resources,
            wall_s=_WALL_S,
        ) as product:
            for key, probe in probes:
                if key in functions:
                    seen[key] = _observation(product.call(functions[key], probe.args, now=_clock(probe)))
    return seen


def disagreement(observation: Observation, expected: Expected) -> str | None:
    """How an observation differs from what a probe expects, in one line; None when it agrees."""
    if observation.outcome != expected.outcome:
        return f"expected outcome {expected.outcome}, seen {observation.outcome}{_detail(observation)}"
    if expected.outcome == CallOutcome.RAISED:
        if caught_as(observation.error_types, expected.error):
            return None
        return f"expected an error caught as {expected.error}, seen {', '.join(observation.error_types)}"
    try:
        wanted = decode(expected.value)
    except Malformed as error:
        return f"the expected value is no wire value: {error}"
    found = same(decode(observation.value), wanted)
    return None if found else str(found)


def _clock(probe: Probe) -> Clock | None:
    return None if probe.now is None else Clock(epoch=probe.now)


def _only_function(source: str) -> str | None:
    tree = parse_source(source)
    if isinstance(tree, NotParsed):
        return None
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return names[0] if len(names) == 1 and not names[0].startswith("_") else None


def _bad_args(probe: Probe) -> str:
    try:
        for value in probe.args.values():
            decode(value)
    except Malformed as error:
        return f"an argument is no wire value: {error}"
    return ""


def _observation(answer: Answer) -> Observation:
    seen = read_seen(answer.reply, answer.body)
    outcome = CallOutcome(seen.outcome)
    if outcome is CallOutcome.RETURNED:
        decoder = Decoder(answer.body)
        decoder.value(answer.reply.value)
        if decoder.ranges:
            text = "the value holds a string of more than 4 KiB; a probe shows small values"
            return Observation(outcome=CallOutcome.LIMIT, message=text, seconds=seen.seconds)
        return Observation(outcome=outcome, value=answer.reply.value, seconds=seen.seconds)
    error = seen.failure
    return Observation(
        outcome=outcome,
        error_types=error.names if error and outcome is CallOutcome.RAISED else (),
        message=error.message if error else str(seen),
        seconds=seen.seconds,
    )


def _detail(observation: Observation) -> str:
    kind = f" {observation.error_types[0]}" if observation.error_types else ""
    return f"{kind}: {observation.message[:300]}" if observation.message else kind
