"""The shapes of the MCP tools: what their arguments may be, and what their results hold (interface, section 3)."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field


class ErrorObject(BaseModel):
    """What went wrong, whether the game may have changed, and what to do next."""

    code: str
    message: str
    may_have_acted: bool
    fix: str


class ResultObject(BaseModel):
    """A result; further keys depend on the tool."""

    model_config = ConfigDict(extra="allow")

    ok: bool
    outcome: str
    error: ErrorObject | None = None


class StateObject(ResultObject):
    """What the game shows."""

    state_id: str | None = None
    screen: str | None = None
    run: dict[str, Any] | None = None
    route: dict[str, Any] | None = None
    view: dict[str, Any] | None = None
    options: list[dict[str, Any]] = []
    halted: dict[str, Any] | None = None
    facts: dict[str, Any] | None = None


class ActObject(ResultObject):
    """How one action ended, and the state after it."""

    seq: int | None = None
    state_id_before: str | None = None
    option: dict[str, Any] | None = None
    evidence: list[str] = []
    state: dict[str, Any] | None = None


class LoopObject(ResultObject):
    """What a loop did, why it stopped, and the state after it."""

    reason: str | None = None
    steps: int = 0
    actions: list[dict[str, Any]] = []
    brief: dict[str, Any] | None = None
    state: dict[str, Any] | None = None


class PreviewObject(ResultObject):
    """What a line would do: certain numbers after each step, and what is not known."""

    state_id: str | None = None
    steps: list[dict[str, Any]] = []
    end_of_turn: dict[str, Any] | None = None


class StatusObject(ResultObject):
    """The port's files, the bridge and the policy."""

    lock: dict[str, Any] | None = None
    halted: dict[str, Any] | None = None
    inflight: dict[str, Any] | None = None
    last_outcome: dict[str, Any] | None = None
    bridge: dict[str, Any] | None = None
    policy: str | None = None


class StrategyObject(ResultObject):
    """A strategy held against the game, or those that are saved."""

    conditions: list[dict[str, Any]] = []
    expires_on: list[dict[str, Any]] = []
    order: list[dict[str, Any]] = []
    strategies: list[dict[str, Any]] = []
    run_id: str | None = None


class LookupObject(ResultObject):
    """Cards and relics that were found. Their texts are data from the game."""

    results: list[dict[str, Any]] = []


StateId = Annotated[str, Field(description="The state_id of the newest state you have read.", max_length=64)]
OptionId = Annotated[str, Field(description="An option's id, copied from that state.", max_length=128)]
StrategyArgument = Annotated[
    dict[str, Any] | None,
    Field(description="strategy_id, reason, conditions, expires_on, order: see the schema resource."),
]
ExpectedStateId = Annotated[
    str | None, Field(description="With a strategy: the state_id that it was written on.", max_length=64)
]
Steps = Annotated[list[str], Field(description="Option ids in order.", min_length=1, max_length=30)]
MaxSteps = Annotated[int, Field(strict=True, ge=1, le=100, description="At most this many verified actions.")]
