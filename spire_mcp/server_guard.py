"""What every tool shares: arguments are checked, answers are result objects, the list of tools is kept short."""

import inspect
import json
from typing import Any

from jsonschema import Draft202012Validator
from mcp.server import MCPServer
from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext
from mcp.types import CallToolResult, TextContent

from spire_mcp.errors import InternalError, UsageError
from spire_mcp.tool_schemas import input_schema, output_schema

Result = dict[str, object]


def answer(result: Result) -> CallToolResult:
    """A result object as a tool's answer; what is not ok carries the error flag."""
    return CallToolResult(
        content=[TextContent(type="text", text=json.dumps(result, ensure_ascii=False, separators=(",", ":")))],
        structured_content=result,
        is_error=not result["ok"],
    )


def usage(message: str, fix: str) -> CallToolResult:
    """The answer to a call that cannot be understood."""
    error = UsageError(message, fix=fix)
    return answer({"ok": False, "outcome": "error", "error": error.to_dict()})


def checked_arguments(mcp: MCPServer[Any]) -> ServerMiddleware[Any]:
    """Refuse unknown, missing and mistyped arguments with a result object; the SDK drops unknown ones silently."""

    async def check(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        if ctx.method != "tools/call" or ctx.params is None:
            return await call_next(ctx)
        name = ctx.params.get("name")
        arguments: dict[str, Any] = ctx.params.get("arguments") or {}
        tool = next((tool for tool in await mcp.list_tools() if tool.name == name), None)
        if tool is None:
            return await call_next(ctx)
        schema = {**tool.input_schema, "additionalProperties": False}
        validator: Any = Draft202012Validator(schema)
        problem = next(iter(validator.iter_errors(arguments)), None)
        if problem is not None:
            where = "/".join(str(part) for part in problem.absolute_path) or "arguments"
            return usage(f"{where}: {problem.message[:160]}", f"See the input schema of {tool.name}.")
        result = await call_next(ctx)
        if isinstance(result, dict) and result.get("isError") and result.get("structuredContent") is None:
            error = InternalError(f"{tool.name} failed", may_have_acted=True)
            return answer({"ok": False, "outcome": "error", "error": error.to_dict()})
        return result

    return check


async def listed_briefly(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """List the tools with schemas that cost a model no more than they tell it."""
    result = await call_next(ctx)
    if ctx.method != "tools/list" or not isinstance(result, dict):
        return result
    return {**result, "tools": [_briefly(tool) for tool in result["tools"]]}


def _briefly(tool: dict[str, Any]) -> dict[str, Any]:
    return {
        **tool,
        "description": inspect.cleandoc(tool["description"]),
        "inputSchema": input_schema(tool["inputSchema"]),
        "outputSchema": output_schema(tool["outputSchema"]),
    }
