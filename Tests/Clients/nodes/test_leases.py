"""Deployed rules, and nodes that are paused at the worst moment (DN-6.3, DN-9.3 g)."""

import os
import queue
import threading
import time

import grpc
import pytest
from google.cloud.firestore_v1.types import firestore as methods

from nodes.calls import NodeCalls, Place, raw
from nodes.guests import Deployer
from nodes.node import deploy
from nodes.recording import Change, Documents


@pytest.fixture
def put_in_effect(server, binary, tmp_path):
    """Deploys rules that let guests read and write one document."""

    def put_in_effect(subject):
        file = tmp_path / "deployed.rules"
        file.write_text(Deployer.RULES % subject)
        return deploy(server.url, file, binary=binary)

    return put_in_effect


@pytest.fixture
def calls():
    opened = []

    def calls(node, token=None):
        opened.append(NodeCalls(node.name, node.address, Place("leases", 1), token))
        return opened[-1]

    yield calls
    for each in opened:
        each.close()


def write(guest, subject, value="1"):
    """OK, or the code of the refusal."""
    try:
        guest.commit([Change(f"guarded/{subject}", "set", {"v": value})], timeout=20)
        return "OK"
    except grpc.RpcError as error:
        return error.code().name


def granted(guest, subjects):
    """The subjects that a guest may read."""
    return {subject for subject in subjects if _may_read(guest, subject)}


def _may_read(guest, subject):
    try:
        guest.read(Documents((f"guarded/{subject}",)))
        return True
    except grpc.RpcError:
        return False


class GuestWatch:
    """A listener on one document, without credentials."""

    def __init__(self, calls, path):
        self.values = []
        self._requests = queue.Queue()
        request = raw(methods.ListenRequest)(database=calls.place.database)
        request.add_target.CopyFrom(calls.place.target(1, Documents((path,))))
        self._requests.put(request)
        self._place, self._call = calls.place, calls.listen(iter(self._requests.get, None))
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            for response in self._call:
                if response.HasField("document_change"):
                    _, version = self._place.found(response.document_change.document)
                    self.values.append(version.get("v"))
        except grpc.RpcError:
            pass  # Turned away, or closed.

    def wait_for(self, value):
        end = time.monotonic() + 20
        while value not in self.values:
            assert time.monotonic() < end, f"{value} was not received"
            time.sleep(0.01)

    def close(self):
        self._call.cancel()
        self._requests.put(None)


class Reader(threading.Thread):
    """Reads a document all the time, without credentials, and keeps the values it was shown."""

    def __init__(self, calls, path):
        super().__init__(daemon=True)
        self._calls, self._path = calls, path
        self.values, self.is_stopped = set(), False
        self.start()

    def run(self):
        while not self.is_stopped:
            try:
                found, _ = self._calls.read(Documents((self._path,)), timeout=20)
                self.values.update(version.get("v") for version in found.values())
            except grpc.RpcError:
                time.sleep(0.005)


def wait_for_renewal(server, node):
    """Returns when the lease of a node has just begun."""
    age = "SELECT extract(epoch FROM clock_timestamp() - seen) < 0.1 FROM hearth.nodes WHERE address = "
    age += f"'{node.address}'"
    while server.execute(age) != "t":
        time.sleep(0.02)


