"""A server that answers as badly as it is told to, on a real socket, and counts what reached it."""

import contextlib
import socket
import struct
import threading
from collections.abc import Callable
from typing import Self

Answer = Callable[["MisbehavingServer", socket.socket], None]


class MisbehavingServer:
    """Takes whole requests, counts them, and lets an `answer` do what it likes with the connection."""

    def __init__(self, answer: Answer, *, reads: bool = True) -> None:
        self.answer = answer
        self.reads = reads
        self.requests: list[bytes] = []
        self.connections = 0
        self.released = threading.Event()
        self.closed = threading.Semaphore(0)
        """one for every connection that this side has closed"""
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._closing = False
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            if self._closing:
                connection.close()
                return
            self.connections += 1
            self._open.append(connection)
            threading.Thread(target=self._handle, args=(connection,), daemon=True).start()

    def _handle(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            while True:
                if self.reads:
                    request = self._request(connection)
                    if not request:
                        break
                    self.requests.append(request)
                self.answer(self, connection)
        self.closed.release()

    def _request(self, connection: socket.socket) -> bytes:
        data = b""
        while b"\r\n\r\n" not in data:
            block = connection.recv(65536)
            if not block:
                return data
            data += block
        head, _, body = data.partition(b"\r\n\r\n")
        length = 0
        for line in head.split(b"\r\n"):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        while len(body) < length:
            block = connection.recv(65536)
            if not block:
                raise OSError
            body += block
        return head + b"\r\n\r\n" + body

    def _wake(self) -> None:
        """Let the thread that accepts connections look up: closing a socket does not wake it everywhere."""
        self._closing = True
        with contextlib.suppress(OSError):
            socket.create_connection(self._socket.getsockname(), timeout=1).close()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.released.set()
        self._wake()
        self._socket.close()
        for connection in self._open:
            connection.close()
        self._thread.join(2)


def reply(status: str, body: bytes, *, length: int | None = None, more: bytes = b"") -> Answer:
    """A plain answer; the announced length can be a lie."""
    announced = len(body) if length is None else length

    def answer(server: MisbehavingServer, connection: socket.socket) -> None:
        head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {announced}\r\n"
        connection.sendall(head.encode() + more + b"\r\n" + body)
        if announced != len(body):
            raise OSError

    return answer


def close(server: MisbehavingServer, connection: socket.socket) -> None:
    raise OSError


def reset(server: MisbehavingServer, connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raise OSError


def unread(answer: Answer) -> Answer:
    """An end that comes once the request is there, though nobody has read it."""

    def wait_then(server: MisbehavingServer, connection: socket.socket) -> None:
        connection.recv(1, socket.MSG_PEEK)
        answer(server, connection)

    return wait_then


def hang(server: MisbehavingServer, connection: socket.socket) -> None:
    server.released.wait(5)
    raise OSError


def raw(data: bytes) -> Answer:
    """Bytes that need not be HTTP, and the end of the connection."""

    def answer(server: MisbehavingServer, connection: socket.socket) -> None:
        connection.sendall(data)
        raise OSError

    return answer


def then_close(answer: Answer) -> Answer:
    """An answer that lets the client keep the connection, which the server then closes all the same."""

    def both(server: MisbehavingServer, connection: socket.socket) -> None:
        answer(server, connection)
        raise OSError

    return both


def then_reset(answer: Answer) -> Answer:
    """Likewise, with a reset instead of an end."""

    def both(server: MisbehavingServer, connection: socket.socket) -> None:
        answer(server, connection)
        reset(server, connection)

    return both


def drip_head(server: MisbehavingServer, connection: socket.socket) -> None:
    """A head that never ends: a byte of it now and then."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not server.released.wait(0.02):
        connection.sendall(b"x")


def drip(server: MisbehavingServer, connection: socket.socket) -> None:
    """A byte now and then, for ever: each one comes in time, the whole never does."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    while not server.released.wait(0.02):
        connection.sendall(b" ")


def endless(server: MisbehavingServer, connection: socket.socket) -> None:
    """An answer without an announced length that does not end."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    while not server.released.is_set():
        connection.sendall(b" " * 65536)
