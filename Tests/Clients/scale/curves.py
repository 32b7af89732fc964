"""What the simulation says about machines that were not measured: the curves and tables of docs/scale.md."""

import dataclasses
import pathlib

from .chart import Chart
from .model import MILLISECOND, Cluster, Load, Machine, percentile

PICTURES = pathlib.Path(__file__).resolve().parents[3] / "docs" / "pictures"

# A server of its own in the same region: a message takes 0.15 ms one way, and the flush waits for a standby.
SERVER = Machine(cores=16, flush=1 * MILLISECOND, wake_up=0.15 * MILLISECOND)
NODES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000]
# Databases at full load, and one at an ordinary load.
FULL, ORDINARY = 20_000, 1_000


def cluster(seconds, machine=SERVER, **load):
    return Cluster(Load(**load), machine).run(seconds)


def full(nodes, messages=2, machine=SERVER, **load):
    """One database, and more commits than it can take. Every node must have had its turn: many nodes take long."""
    return cluster(max(4, nodes * 0.2), machine, nodes=nodes, messages=messages, offered=FULL / nodes, **load)


def ordinary(nodes, poll=None, offered=ORDINARY, machine=SERVER):
    return cluster(max(5, nodes * 0.03), machine, nodes=nodes, offered=offered / nodes, poll=poll)


def many(nodes, cores):
    """A database for every node."""
    machine = dataclasses.replace(SERVER, cores=cores)
    return cluster(max(3, nodes * 0.2 / cores), machine, nodes=nodes, databases=nodes, offered=5_000.0)


def commits_by_nodes():
    chart = Chart("Commits per second, by nodes (simulated)", "nodes", "commits/s in all")
    for messages, name in [(1, "1 database, one message"), (2, "1 database, as built")]:
        chart.add(name, [(nodes, full(nodes, messages).rate) for nodes in NODES])
    for cores in [64, 16, 4]:
        rates = [(nodes, many(nodes, cores).rate) for nodes in NODES]
        chart.add(f"a database each, {cores} cores", rates, is_dashed=True)
    return chart


def latency_by_nodes():
    title = "A commit in one database, by nodes that write to it (simulated)"
    chart = Chart(title, "nodes that write", "ms until acknowledged")
    for offered in [3_000, 1_000, 100]:
        runs = [(nodes, ordinary(nodes, offered=offered).latencies) for nodes in NODES]
        for part, name in [(0.5, "p50"), (0.95, "p95")]:
            points = [(nodes, percentile(latencies, part) / MILLISECOND) for nodes, latencies in runs]
            is_second = part == 0.95
            chart.add(f"{offered:,} commits/s, {name}", points, is_dashed=is_second, as_before=is_second)
    return chart


# Nodes that commit are few here, so that what is seen is the cost of looking.
WRITERS = 4


def listening(nodes, poll, machine=SERVER):
    """`WRITERS` nodes commit, and all nodes look at the log."""
    load = Load(nodes=WRITERS, offered=ORDINARY / WRITERS, poll=poll, followers=nodes)
    return Cluster(load, machine).run(max(0.5, min(10, 100 / nodes)))


def listeners_by_nodes():
    chart = Chart("From a commit to the nodes of its listeners, by nodes (simulated)", "nodes with listeners", "ms")
    for poll in [1, 5, 20]:
        runs = [(nodes, listening(nodes, poll * MILLISECOND).delays) for nodes in NODES]
        for part, name in [(0.5, "p50"), (0.95, "p95")]:
            points = [(nodes, percentile(delays, part) / MILLISECOND) for nodes, delays in runs if delays]
            is_second = part == 0.95
            chart.add(f"every {poll} ms, {name}", points, is_dashed=is_second, as_before=is_second)
    return chart


def cores_by_nodes():
    chart = Chart("The server's cores that looking takes, by nodes (simulated)", "nodes with listeners", "cores")
    machine = dataclasses.replace(SERVER, cores=64)
    for poll in [1, 5, 20]:
        runs = [(nodes, listening(nodes, poll * MILLISECOND, machine)) for nodes in NODES]
        chart.add(f"every {poll} ms", [(nodes, run.polling_cores) for nodes, run in runs])
        both = [(nodes, run.polling_cores + run.reading_cores) for nodes, run in runs]
        chart.add("  with the changes", both, is_dashed=True, as_before=True)
    return chart


CHARTS = {
    "scale-commits": commits_by_nodes,
    "scale-latency": latency_by_nodes,
    "scale-listeners": listeners_by_nodes,
    "scale-polls": cores_by_nodes,
}
