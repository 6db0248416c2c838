"""The composition root: the one place that wires settings, wire, controller, deciders and files."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from spire_mcp.bridge.address import BridgeAddress
from spire_mcp.bridge.client import BridgeClient
from spire_mcp.bridge.tape import Tape
from spire_mcp.combat import forecast
from spire_mcp.control import Controller
from spire_mcp.control.clock import Clock, SystemClock
from spire_mcp.control.storage import PortFolder
from spire_mcp.errors import BridgeError, UsageError
from spire_mcp.game.screens import Observation
from spire_mcp.play.deck_memory import DeckMemory
from spire_mcp.play.doubts import DoubtingReader, Doubts
from spire_mcp.play.strategies import Strategies
from spire_mcp.policy.choosing import Chooser, SolverChooser
from spire_mcp.policy.guide import Guide
from spire_mcp.policy.route import Owner
from spire_mcp.settings import Policy, Settings

if TYPE_CHECKING:
    from spire_mcp.policy.model_client import JevClient
    from spire_mcp.policy.transcript import Transcript


Result = dict[str, object]


@dataclass(kw_only=True)
class Wiring:
    """The parts that one process needs to serve one bridge, each made when it is first asked for."""

    settings: Settings
    clock: Clock = field(default_factory=SystemClock)

    @cached_property
    def client(self) -> BridgeClient:
        """The bridge's client; checks that the address is loopback."""
        address = BridgeAddress.parse(self.settings.bridge)
        tape = Tape(self.folder.recording, self.folder.spool)
        return BridgeClient(address, self.settings.wire, tape=tape)

    @cached_property
    def folder(self) -> PortFolder:
        """Where the records of the bridge's port are."""
        return PortFolder(self.settings.state_dir, BridgeAddress.parse(self.settings.bridge).port)

    @cached_property
    def doubts(self) -> Doubts:
        """What arithmetic got wrong in this fight."""
        return Doubts(self.folder)

    @cached_property
    def controller(self) -> Controller:
        """The controller of the bridge's port."""
        return Controller(
            folder=self.folder,
            clock=self.clock,
            limits=self.settings.limits,
            reader=DoubtingReader(self.client, self.doubts),
            sender=self.client,
            forecast=forecast,
            permits=lambda option: self.settings.permits(option.id),
        )

    def close(self) -> None:
        """Close the connections to the bridge, if there were any."""
        if "client" in self.__dict__:
            self.client.close()
        self.close_model()

    def close_model(self) -> None:
        """A connection to the model lasts for one call of `battle`: between two of them anything may happen to it."""
        if "model" in self.__dict__:
            self.model.close()

    def policy(self, asked: Policy | None = None) -> Policy:
        """The policy in use: what was asked for, or the setting; `auto` asks the model where one is configured.

        Raises:
            UsageError: the model was asked for and none is configured.
        """
        policy = asked or self.settings.policy
        configured = bool(self.settings.api_key or self.settings.model_url)
        if policy == "jev" and not configured:
            raise UsageError(
                "no decision model is configured",
                fix="Set TYPESAFE_API_KEY, or TYPESAFE_BASE_URL for a local service; or use --policy solver.",
            )
        return "jev" if policy != "solver" and configured else "solver"

    @property
    def fight_owner(self) -> Owner:
        """Who plays fights."""
        try:
            return "model" if self.policy() == "jev" else "program"
        except UsageError:
            return "program"

    @cached_property
    def model(self) -> "JevClient":
        """The decision model's client; its library is imported when it is first needed."""
        from spire_mcp.policy.model_client import JevClient

        settings = self.settings
        return JevClient(
            api_key=settings.api_key,
            base_url=settings.model_url,
            model=settings.model,
            deadline=settings.asking.deadline,
        )

    @cached_property
    def transcript(self) -> "Transcript":
        """The session's private record of questions and answers."""
        from spire_mcp.policy.transcript import Transcript

        return Transcript(self.settings.state_dir, self.clock.timestamp(), self.model.hide)

    def chooser(self, policy: Policy, *, strict: bool, guide: Guide | None) -> Chooser:
        """Who chooses in a fight under this policy."""
        if policy == "solver":
            return SolverChooser(nodes=self.settings.battle.search_nodes, guide=guide)
        from spire_mcp.policy.asking import ModelChooser
        from spire_mcp.policy.consulting import Consultant

        consultant = Consultant(
            model=self.model,
            limits=self.settings.asking,
            write=self.transcript.add,
            when=self.clock.timestamp,
        )
        nodes = self.settings.battle.search_nodes
        return ModelChooser(consultant=consultant, nodes=nodes, strict=strict, note=self.controller.note, guide=guide)

    @property
    def decks(self) -> DeckMemory:
        """What was seen of the deck."""
        return DeckMemory(self.controller.folder)

    @property
    def strategies(self) -> Strategies:
        """The saved strategies of the port."""
        return Strategies(self.folder)

    def run_id(self, observation: Observation) -> str | None:
        """The run identity that the bridge reports; None when it cannot say, which is never an error here."""
        if observation.run is None:
            return None
        try:
            return self.client.run_identity()
        except BridgeError:
            return None
