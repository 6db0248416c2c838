"""One verified action: the only place from which a request reaches the game.

The order is the safety, and each step exists because of the failure that the next one could meet:

1. The writer lock is held by the caller of `act` for as long as this object lives, so nobody else sends.
2. HALTED and an in-flight record are looked at before anything else: a port whose last action has an unknown fate
   does not act.
3. The game is read until it rests, and the option is looked up on that very reading. A state ID that is not the
   caller's means that the caller chose on another board.
4. The in-flight record is on disk before the request leaves. A process that dies after this line leaves proof that
   something may have happened; one that dies before it has sent nothing.
5. The request is sent once. What became of it is a value, never an exception that a caller could answer by trying
   again.
6. The game is read back. Only a proved effect is called verified; a refusal is believed only while the game stays as it
   was; everything else stops the port.
7. The journal line is on disk before the in-flight record goes. Between the two a crash leaves both, and recovery finds
   the outcome in the journal; in the other order it would leave neither.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, assert_never

from spire_mcp.bridge.delivery import Accepted, Delivery, NotSent, Refused, Unknown
from spire_mcp.control import journal
from spire_mcp.control.clock import Clock
from spire_mcp.control.halt import halted_error, read_halt, set_halt
from spire_mcp.control.limits import ControlLimits
from spire_mcp.control.ports import Forecast, Permits, Reader, Sender
from spire_mcp.control.settle import Settler
from spire_mcp.control.standing import predicted, standing
from spire_mcp.control.storage import PortFolder, remove_record, write_record
from spire_mcp.control.verify import ReadBack, Verifier
from spire_mcp.errors import (
    BridgeError,
    BridgeUnreachableError,
    NotPermittedError,
    RejectedError,
    SpireError,
    StaleStateError,
    UnknownOptionError,
)
from spire_mcp.game.effects import already_true, judge
from spire_mcp.game.expected import Expected
from spire_mcp.game.options import Option, find_option
from spire_mcp.game.screens import Observation

Outcome = Literal["verified", "rejected", "unknown", "not_sent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """How one action that was sent, or was to be sent, ended.

    `error` is None exactly when the outcome is `verified`. `after` is the reading that decided, if any.
    """

    outcome: Outcome
    seq: int
    before: Observation
    option: Option
    evidence: tuple[str, ...]
    after: Observation | None
    settled: bool = False
    """whether `after` was at rest"""
    mispredictions: tuple[str, ...] = ()
    error: SpireError | None = None


class Executor:
    """Acts on one port; made only while its writer lock is held."""

    def __init__(
        self,
        *,
        folder: PortFolder,
        clock: Clock,
        limits: ControlLimits,
        reader: Reader,
        sender: Sender,
        forecast: Forecast,
        permits: Permits,
    ) -> None:
        self._folder = folder
        self._clock = clock
        self._limits = limits
        self._sender = sender
        self._forecast = forecast
        self._permits = permits
        self._settler = Settler(reader, clock, limits)
        self._verifier = Verifier(reader, clock, limits)

    def check_not_halted(self) -> None:
        """Raise HaltedError when the port is stopped."""
        marker = read_halt(self._folder)
        if marker is not None:
            raise halted_error(marker)

    def settle(self) -> Observation:
        """The game at rest. Raises NotSettledError or BridgeError."""
        return self._settler.settle()

    def act(self, state_id: str, option_id: str, *, by: str, decision: Mapping[str, object] | None = None) -> Act:
        """Perform one option of the state named by `state_id` and prove its effect.

        Args:
            state_id: the state that the option was chosen on.
            option_id: one of that state's options.
            by: who decided: planner, program or model.
            decision: what the decision was made from, for the journal.

        Raises:
            HaltedError: the port is stopped; nothing was sent.
            RefusedError: stale state, unknown or forbidden option, or the game did not rest; nothing was sent.
            BridgeError: the game could not be read; nothing was sent.
            StorageError: a record could not be written. `may_have_acted` says on which side of sending.
        """
        self.check_not_halted()
        before = self._settler.settle()
        if before.state_id != state_id:
            raise StaleStateError(f"the game is in state {before.state_id}, not {bounded(state_id)}")
        option = self._permitted(before, option_id)
        expected = self._forecast(before, option)
        seq = journal.next_seq(self._folder.journal)
        journal.check_writable(self._folder.journal)
        record = self._record(seq, before, option, by, decision, expected)
        # HALTED may have been set by hand while the game was settling.
        self.check_not_halted()
        write_record(self._folder.inflight, record)
        delivery = self._send(before, option)
        return self._conclude(delivery, before, option, expected, record)

    def _permitted(self, before: Observation, option_id: str) -> Option:
        option = find_option(before, option_id)
        if option is None:
            raise UnknownOptionError(f"the state {before.state_id} has no option {bounded(option_id)!r}")
        if option.kind == "restricted" and not self._permits(option):
            raise NotPermittedError(
                f"{option.id} is restricted",
                fix=f"Only the owner can permit it: add {option.id!r} to `permissions` in the settings file.",
            )
        reason = option.trap or already_true(before, option)
        if reason:
            raise NotPermittedError(f"{option.id} would not do what it says: {reason}", fix="Choose another option.")
        return option

    def _record(
        self,
        seq: int,
        before: Observation,
        option: Option,
        by: str,
        decision: Mapping[str, object] | None,
        expected: Expected | None,
    ) -> dict[str, object]:
        return {
            "seq": seq,
            "when": self._clock.timestamp(),
            "kind": "action",
            "by": by,
            "screen": before.state_type,
            "option": option.id,
            "label": option.label,
            "state_id_before": before.state_id,
            "requests": [request.body() for request in option.requests],
            "most_repeats": option.most_repeats,
            "decision": dict(decision) if decision else None,
            "board": standing(before),
            "predicted": predicted(expected),
        }

    def _send(self, before: Observation, option: Option) -> Delivery:
        """Send each request of the option once. Whatever goes wrong after the first leaves the whole unknown."""
        requests = (*option.requests, *(option.requests[-1:] * (option.most_repeats - 1)))
        delivery: Delivery = NotSent(reason="the option has no request")
        for position, request in enumerate(requests):
            if position:
                try:
                    seen = self._settler.look()
                except BridgeError as error:
                    return Unknown(reason=f"the game could not be read after request {position}: {error.message}")
                if judge(before, seen.observation, option).proved:
                    if position >= len(option.requests):
                        break
                    return Unknown(
                        reason=f"the screen took request {position} for the whole, and the rest was not sent"
                    )
                if not seen.settled:
                    return Unknown(reason=f"the game did not rest after request {position}")
            delivery = self._sender.send(request)
            if not isinstance(delivery, Accepted):
                return delivery if position == 0 else Unknown(reason=f"request {position + 1} was not accepted")
        return delivery

    def _conclude(
        self,
        delivery: Delivery,
        before: Observation,
        option: Option,
        expected: Expected | None,
        record: dict[str, object],
    ) -> Act:
        """The table of ends (docs/safety.md): from what became of the request and what was read back to an outcome."""
        match delivery:
            case NotSent(reason=reason):
                error = BridgeUnreachableError(f"nothing was sent: {reason}")
                return self._resolve("not_sent", before, option, ReadBack(), record, (reason,), error)
            case Refused(message=message):
                seen = self._verifier.watch_refusal(before)
                if seen.unchanged:
                    error = RejectedError(f"the bridge refused {option.id}; it said (text of the game): {message}")
                    return self._resolve("rejected", before, option, seen, record, ("state unchanged",), error)
                return self._stop(
                    "the bridge refused the action and yet the game changed", before, option, seen, record
                )
            case Accepted():
                seen = self._verifier.wait_for_effect(before, option, expected)
                if seen.verdict is not None and seen.proved:
                    return self._resolve("verified", before, option, seen, record, seen.verdict.evidence, None)
                return self._stop(_unproved("accepted", seen), before, option, seen, record)
            case Unknown(reason=reason):
                seen = self._verifier.wait_for_effect(before, option, expected)
                if seen.verdict is not None and seen.proved and seen.verdict.unique:
                    evidence = ("delivery_unknown_effect_proved", *seen.verdict.evidence)
                    return self._resolve("verified", before, option, seen, record, evidence, None)
                return self._stop(_unproved(f"of unknown fate ({reason})", seen), before, option, seen, record)
            case _ as never:
                assert_never(never)

    def _resolve(
        self,
        outcome: Outcome,
        before: Observation,
        option: Option,
        seen: ReadBack,
        record: dict[str, object],
        evidence: tuple[str, ...],
        error: SpireError | None,
    ) -> Act:
        """The fate is known: journal first, then the in-flight record."""
        act = _act(outcome, before, option, seen, record, evidence, error)
        self._journal(act, record)
        remove_record(self._folder.inflight)
        return act

    def _stop(self, reason: str, before: Observation, option: Option, seen: ReadBack, record: dict[str, object]) -> Act:
        """The fate is not known: HALTED first. The in-flight record stays until somebody has looked at the game."""
        marker = set_halt(
            self._folder,
            self._clock,
            reason=reason,
            seq=_seq(record),
            state_id_before=before.state_id,
            state_id_seen=seen.after.state_id if seen.after else None,
            option=option.id,
            request=option.requests[-1].body(),
        )
        error = halted_error(marker, may_have_acted=True)
        act = _act("unknown", before, option, seen, record, (reason,), error)
        self._journal(act, record)
        return act

    def _journal(self, act: Act, record: dict[str, object]) -> None:
        try:
            journal.append(
                self._folder.journal,
                {
                    **record,
                    "outcome": act.outcome,
                    "evidence": list(act.evidence),
                    "mispredictions": list(act.mispredictions),
                    "seen": standing(act.after),
                    "state_id_after": act.after.state_id if act.after else None,
                    "error": act.error.to_dict() if act.error else None,
                    "ended": self._clock.timestamp(),
                },
            )
        except SpireError as error:
            # The in-flight record is still there, so the next start stops even if HALTED could not be written either.
            error.may_have_acted = act.outcome != "not_sent"
            raise


def _act(
    outcome: Outcome,
    before: Observation,
    option: Option,
    seen: ReadBack,
    record: dict[str, object],
    evidence: tuple[str, ...],
    error: SpireError | None,
) -> Act:
    return Act(
        outcome=outcome,
        seq=_seq(record),
        before=before,
        option=option,
        evidence=evidence,
        after=seen.after,
        settled=seen.settled,
        mispredictions=seen.mispredictions,
        error=error,
    )


def _seq(record: Mapping[str, object]) -> int:
    seq = record["seq"]
    assert isinstance(seq, int)
    return seq


def _unproved(delivery: str, seen: ReadBack) -> str:
    if seen.after is None:
        return f"the action was {delivery} and the game could not be read afterwards"
    missing = ", or ".join(seen.verdict.missing) if seen.verdict and seen.verdict.missing else "its effect"
    return f"the action was {delivery} and was not seen to happen: {missing}"


def bounded(text: str, limit: int = 80) -> str:
    """A caller's text as an error may quote it."""
    return text if len(text) <= limit else f"{text[:limit]}…"
