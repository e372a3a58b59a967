"""The schema that is sent to a vendor, and the way back from what fits it to what was asked for.

Vendors bind a model to a part of JSON Schema alone: closed objects whose keys are all required, arrays of one kind,
enumerations, unions, references that do not come back to themselves. What they do not know is said in prose. A place
that may hold anything becomes a string of JSON text, which `decode` reads again. The stage validates either way.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

OPEN = "JSON text: the value written as JSON, inside this string."
"""Begins the description of a string that stands for any value."""

_KEPT = ("enum", "const")
_SILENT = {"title", "description", "$defs", "type", "properties", "required", "additionalProperties", "items", "anyOf"}


def sent_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """`schema` as vendors take it: what fits it fits `schema`, once decoded, but for what is said in prose."""
    definitions = schema.get("$defs", {})
    if "$ref" in schema:  # the outermost schema has to be an object itself
        schema = definitions[str(schema["$ref"]).removeprefix("#/$defs/")]
    closed = {name: _closed(each, definitions, within=(name,)) for name, each in definitions.items()}
    sent = _closed({name: value for name, value in schema.items() if name != "$defs"}, definitions, within=())
    used = _references(sent, closed)
    return {**sent, **({"$defs": {name: closed[name] for name in sorted(used)}} if used else {})}


def decode(value: Any, sent: dict[str, Any]) -> Any:
    """A reply that fits `sent`, with JSON text read. What is no JSON text stays as it is, for the stage to judge."""
    return _walk(value, sent, sent.get("$defs", {}), _from_text)


def encode(value: Any, sent: dict[str, Any]) -> Any:
    """The way there: a value of the first schema as one that fits `sent`."""
    return _walk(value, sent, sent.get("$defs", {}), _to_text)


def _closed(schema: Any, definitions: dict[str, Any], *, within: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(schema, dict):
        return _open({})
    if "$ref" in schema:
        return _reference(schema, definitions, within=within)
    if isinstance(schema.get("type"), list):
        schema = _spread(schema)
    union = schema.get("anyOf") or schema.get("oneOf")
    if union:
        arms = [_closed(each, definitions, within=within) for each in union]
        # A string could then be meant as it is or as JSON text: one reading for all keeps the way back certain.
        return _open(schema) if any(map(_is_open, arms)) else _said(schema, {"anyOf": arms})
    return _of_one_kind(schema, definitions, within=within)


def _of_one_kind(schema: dict[str, Any], definitions: dict[str, Any], *, within: tuple[str, ...]) -> dict[str, Any]:
    if any(name in schema for name in _KEPT):
        return _said(schema, {name: schema[name] for name in (*_KEPT, "type") if name in schema})
    match schema.get("type"):
        case "object" if _is_closed(schema):
            return _object(schema, definitions, within=within)
        case "array" if isinstance(schema.get("items"), dict) and "prefixItems" not in schema:
            return _said(schema, {"type": "array", "items": _closed(schema["items"], definitions, within=within)})
        case "string" | "integer" | "number" | "boolean" | "null" as kind:
            return _said(schema, {"type": kind})
        case _:
            return _open(schema)


def _reference(schema: dict[str, Any], definitions: dict[str, Any], *, within: tuple[str, ...]) -> dict[str, Any]:
    """A reference stands alone; one that comes back to itself is left open."""
    name = str(schema["$ref"]).removeprefix("#/$defs/")
    if name not in definitions or any(_reaches(name, each, definitions) for each in within):
        return _open(schema)
    if _is_open(_closed(definitions[name], definitions, within=(*within, name))):
        return _open({**definitions[name], **schema})
    return {"$ref": f"#/$defs/{name}"}


def _is_open(schema: dict[str, Any]) -> bool:
    return str(schema.get("description", "")).startswith(OPEN)


def _reaches(start: str, goal: str, definitions: dict[str, Any]) -> bool:
    seen: set[str] = set()
    waiting = {start}
    while waiting:
        name = waiting.pop()
        if name == goal:
            return True
        seen.add(name)
        waiting |= _named(definitions.get(name)) - seen
    return False


def _references(schema: dict[str, Any], definitions: dict[str, Any]) -> set[str]:
    found: set[str] = set()
    waiting = _named(schema)
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting |= _named(definitions[name]) - found
    return found


def _named(schema: Any) -> set[str]:
    """Names of the definitions that a schema refers to."""
    if isinstance(schema, dict):
        own = {str(schema["$ref"]).removeprefix("#/$defs/")} if isinstance(schema.get("$ref"), str) else set()
        return own.union(*(_named(each) for each in schema.values()))
    return set().union(*(_named(each) for each in schema)) if isinstance(schema, list) else set()


def _is_closed(schema: dict[str, Any]) -> bool:
    """Whether an object has the keys that it names and no others; without a word on others, it is taken to."""
    return schema.get("additionalProperties", not schema.get("properties")) is False


def _object(schema: dict[str, Any], definitions: dict[str, Any], *, within: tuple[str, ...]) -> dict[str, Any]:
    properties = schema.get("properties", {})
    return _said(
        schema,
        {
            "type": "object",
            "properties": {name: _closed(each, definitions, within=within) for name, each in properties.items()},
            "required": list(properties),
            "additionalProperties": False,
        },
    )


def _spread(schema: dict[str, Any]) -> dict[str, Any]:
    rest = {name: value for name, value in schema.items() if name not in {"type", "description", "title"}}
    said = {"description": schema["description"]} if "description" in schema else {}
    return {**said, "anyOf": [{**rest, "type": kind} for kind in schema["type"]]}


def _open(schema: dict[str, Any]) -> dict[str, Any]:
    said = _said(schema, {"type": "string"}).get("description", "")
    return {"type": "string", "description": f"{OPEN} {said}".strip()}


def _said(schema: dict[str, Any], kept: dict[str, Any]) -> dict[str, Any]:
    """`kept` with everything else that `schema` demands in its description."""
    left = {name: value for name, value in schema.items() if name not in _SILENT | kept.keys() | {"oneOf", "$ref"}}
    rules = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in sorted(left.items())]
    text = " ".join([*([schema["description"]] if schema.get("description") else []), *rules])
    return {**kept, "description": text} if text else kept


def _walk(value: Any, schema: dict[str, Any], definitions: dict[str, Any], change: Callable[[Any], Any]) -> Any:
    if "$ref" in schema:
        return _walk(value, definitions[schema["$ref"].removeprefix("#/$defs/")], definitions, change)
    if _is_open(schema):
        return change(value)
    if "anyOf" in schema:
        fitting = [each for each in schema["anyOf"] if _fits(value, each, definitions)]
        return _walk(value, fitting[0], definitions, change) if fitting else value
    if isinstance(value, dict) and "properties" in schema:
        known = schema["properties"]
        return {
            key: _walk(each, known[key], definitions, change) if key in known else each for key, each in value.items()
        }
    if isinstance(value, list) and "items" in schema:
        return [_walk(each, schema["items"], definitions, change) for each in value]
    return value


_KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


def _fits(value: Any, schema: dict[str, Any], definitions: dict[str, Any]) -> bool:
    """Whether a value may be meant by one arm of a union: its kind, its literals, and for an object its keys."""
    if "$ref" in schema:
        return _fits(value, definitions[schema["$ref"].removeprefix("#/$defs/")], definitions)
    if "anyOf" in schema:
        return any(_fits(value, each, definitions) for each in schema["anyOf"])
    if "const" in schema:
        return bool(value == schema["const"])
    if "enum" in schema:
        return value in schema["enum"]
    if isinstance(value, dict) and "properties" in schema:
        known = schema["properties"]
        return value.keys() <= known.keys() and all(
            _fits(value[name], known[name], definitions) for name in value if "const" in known[name]
        )
    return isinstance(value, _KINDS[schema["type"]]) and (not isinstance(value, bool) or schema["type"] == "boolean")


def _from_text(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        found = json.loads(value)
        json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        return value
    return found


def _to_text(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False)
