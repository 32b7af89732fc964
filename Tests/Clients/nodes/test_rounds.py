"""Rounds of `dev/kill-nodes` in quick size: a calm one, and one for each of some faults."""

import pytest

from nodes.cluster import Cluster
from nodes.kill_nodes import Killing

FAULTS = ["node killed", "answer lost", "PostgreSQL crashed", "connections cut", "backends terminated"]


@pytest.fixture(scope="module")
def killing(binary):
    with Cluster(binary=binary) as cluster:
        yield Killing(cluster, seed=1)


@pytest.mark.parametrize("number, kind", list(enumerate([None, *FAULTS], 1)))
def test_a_round(killing, number, kind):
    killing.kinds = [kind]
    _, summary, _ = killing.run_round(number, faults=int(kind is not None))
    assert killing.findings == []
    assert summary["acknowledged"] > 20 and summary["snapshots"] > 20
