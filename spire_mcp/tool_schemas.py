"""The schemas of the MCP tools as they are listed: everything a client checks by, and nothing a model reads in vain."""

from collections.abc import Mapping
from typing import Any, cast

Schema = dict[str, Any]


def input_schema(schema: Mapping[str, Any]) -> Schema:
    """What a tool takes: described, without titles and nulls, and closed, since unknown arguments are refused."""
    properties = {name: _argument(value) for name, value in _properties(schema).items()}
    shown: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return shown | {"required": schema["required"]} if schema.get("required") else shown


def _argument(schema: Mapping[str, Any]) -> Schema:
    """One argument. To leave it out and to give null is the same, so only the first is shown."""
    shown = {**_given(schema), **schema}
    dropped = {"title", "anyOf", "additionalProperties", *(["default"] if schema.get("default") is None else [])}
    return {key: value for key, value in shown.items() if key not in dropped}


def output_schema(schema: Mapping[str, Any]) -> Schema:
    """What a tool answers: the names of its keys and their types."""
    properties = {name: _answered(value) for name, value in _properties(schema).items()}
    return {"type": "object", "properties": properties, "required": schema["required"]}


def _answered(schema: Mapping[str, Any]) -> Schema:
    kind = _given(schema).get("type", "object")
    return {"type": [kind, "null"] if "anyOf" in schema else kind}


def _given(schema: Mapping[str, Any]) -> Schema:
    """A schema, or the one beside null where it is one of the two."""
    either = cast("list[Schema]", schema.get("anyOf", [schema]))
    return dict(next(one for one in either if one.get("type") != "null"))


def _properties(schema: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    return cast("Mapping[str, Mapping[str, Any]]", schema.get("properties", {}))
