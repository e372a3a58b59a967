"""Other spellings of a value: what a lenient reader would take for the same."""

from __future__ import annotations

import base64
import copy
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from tests.unit.wire.page import Spelling, nodes, spellings


def _other_texts(tag: str, text: str) -> list[Any]:
    """Texts that a lenient reader would take for the same value."""
    digits = text.lstrip("+-")
    sign = text[: len(text) - len(digits)]
    found: list[Any] = [f" {text}", f"{text} ", f"{text}\n", f"{sign}0{digits}", f"+{text}"]
    if tag == "i":
        found += [f"{text}.0", f"{text}L", f"{digits[0]}_{digits[1:]}", text.translate(_WIDE), f"{sign}00{digits}"]
        found += [int(text)] if len(text) < 40 else []
        found += ["-0"] if text == "0" else []
    if tag == "x":
        found += [text.upper(), text.replace("x", "X"), text.replace("0x", "0x0"), text.replace("0x", "")]
    if tag == "f":
        found += [
            f"{text}0" if "e" not in text else f"{text[0]}.{text[1:]}",
            f"{text}e0",
            f"{text}e+0",
            text.upper(),
            f"{text}.0",
            text.removesuffix(".0"),
            float.hex(float(text)),
        ]
        found += {"nan": ["-nan", "NaN"], "inf": ["Infinity", "+inf", "1e999"], "-inf": ["-Infinity"]}.get(text, [])
    if tag == "d":
        found += [
            text.lower(),
            f"{text}.",
            text.replace("E+", "E"),
            text.replace("Infinity", "Inf"),
            text.translate(_WIDE),
        ]
    return [other for other in found if other != text]


_WIDE = {ord("0") + digit: 0xFF10 + digit for digit in range(10)}


def _other_moments(content: list[Any]) -> list[Any]:
    kind, text, zone = content
    texts = [f"{text} ", f"+{text}", text.translate(_WIDE), text.replace("T", " "), text.replace("T", "t")]
    zones: list[Any] = [""]
    if kind == "duration":
        texts += [f"{text}.0" if "." not in text else f"{text}0", f"0{text}", f"PT{text}S", f"{text}e0"]
        texts += ["-0"] if text == "0" else []
    elif kind != "date":
        whole, dot, part = text.partition(".")
        texts += [f"{whole}.{part}0", f"{text}Z", text.removesuffix(":00"), f"{whole},{part}"]
        texts += [f"{whole}{dot}{part.rstrip('0')}", f"{whole}.{part:0<9}" if len(part) != 9 else f"{text}000"]
        zones += [f"{zone}:00", f"{zone} "] if zone else []
        zones += {"+00:00": ["-00:00", "Z", "z", "+0000", "+00"], "-03:30": ["-3:30", "-0330", "-03:30:00"]}.get(
            zone, []
        )
    else:
        texts += [text.replace("-", ""), f"{text}T00:00:00"]
        zones += ["+00:00", "UTC"]
    others = [[kind, other, zone] for other in texts if other != text] + [[kind, text, other] for other in zones]
    return [*others, [kind.upper(), text, zone], [kind, text], {"kind": kind, "text": text, "zone": zone}]


def _other_bytes(content: Any, draft: bytearray) -> list[Any]:
    if type(content) is list:
        data = bytes(draft[content[0] : sum(content)])
        return [base64.b64encode(data).decode(), [*content, 0], [float(content[0]), content[1]], {"range": content}]
    data = base64.b64decode(content)
    draft += data
    others = [[len(draft) - len(data), len(data)], content.rstrip("="), f"{content}\n", f"{content}====", f" {content}"]
    others += [content.replace("+", "-").replace("/", "_"), list(data)]
    if content.endswith("="):
        last = content.rstrip("=")[-1]
        others.append(content.rstrip("=")[:-1] + chr(ord(last) + 1) + "=" * content.count("="))
    return [other for other in others if other != content]


def _others(wire: Any, body: bytearray) -> list[Any]:  # noqa: PLR0911 (one for each tag)
    if wire is None:
        return [{"null": None}, {}]
    if type(wire) is bool:
        return [1, {"bool": True}, {"i": True}]
    if type(wire) is str:
        data = wire.encode()
        body += data
        return [{"S": [len(body) - len(data), len(data)]}, {"c": [ord(letter) for letter in wire]}, {"S": wire}, [wire]]
    [(tag, content)] = wire.items()
    if tag == "S":
        return [bytes(body[content[0] : sum(content)]).decode(), {"S": [*content, 1]}, {"S": {}}]
    if tag == "c":
        return ["".join(map(chr, content)), {"c": "".join(map(hex, content))}, {"c": [float(one) for one in content]}]
    if tag in "ixfd":
        more = [{"x": hex(int(content))}] if tag == "i" else [{"i": str(int(content, 16))}] if tag == "x" else []
        return [{tag: other} for other in _other_texts(tag, content)] + more
    if tag == "b":
        return [{"b": other} for other in _other_bytes(content, body)]
    if tag == "w":
        return [{"w": other} for other in _other_moments(content)]
    if tag == "u":
        return [{"u": other} for other in (False, 0, "", [])]
    if tag == "r":
        return [{"r": other} for other in (str(content), float(content), [content], content + 1000, 0, -content)]
    return _other_containers(wire, tag, content)


def _other_containers(wire: Any, tag: str, content: Any) -> list[Any]:
    unused = [] if tag == "n" else [{"n": [1, wire]}, {"n": [1000, wire]}]
    if tag == "n":
        number, inner = content
        unused = [{"n": [other, inner]} for other in (number + 1, 0, -1, str(number), float(number))]
        unused += [{"n": {"number": number, "value": inner}}, {"n": [number, {"n": [number + 1, inner]}]}]
    if tag == "m":
        unused += [
            {"m": {"pairs": content}},
            {"m": [*content, []]},
            {"m": [part for pair in content for part in pair] + [None]},
        ]
    if tag == "o":
        unused += [{"o": content | {"name": ""}}, {"o": {key: content[key] for key in ("type", "bases")}}]
        unused += [{"o": content | {"bases": None}}, {"o": content | {"attrs": list(content["attrs"] or [])}}]
    if tag in "lts":
        unused += [{tag: {"items": content}}, content, {tag: content, "u": None}, {tag.upper(): content}]
    return unused


@st.composite
def other_spellings(draw: Callable[..., Any]) -> tuple[Spelling, Spelling]:
    """A value in its one spelling, and in another that a lenient reader might take for it."""
    one = draw(spellings())
    places = list(nodes(one.wire))
    target = draw(st.integers(0, len(places) - 1))
    body = bytearray(one.body)
    others = _others(places[target], body)
    other = draw(st.sampled_from(others))
    return one, Spelling(wire=_replaced(one.wire, [target], other), body=bytes(body))


def _replaced(wire: Any, countdown: list[int], other: Any) -> Any:
    """`wire` with the value at that place, counted as `nodes` counts, replaced."""
    countdown[0] -= 1
    if countdown[0] == -1:
        return copy.deepcopy(other)
    if type(wire) is not dict:
        return wire
    [(tag, content)] = wire.items()

    def again(part: Any) -> Any:
        return _replaced(part, countdown, other)

    if tag in "lts":
        return {tag: [again(item) for item in content]}
    if tag == "m":
        return {tag: [[again(key), again(item)] for key, item in content]}
    if tag == "o" and content["attrs"] is not None:
        return {tag: content | {"attrs": {name: again(item) for name, item in content["attrs"].items()}}}
    return {"n": [content[0], again(content[1])]} if tag == "n" else wire
