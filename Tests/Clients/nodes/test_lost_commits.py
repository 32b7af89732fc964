"""A server that continues without its last commits, as after a fail-over to a standby that lags (DN-8.3)."""

import time

import grpc
import pytest

from nodes.calls import NodeCalls, Place
from nodes.cluster import Cluster
from nodes.faults import COMMITS_LOST
from nodes.kill_nodes import Killing
from nodes.listener import ListenStream
from nodes.recording import Change, Query, Recording

PLACE = Place("lost", 1)
ITEMS = Query("items")


def test_clients_meet_no_error_that_makes_them_give_up(binary):
    with Cluster(binary=binary) as cluster:
        killing = Killing(cluster, seed=1, kinds=[COMMITS_LOST])
        for number in range(2):
            killing.run_round(number, faults=2)
            assert killing.findings == []


@pytest.mark.parametrize("number", range(2))
def test_a_listener_forgets_what_was_lost(server, start_node, number):
    first, second = start_node(), start_node()
    calls = [NodeCalls(node.name, node.address, PLACE) for node in [first, second]]
    calls[0].commit([Change("items/kept", "set", {"v": "1"})])
    server.copy()
    calls[1].commit([Change("items/lost", "set", {"v": "2"})])
    stream = ListenStream("before", calls[1], [ITEMS], Recording())
    stream.read(lambda: stream.snapshots > 0)
    assert sorted(stream.views[ITEMS]) == ["items/kept", "items/lost"]
    server.lose_commits()
    eventually(lambda: calls[0].commit([Change("items/new", "set", {"v": "3"})]))
    assert sorted(eventually(lambda: resumed(calls[number], stream))) == ["items/kept", "items/new"]
    for each in calls:
        each.close()


def resumed(calls, stream):
    """What a listener shows that continues another one; nothing if it was turned away."""
    again = ListenStream("behind", calls, [ITEMS], Recording(), *stream.kept)
    error = again.read(lambda: again.snapshots > 0)
    return None if error else again.views[ITEMS]


def eventually(action, seconds=20):
    """Tries again while the server is away, until there is a result."""
    end = time.monotonic() + seconds
    while True:
        try:
            if result := action():
                return result
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.UNAVAILABLE, error
        assert time.monotonic() < end
        time.sleep(0.05)
