"""HAProxy with the file of deploy/ in front of two nodes: connections and sessions, and a node that goes."""

import contextlib
import os
import pathlib
import re
import shutil
import time

import grpc
import pytest
from google.cloud.firestore_v1.types import firestore as messages

from nodes.node import Node, deploy, hearth_binary, initialize, run_hearth
from nodes.postgres import PostgresServer, programs
from nodes.process import GuardedProcess, free_port
from webchannel.client import Channel, Refused

CONFIGURATION = pathlib.Path(__file__).resolve().parents[3] / "deploy" / "haproxy.cfg"
DATABASE = "projects/balanced/databases/(default)"
# Outside of development mode, where nodes believe no proxy; what is tested here needs no user.
RULES = """rules_version = '2';
service cloud.firestore { match /databases/{database}/documents { match /{path=**} { allow read, write: if true; } } }
"""

pytestmark = [
    pytest.mark.skipif(not shutil.which("haproxy"), reason="HAProxy is not installed"),
    pytest.mark.skipif(not programs(), reason="PostgreSQL is not installed"),
    pytest.mark.skipif(not os.path.exists(hearth_binary()), reason="hearth is not built (HEARTH_BINARY)"),
]


class Balancer:
    """The file of deploy/, with the addresses of these nodes and free ports."""

    def __init__(self, nodes, folder):
        self.calls, self.pages = free_port(), free_port()
        # A test may open fewer files.
        text = CONFIGURATION.read_text().replace("maxconn 20000", "maxconn 500")
        text = text.replace("bind :8080", f"bind 127.0.0.1:{self.calls}")
        text = text.replace("bind :8081", f"bind 127.0.0.1:{self.pages}")
        for number, node in enumerate(nodes, 1):
            text = text.replace(f"server node-{number} node-{number}:8080", f"server node-{number} {node.address}")
        text = re.sub(r"^ +server node-\d+ node-.*\n", "", text, flags=re.MULTILINE)
        path = folder / "haproxy.cfg"
        path.write_text(text)
        self.log = folder / "haproxy.log"
        self._process = GuardedProcess(["haproxy", "-f", str(path)], str(self.log))

    def end(self):
        self._process.end()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with contextlib.ExitStack() as stack:
        postgres = stack.enter_context(PostgresServer())
        folder = tmp_path_factory.mktemp("haproxy")
        initialize(postgres.url)
        rules, key = folder / "firestore.rules", folder / "admin.key"
        rules.write_text(RULES)
        deploy(postgres.url, rules)
        run_hearth("admin-key", key)
        options = ["--admin-key-file", key, "--project", "balanced", "--trusted-proxy", "127.0.0.1", "--no-console"]
        nodes = [stack.enter_context(Node(postgres.url, *options)) for _ in range(2)]
        balancer = Balancer(nodes, folder)
        stack.callback(balancer.end)
        eventually(lambda: get(f"127.0.0.1:{balancer.calls}", "none") is None)
        yield nodes, balancer


def eventually(check, seconds=20):
    end = time.monotonic() + seconds
    while True:
        try:
            if check():
                return
        except (grpc.RpcError, OSError, Refused):
            pass
        assert time.monotonic() < end, "not within the time"
        time.sleep(0.1)


@contextlib.contextmanager
def connection(address):
    # Channels to the same address share a connection unless they are asked not to.
    with grpc.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
        yield channel


def call(channel, method, request, answer):
    path = f"/google.firestore.v1.Firestore/{method}"
    stub = channel.unary_unary(path, type(request).serialize, answer.deserialize)
    return stub(request, timeout=10)


def commit(channel, name, transaction=b"", number=1):
    fields = {"n": {"integer_value": number}}
    writes = [{"update": {"name": f"{DATABASE}/documents/{name}", "fields": fields}}]
    request = messages.CommitRequest(database=DATABASE, writes=writes, transaction=transaction)
    return call(channel, "Commit", request, messages.CommitResponse)


def get(address, id):
    with connection(address) as channel:
        request = messages.RunQueryRequest(
            parent=f"{DATABASE}/documents", structured_query={"from_": [{"collection_id": id}]})
        stub = channel.unary_stream("/google.firestore.v1.Firestore/RunQuery", type(request).serialize,
                                    messages.RunQueryResponse.deserialize)
        return next((each.document.name for each in stub(request, timeout=10) if each.document.name), None)


def test_transactions_keep_their_connection_and_find_their_node(cluster):
    _, balancer = cluster
    address = f"127.0.0.1:{balancer.calls}"
    with contextlib.ExitStack() as stack:
        channels = [stack.enter_context(connection(address)) for _ in range(4)]
        begun = [call(channel, "BeginTransaction", messages.BeginTransactionRequest(database=DATABASE),
                      messages.BeginTransactionResponse).transaction for channel in channels]
        for number, (channel, transaction) in enumerate(zip(channels, begun)):
            commit(channel, f"kept/{number}", transaction)
        # Both nodes have connections: a transaction of one of the four is unknown on another connection.
        strange = [call(channel, "BeginTransaction", messages.BeginTransactionRequest(database=DATABASE),
                        messages.BeginTransactionResponse).transaction for channel in channels]
        codes = set()
        for channel in channels:
            try:
                commit(channel, "kept/other", strange[0])
                codes.add("OK")
            except grpc.RpcError as error:
                codes.add(error.code().name)
        assert "ABORTED" in codes or "INVALID_ARGUMENT" in codes, codes


def test_a_node_that_is_stopped_gets_no_connections(cluster):
    nodes, balancer = cluster
    address = f"127.0.0.1:{balancer.calls}"
    nodes[0].stop()
    try:
        # Before HAProxy has noticed it, and afterwards.
        for number in range(6):
            with connection(address) as channel:
                commit(channel, f"stopped/{number}")
        eventually(lambda: "nodes/node-1 is DOWN" in balancer.log.read_text())
        with connection(address) as channel:
            commit(channel, "stopped/6")
    finally:
        nodes[0].start()
    eventually(lambda: "nodes/node-1 is UP" in balancer.log.read_text())
    assert get(address, "stopped") is not None


def listen(document, target=2):
    return {"database": DATABASE, "addTarget": {"documents": {"documents": [f"{DATABASE}/documents/{document}"]},
                                                "targetId": target}}


def test_requests_of_a_web_session_reach_its_node(cluster):
    _, balancer = cluster
    routes = set()
    for number in range(8):
        channel = Channel(f"127.0.0.1:{balancer.pages}", "Listen", DATABASE, listen(f"web/{number}"))
        routes.add(channel.route)
        channel.follow(lambda message: message.get("targetChange", {}).get("targetChangeType") == "CURRENT")
        # Every request is a connection of its own.
        for more in range(3):
            channel.post(listen(f"web/{number}-{more}", 3 + more))
        channel.terminate()
    assert len(routes) == 2, "both nodes have sessions"


def test_without_its_route_a_web_session_is_lost(cluster):
    """What the balancer has to do, shown by leaving it out."""
    _, balancer = cluster
    refused = 0
    for number in range(8):
        channel = Channel(f"127.0.0.1:{balancer.pages}", "Listen", DATABASE, listen(f"web/{number}"))
        channel.route = None
        try:
            channel.post(listen(f"web/{number}-more", 3))
        except Refused:
            refused += 1
    assert refused