def eventually_answers(guest):
    """Waits until a node that was paused has a lease again."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            return guest.read(Documents(("guarded/s1",)))
        except grpc.RpcError as error:
            if error.code() == grpc.StatusCode.PERMISSION_DENIED:
                return None
            time.sleep(0.02)
    raise AssertionError("the node does not answer")


def test_a_node_that_is_paused_past_its_lease_grants_nothing_by_the_rules_of_before(start_node, put_in_effect, calls):
    first, second = start_node(), start_node()
    put_in_effect("s1")
    assert granted(calls(first), ["s1", "s2"]) == {"s1"}
    first.pause()
    assert "in effect on 1 node" in put_in_effect("s2")
    first.resume()
    for _ in range(20):
        assert granted(calls(first), ["s1"]) == set()
    eventually_answers(calls(first))
    assert granted(calls(first), ["s1", "s2"]) == granted(calls(second), ["s1", "s2"]) == {"s2"}


def test_a_listener_of_a_paused_node_receives_nothing_by_the_rules_of_before(start_node, put_in_effect, calls):
    first, second = start_node(), start_node()
    owner = calls(second, "owner")
    for number in range(2):
        put_in_effect("s1")
        owner.commit([Change("guarded/s1", "set", {"v": f"before {number}"})])
        listener = GuestWatch(calls(first), "guarded/s1")
        listener.wait_for(f"before {number}")
        first.pause()
        assert "in effect on 1 node" in put_in_effect("s2")
        owner.commit([Change("guarded/s1", "set", {"v": f"after {number}"})])
        first.resume()
        eventually_answers(calls(first))
        time.sleep(0.3)
        assert f"after {number}" not in listener.values
        listener.close()


def test_reads_of_a_paused_node_show_nothing_by_the_rules_of_before(start_node, put_in_effect, calls):
    first, second = start_node(), start_node()
    owner = calls(second, "owner")
    # Found in one of six rounds.
    for _ in range(12 if os.environ.get("HEARTH_FULL") else 1):
        put_in_effect("s1")
        owner.commit([Change("guarded/s1", "set", {"v": "before"})])
        readers = [Reader(calls(first), "guarded/s1") for _ in range(16)]
        time.sleep(1)
        first.pause()
        assert "in effect on 1 node" in put_in_effect("s2")
        owner.commit([Change("guarded/s1", "set", {"v": "after"})])
        first.resume()
        eventually_answers(calls(first))
        for reader in readers:
            reader.is_stopped = True
        for reader in readers:
            reader.join()
        assert "after" not in set().union(*(reader.values for reader in readers))


def test_a_commit_that_waited_is_not_applied_by_rules_that_have_ended(server, start_node, put_in_effect, calls):
    first, second = start_node(), start_node()
    calls(second, "owner").commit([Change("items/a", "set", {"v": "1"})])
    put_in_effect("s1")
    guest = calls(first)
    assert write(guest, "s1") == "OK"
    wait_for_renewal(server, first)
    # Another one holds the row until shortly before the lease of the first node ends.
    row = "BEGIN; SELECT 1 FROM hearth.meta FOR UPDATE; SELECT pg_sleep(4.8); COMMIT"
    holder = threading.Thread(target=server.execute, args=[row])
    holder.start()
    time.sleep(0.15)
    answers = []
    writer = threading.Thread(target=lambda: answers.append(write(guest, "s1", "2")))
    writer.start()
    time.sleep(0.15)
    first.pause()
    assert "in effect on 1 node" in put_in_effect("s2")
    # The commit has the row by now, and is looked for again when the node continues.
    time.sleep(0.3)
    first.resume()
    writer.join()
    holder.join()
    found, _ = calls(second, "owner").read(Documents(("guarded/s1",)))
    assert (answers, found["guarded/s1"].get("v")) != (["OK"], "2")


def test_rules_are_in_effect_though_a_deployment_was_lost(server, start_node, put_in_effect, calls):
    first, second = start_node(), start_node()
    put_in_effect("s1")
    server.copy()
    put_in_effect("s2")
    first.pause()
    server.lose_commits()
    put_in_effect("s3")
    first.resume()
    for node in [first, second]:
        eventually_answers(calls(node))
        assert granted(calls(node), ["s1", "s2", "s3"]) == {"s3"}


def test_a_node_whose_row_was_lost_grants_nothing_by_the_rules_of_before(server, start_node, put_in_effect, calls):
    first = start_node()
    put_in_effect("s1")
    server.copy()
    second = start_node()
    guest = calls(second)
    assert granted(guest, ["s1"]) == {"s1"}
    second.pause()
    server.lose_commits()
    put_in_effect("s2")
    second.resume()
    for _ in range(50):
        assert granted(guest, ["s1"]) == set()
    eventually_answers(guest)
    assert granted(calls(first), ["s1", "s2"]) == granted(guest, ["s1", "s2"]) == {"s2"}
