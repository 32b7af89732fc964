"""The proxy by itself, in front of servers that echo."""

import socket
import threading
import time

import pytest

from nodes.proxy import HALF_ANSWER, HALF_REQUEST, LOST_ANSWER, ConnectionProxy


class EchoServer:
    """Answers with its name and what it received, and keeps what it received."""

    def __init__(self, name):
        self.name, self.received = name, b""
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=[client], daemon=True).start()

    def _answer(self, client):
        with client:
            try:
                while data := client.recv(1_000):
                    self.received += data
                    client.sendall(self.name + data)
            except OSError:
                pass

    def close(self):
        # Wakes the thread, which `close` alone does not.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


@pytest.fixture
def servers():
    servers = [EchoServer(b"a"), EchoServer(b"b")]
    yield servers
    for server in servers:
        server.close()


@pytest.fixture
def proxy(servers):
    with ConnectionProxy([server.address for server in servers]) as proxy:
        yield proxy


def connect(proxy):
    client = socket.create_connection(("127.0.0.1", proxy.port), timeout=10)
    client.settimeout(10)
    return client


def ask(client, text=b"1234"):
    """The answer, or nothing if the connection ended."""
    try:
        client.sendall(text)
        return client.recv(1_000)
    except OSError:
        return b""


def test_connections_go_to_one_target_after_the_other(proxy):
    clients = [connect(proxy) for _ in range(4)]
    assert sorted(ask(client) for client in clients) == [b"a1234", b"a1234", b"b1234", b"b1234"]


def test_a_target_that_is_gone_is_passed_over(proxy, servers):
    proxy.targets[0] = "127.0.0.1:1"
    assert [ask(connect(proxy)) for _ in range(3)] == [b"b1234"] * 3


def test_connections_to_one_target_are_cut(proxy, servers):
    clients = [connect(proxy), connect(proxy)]
    answers = [ask(client) for client in clients]
    assert proxy.cut(servers[0].address) == 1
    assert [ask(client) for client in clients] == [b"" if answer[:1] == b"a" else b"b1234" for answer in answers]


def test_new_connections_are_turned_away(proxy):
    client = connect(proxy)
    assert ask(client)
    proxy.accepts = False
    assert ask(connect(proxy)) == b"" and ask(client)
    proxy.accepts = True
    assert ask(connect(proxy))


@pytest.mark.parametrize("fault, received, answered", [
    (HALF_REQUEST, b"12", None), (LOST_ANSWER, b"1234", b""), (HALF_ANSWER, b"1234", b"a1")])
def test_messages_are_lost_in_part(servers, fault, received, answered):
    with ConnectionProxy([servers[0].address]) as proxy:
        client = connect(proxy)
        assert ask(client, b"0") == b"a0"
        assert proxy.break_next(fault) == 1
        answer = ask(client)
        assert answered is None or answer == answered
        assert ask(client) == b""
        assert servers[0].received[1:] == received and proxy.counts[fault] == 1


def test_delays(proxy):
    client = connect(proxy)
    proxy.delay = 0.1
    began = time.monotonic()
    assert ask(client)
    assert time.monotonic() - began >= 0.2
