"""The commands that serve or need no game: serve, practice, demo, eval."""

import argparse
import contextlib
import sys
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

from spire_mcp.commands.output import Result, answer, interrupts
from spire_mcp.commands.wiring import app_of
from spire_mcp.errors import UsageError

if TYPE_CHECKING:
    from spire_mcp.practice.model_server import ModelServer


def serve(arguments: argparse.Namespace, human: bool) -> int:
    """The MCP server."""
    app = app_of(arguments)
    if arguments.http is None:
        from spire_mcp.server import serve

        serve(app)
        return 0
    from spire_mcp.server_http import serve_http

    def announce(url: str) -> None:
        token = str(app.settings.state_dir / "http-token.json").replace(str(Path.home()), "~")
        answer({"ok": True, "outcome": "serving", "url": url, "token_file": token}, human=human)
        sys.stdout.flush()

    serve_http(app, arguments.http, announce)
    return 0


def record(arguments: argparse.Namespace, human: bool) -> int:
    """Record the traffic of the port until it is interrupted."""
    from spire_mcp.recorder import Recorder

    def ready() -> None:
        how = "play in another terminal; Ctrl-C ends the recording"
        answer({"ok": True, "outcome": "recording", "file": arguments.out.name, "how": how}, human=human)
        sys.stdout.flush()

    with contextlib.closing(app_of(arguments)) as app, interrupts("ending the recording") as stopped:
        recorder = Recorder(folder=app.folder, client=app.client, clock=app.clock, out=arguments.out)
        done = recorder.run(stopped, ready)
    print(f"{done['exchanges']} exchanges, {done['bytes']} bytes", file=sys.stderr, flush=True)
    return 0


def replay(arguments: argparse.Namespace, human: bool) -> int:
    """Serve a recording until it is interrupted."""
    from spire_mcp.bridge.recording import Recording
    from spire_mcp.bridge.replaying import ReplayServer

    recording = Recording.load(arguments.file)
    with _on_port(arguments.port):
        server = ReplayServer(recording, arguments.port)
    serving: Result = {
        "ok": True,
        "outcome": "serving",
        "url": server.url,
        "exchanges": len(recording.exchanges),
        "actions": sum(exchange.is_action for exchange in recording.exchanges),
        "torn": recording.torn,
    }
    with server:
        answer(serving, human=human)
        sys.stdout.flush()
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()
    return 0


@contextlib.contextmanager
def _on_port(port: int) -> Generator[None]:
    """What is wrong with a port, in words."""
    try:
        yield
    except OverflowError:
        raise UsageError(f"port {port} is no port", fix="Give one from 1 to 65535, or 0 for a free one.") from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(f"port {port} cannot be used: {reason}", fix="Give another one.") from None


def install(arguments: argparse.Namespace, human: bool) -> int:
    """The configuration for a planner's host: shown, merged, or taken back."""
    import os
    from dataclasses import replace

    from spire_mcp.install.hosts import host
    from spire_mcp.install.installing import Installer, server_entry

    found = host(arguments.host, home=Path.home(), here=Path.cwd(), environment=os.environ)
    if arguments.file is not None:
        found = replace(found, file=arguments.file.absolute())
    app = app_of(arguments)
    entry = server_entry(found, app.client.url if arguments.bridge else None)
    installer = Installer(found, entry, app.settings.state_dir)
    if arguments.undo:
        return answer(installer.undo(), human=human)
    return answer(installer.write() if arguments.write else installer.show(), human=human)


def completion(arguments: argparse.Namespace, human: bool) -> int:
    """A script that completes this command line in a shell; not an object, since a shell reads it."""
    import shtab

    from spire_mcp.commands.arguments import build_parser

    print(shtab.complete(build_parser(), shell=arguments.shell))
    return 0


def practice(arguments: argparse.Namespace, human: bool) -> int:
    """The practice game as a bridge."""
    from spire_mcp.practice.server import PracticeServer

    with _on_port(arguments.model_port):
        model = _scripted_model(arguments)
    try:
        with _on_port(arguments.port):
            server = PracticeServer(
                seed=arguments.seed,
                port=arguments.port,
                faults=arguments.faults,
                language=arguments.language,
                delay=arguments.delay,
                start=arguments.start,
                act=arguments.act,
                character=arguments.character,
            )
    except ValueError as error:
        raise UsageError(str(error), fix="Correct it; docs/practice.md lists them.") from None
    serving: Result = {"ok": True, "outcome": "serving", "url": server.url, "seed": arguments.seed}
    if model is not None:
        serving["model_url"] = model.url
    with server, model or contextlib.nullcontext():
        answer(serving, human=human)
        sys.stdout.flush()
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()
    return 0


def _scripted_model(arguments: argparse.Namespace) -> "ModelServer | None":
    if arguments.model is None:
        return None
    from spire_mcp.practice.model_server import ModelServer
    from spire_mcp.practice.scripted_model import parse_script

    try:
        script = parse_script(arguments.model, seed=arguments.seed)
        server = ModelServer(script, port=arguments.model_port, faults=arguments.model_faults)
    except ValueError as error:
        raise UsageError(str(error), fix="Correct it; docs/model.md lists them.") from None
    server.start()
    return server


def demo(arguments: argparse.Namespace, human: bool) -> int:
    """A practice fight and its rewards."""
    from spire_mcp.demo import run_demo

    out = sys.stdout if human else sys.stderr

    def show(line: str) -> None:
        print(line, file=out, flush=True)

    return answer(run_demo(seed=arguments.seed, language=arguments.language, show=show), human=human)


def evaluate(arguments: argparse.Namespace, human: bool) -> int:
    """Seeded fights, and the comparison of players."""
    from spire_mcp.review.evaluating import evaluate_policies

    def show(done: int, of: int) -> None:
        if done % 25 == 0 or done == of:
            print(f"  {done} of {of} fights", file=sys.stderr, flush=True)

    policy, *beside = arguments.policy.split(",")
    result = evaluate_policies(
        fights=arguments.fights,
        pool=arguments.pool,
        policy=policy,
        beside=beside,
        jobs=arguments.jobs,
        keep=arguments.keep,
        scheduler=arguments.scheduler,
        progress=show,
    )
    if arguments.out is not None:
        from spire_mcp.review.compare import write_comparison

        write_comparison(result, arguments.out)
        result = {**result, "file": str(arguments.out)}
    return answer(result, human=human)
