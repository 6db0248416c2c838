"""What the tools list is what they take and answer: closed inputs, true outputs, a result object for a defect too."""

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.products import seat
from tests.server.test_faces import ERAS, client_of

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def _listed(client: Any) -> dict[str, dict[str, Any]]:
    listed = (await client.list_tools()).model_dump(mode="json", by_alias=True, exclude_none=True)
    return {tool["name"]: tool for tool in listed["tools"]}


@ERAS
async def test_the_listed_inputs_are_closed_valid_schemas_without_null_or_decoration(tmp_path: Path, era: str) -> None:
    with seat(tmp_path) as table:
        async with client_of(table, era) as client:
            tools = await _listed(client)
    for tool in tools.values():
        Draft202012Validator.check_schema(tool["inputSchema"])
        assert tool["inputSchema"]["additionalProperties"] is False
        for argument in tool["inputSchema"]["properties"].values():
            assert "type" in argument
            assert not {"title", "anyOf"} & set(argument)
            assert argument.get("default", 0) is not None
    assert tools["spire_battle"]["inputSchema"]["properties"]["strict"]["default"] is False
    assert tools["spire_act"]["inputSchema"]["required"] == ["state_id", "option_id"]
    assert tools["spire_plan"]["inputSchema"]["properties"]["steps"]["items"] == {"type": "string"}


@ERAS
async def test_every_answer_good_or_bad_fits_the_listed_output(tmp_path: Path, era: str) -> None:
    with seat(tmp_path, delay=0.01) as table:
        async with client_of(table, era) as client:
            tools = await _listed(client)
            state_id = table.state()["state_id"]
            plan = {"state_id": state_id, "steps": ["end_turn"]}
            calls: list[tuple[str, dict[str, Any]]] = [
                ("spire_state", {}),
                ("spire_status", {}),
                ("spire_last_outcome", {}),
                ("spire_lookup", {"query": "strike"}),
                ("spire_strategy", {"action": "list"}),
                ("spire_preview", plan),
                ("spire_clear_halt", {"state_id": state_id}),
                ("spire_plan", plan),
                ("spire_plan", plan),  # stale by now
                ("spire_battle", {"max_steps": 1, "policy": "solver"}),
                ("spire_advance", {}),
                ("spire_act", {"state_id": "s1-old", "option_id": "end_turn"}),
                ("spire_act", {"state_id": "s1-old"}),
            ]
            for tool, arguments in calls:
                answer = await client.call_tool(tool, arguments)
                found: Any = answer.structured_content
                Draft202012Validator(tools[tool]["outputSchema"]).validate(found)
                assert answer.is_error is (not found["ok"]), tool
    assert {tool for tool, _ in calls} == set(tools)


@ERAS
async def test_a_defect_is_a_result_object_that_keeps_its_secrets(
    tmp_path: Path, era: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> dict[str, object]:
        raise RuntimeError("a private path")

    with seat(tmp_path) as table:
        monkeypatch.setattr(table.app, "status", broken)
        async with client_of(table, era) as client:
            answer = await client.call_tool("spire_status", {})
    assert answer.is_error is True
    assert answer.structured_content["error"]["code"] == "internal"
    assert answer.structured_content["error"]["may_have_acted"] is True
    assert "private" not in answer.model_dump_json()
