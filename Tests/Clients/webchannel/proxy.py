"""A proxy that holds answers back until they have ended, as some companies' do."""

import select
import socket
import threading

from .client import Answer


class HoldingProxy:
    """`notices`: a client that goes away ends the request to the server, too; else that stays open, and its answer goes nowhere."""

    def __init__(self, server, notices=True):
        self.server, self.notices = server, notices
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        # How many answers were passed on, of requests for a stream and of polls.
        self.streamed, self.polled = 0, 0

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        # Wakes the thread, which `close` alone does not.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=[client], daemon=True).start()

    def _serve(self, client):
        with client:
            try:
                self._pass_on(client)
            except (OSError, EOFError, ValueError):
                pass

    def _pass_on(self, client):
        client.settimeout(60)
        data = b""
        while b"\r\n\r\n" not in data:
            data += _some(client)
        head, body = data.split(b"\r\n\r\n", 1)
        first, *lines = head.decode("latin-1").split("\r\n")
        verb, target, _ = first.split()
        headers = [(name, value.strip()) for name, value in (line.split(":", 1) for line in lines)]
        length = next((int(value) for name, value in headers if name.lower() == "content-length"), None)
        while len(body) < (length or 0):
            body += _some(client)
        kept = [(name, value) for name, value in headers if name.lower() not in ("host", "content-length", "connection")]
        answer = Answer(self.server, verb, target, kept, body if length is not None else None, timeout=60)
        done = threading.Event()
        if self.notices:
            threading.Thread(target=self._watch, args=[client, answer, done], daemon=True).start()
        try:
            text = answer.head().body()
        finally:
            done.set()
        own = ("transfer-encoding", "content-length", "connection")
        lines = [f"HTTP/1.1 {answer.status} -", *(f"{name}: {value}" for name, value in answer.headers.items() if name not in own)]
        client.sendall("\r\n".join([*lines, f"content-length: {len(text)}", "", ""]).encode("latin-1") + text)
        if "RID=rpc" in target:
            self.polled += "&CI=1" in target
            self.streamed += "&CI=0" in target

    @staticmethod
    def _watch(client, answer, done):
        """A client sends nothing after its request: what can be read is its end."""
        while not done.is_set():
            try:
                if select.select([client], [], [], 0.05)[0]:
                    answer.socket.shutdown(socket.SHUT_RDWR)
                    return
            except (OSError, ValueError):
                return  # Both are closed: the answer was there first.


def _some(client):
    data = client.recv(1 << 16)
    if not data:
        raise EOFError
    return data
