"""One request to a service that speaks the System One API, sent once and given up in time.

The client library is imported with the first request. Its retries are off. Its timeout is per operation, so that a slow
drip would outlast it: the request runs on a thread of its own, which is given up at our deadline.
"""

import queue
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from spire_mcp.policy.answers import NotBelievedError, Reply

if TYPE_CHECKING:
    import httpx2
    from typesafe_sdk import TypeSafeClient

DEFAULT_MODEL: Final = "jev-latest"
_NO_KEY: Final = "none"
"""what a local service without keys is sent: the client library insists on one"""
_MOST_BYTES: Final = 1024 * 1024
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_KEY_FIX: Final = "Check TYPESAFE_API_KEY and TYPESAFE_BASE_URL, or play on with --policy solver."
_WAIT_FIX: Final = "Wait a little and call `battle` again, or play on with --policy solver."


class JevClient:
    """Jev, or any service with its API."""

    def __init__(self, *, api_key: str | None, base_url: str | None, model: str | None, deadline: float) -> None:
        self._api_key = (api_key or "").strip() or None
        self._base_url = base_url
        self._model = model or DEFAULT_MODEL
        self._deadline = deadline
        self._client: TypeSafeClient | None = None

    @property
    def asked_for(self) -> str:
        """The model's name as it is asked for."""
        return self._model

    def hide(self, text: str) -> str:
        """A text without the key in it, should a service have put it there."""
        return text.replace(self._api_key, "***") if self._api_key else text

    def close(self) -> None:
        """Close the connection, if there is one."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def ask(self, state: Mapping[str, object], questions: Mapping[str, Mapping[str, object]]) -> Reply:
        """Send one request and wait for its answer until the deadline.

        Raises:
            NotBelievedError: no answer came, or none that can be read.
        """
        client = self._connected()
        answered: queue.SimpleQueue[Reply | NotBelievedError] = queue.SimpleQueue()
        given_up = threading.Event()

        def work() -> None:
            answered.put(self._request(client, state, questions))
            if given_up.is_set():
                with suppress(Exception):
                    client.close()

        threading.Thread(target=work, name="decision-model", daemon=True).start()
        try:
            reply = answered.get(timeout=self._deadline)
        except queue.Empty:
            given_up.set()
            self._client = None
            raise NotBelievedError(f"the model did not answer in {self._deadline:g} s", _WAIT_FIX) from None
        if isinstance(reply, NotBelievedError):
            raise reply
        return reply

    def _connected(self) -> "TypeSafeClient":
        if self._client is None:
            if self._api_key and self._in_the_clear():
                fix = "Use an https address, or leave TYPESAFE_API_KEY unset for a service that needs no key."
                raise NotBelievedError("the key would leave this machine unencrypted", fix)
            import httpx2
            from typesafe_sdk import RetryPolicy, TypeSafeClient, TypeSafeError

            try:
                self._client = TypeSafeClient(
                    api_key=self._api_key or _NO_KEY,
                    base_url=self._base_url,
                    model=self._model,
                    timeout=self._deadline,
                    retry=RetryPolicy(max_retries=0),
                    http_client=httpx2.Client(transport=self._transport(), timeout=self._deadline),
                    compression=False,
                )
            except (TypeSafeError, ValueError, httpx2.InvalidURL):
                raise NotBelievedError("the key or the address of the model cannot be used", _KEY_FIX) from None
        return self._client

    def _in_the_clear(self) -> bool:
        parts = urlsplit(self._base_url or "https://")
        return parts.scheme == "http" and parts.hostname not in _LOOPBACK

    def _transport(self) -> "httpx2.BaseTransport":
        """A transport whose answers end: by size, and by time. A service on this machine is reached directly."""
        import httpx2

        deadline = self._deadline
        parts = urlsplit(self._base_url or "https://")
        host = parts.hostname or ""
        direct = host in _LOOPBACK or (bool(host) and bool(proxy_bypass(host)))
        proxies = {} if direct else getproxies()
        inner = httpx2.HTTPTransport(proxy=proxies.get(parts.scheme) or proxies.get("all"))

        class Bounded(httpx2.BaseTransport):
            def handle_request(self, request: httpx2.Request) -> httpx2.Response:
                until = time.monotonic() + deadline
                response = inner.handle_request(request)
                if response.headers.get("content-encoding", "identity") != "identity":
                    response.close()
                    raise httpx2.DecodingError("a packed answer was not asked for", request=request)
                response.stream = Stream(response.stream, until)
                return response

            def close(self) -> None:
                inner.close()

        class Stream(httpx2.SyncByteStream):
            def __init__(self, stream: Any, until: float) -> None:
                self._stream = stream
                self._until = until

            def __iter__(self) -> Iterator[bytes]:
                size = 0
                for block in self._stream:
                    size += len(block)
                    if size > _MOST_BYTES or time.monotonic() > self._until:
                        raise httpx2.ReadTimeout("the answer did not end")
                    yield block

            def close(self) -> None:
                self._stream.close()

        return Bounded()

    def _request(
        self, client: "TypeSafeClient", state: Mapping[str, object], questions: Mapping[str, Any]
    ) -> Reply | NotBelievedError:
        try:
            response = client.system_one(state=dict(state), questions=dict(questions))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
            answers = {name: answer.model_dump() for name, answer in response.answers.items()}
            return Reply(model=self.hide(response.model), input_tokens=response.usage.input_tokens, answers=answers)
        except Exception as error:  # noqa: BLE001 - on this thread nobody else would hear of it
            return _in_words(error, self._deadline)


def _in_words(error: Exception, deadline: float) -> NotBelievedError:
    """What went wrong in our own words: a service's text could say anything, and could hold the key."""
    import typesafe_sdk as sdk

    match error:
        case sdk.TypeSafeAuthenticationError() | sdk.TypeSafePermissionDeniedError():
            return NotBelievedError(f"the service refused the key (HTTP {error.status})", _KEY_FIX)
        case sdk.TypeSafeRateLimitError():
            after = f"; it asks for {error.retry_after_ms / 1000:g} s" if error.retry_after_ms else ""
            return NotBelievedError(f"the service limits the rate of requests (HTTP 429{after})", _WAIT_FIX)
        case sdk.TypeSafeInternalServerError():
            return NotBelievedError(f"the service failed (HTTP {error.status})", _WAIT_FIX)
        case sdk.TypeSafeAPIResponseValidationError():
            return NotBelievedError("the service's answer cannot be read")
        case sdk.TypeSafeAPIError():
            return NotBelievedError(f"the service did not take the request (HTTP {error.status})", _KEY_FIX)
        case sdk.TypeSafeAPITimeoutError():
            return NotBelievedError(f"the model did not answer in {deadline:g} s", _WAIT_FIX)
        case sdk.TypeSafeAPIConnectionError():
            return NotBelievedError("the service could not be reached, or broke off", _WAIT_FIX)
        case _:
            return NotBelievedError(f"the request failed ({type(error).__name__})", _KEY_FIX)
