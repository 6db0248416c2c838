"""The live page in a real browser, against a practice game, and who may talk to its server."""

import http.client
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from spire_mcp.review.watching import WatchServer
from tests.products import Table, seat
from tests.review.browser import opened, overflow


@contextmanager
def watching(table: Table) -> Generator[WatchServer]:
    server = table.app.watch(None)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join(10)


def ask(server: WatchServer, method: str, path: str, **headers: str) -> int:
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    try:
        line.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        return line.getresponse().status
    finally:
        line.close()


def test_an_action_is_on_the_page_within_a_second_and_the_stop_button_halts(tmp_path: Path) -> None:
    with seat(tmp_path) as table, watching(table) as server, opened(server.url, width=390) as (page, complaints):
        page.wait_for_selector("#enemies li", timeout=5000)
        result = table.act("play:")
        page.wait_for_selector(f"#log li[data-seq='{result['seq']}']", timeout=1000)
        assert page.locator("#decision").inner_text()
        assert overflow(page) == 0
        page.locator("#stop").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("#halted:not([hidden])", timeout=5000)
        assert table.halted
        assert "clear-halt" in page.locator("#halted-what").inner_text()
        assert complaints == []


def test_the_page_survives_a_restart_and_misses_nothing(tmp_path: Path) -> None:
    with seat(tmp_path) as table, watching(table) as first:
        address = first.url
        with opened(address) as (page, _):
            page.wait_for_selector("#enemies li", timeout=5000)
            first.close()
            missed = table.act("play:")
            with watching(table) as second:
                assert second.url == address
                page.wait_for_selector(f"#log li[data-seq='{missed['seq']}']", timeout=10_000)


def test_only_the_page_itself_may_ask(tmp_path: Path) -> None:
    with seat(tmp_path) as table, watching(table) as server:
        path, own = f"/?token={server.token}", f"http://127.0.0.1:{server.port}"
        assert ask(server, "GET", path) == 200
        assert ask(server, "GET", "/?token=wrong") == 403
        assert ask(server, "GET", "/") == 403
        assert ask(server, "GET", path, Host="evil.example") == 403
        assert ask(server, "GET", path, Origin="http://evil.example") == 403
        assert ask(server, "POST", "/halt", Origin=own) == 403
        assert ask(server, "POST", "/halt", X_Spire_Token=server.token) == 403
        assert not table.halted
        assert ask(server, "POST", "/halt", X_Spire_Token=server.token, Origin=own) == 200
        assert table.halted


def test_the_address_is_kept_where_only_its_owner_reads_it(tmp_path: Path) -> None:
    with seat(tmp_path) as table, watching(table):
        assert (table.files / "watch.json").stat().st_mode & 0o077 == 0
