"""Nodes over a server: groups of commits over the row of their database, and polls of the log.

What is measured is cited by its row of the table in measurements.py, the rest is fitted to that table, with one value
for all rows.
"""

import dataclasses
import random
from collections import deque

from .events import Cores, Disk, Row, Simulation

MICROSECOND = 1e-6
MILLISECOND = 1e-3


@dataclasses.dataclass(frozen=True)
class Costs:
    """What a group of commits and a poll cost, in seconds of a core."""

    # The server's, fitted; row 14 measures their sum.
    group: float = 800 * MICROSECOND
    commit: float = 46 * MICROSECOND
    index_row: float = 15 * MICROSECOND
    # The node's work for a group before and after it has the row.
    message: float = 870 * MICROSECOND
    # With two messages: the server reads what a commit needs, the node applies it, and meanwhile the node has the row.
    read: float = 19 * MICROSECOND
    apply: float = 25 * MICROSECOND
    # Rows by COPY: the server sets up each of its two commands, and then has less to do for each row.
    copy: float = 2_300 * MICROSECOND
    copied_row: float = 4.3 * MICROSECOND
    # Rows 21 and 22, measured: a look at the row, and a change with the state after it.
    poll: float = 56 * MICROSECOND
    change: float = 7.2 * MICROSECOND


@dataclasses.dataclass(frozen=True)
class Machine:
    """Where server and nodes run."""

    cores: int
    flush: float
    # From a message, or the end of a flush, to the process that waits for it.
    wake_up: float
    # The part of those that other work of the machine delays, and by how much at most.
    delayed: float = 0.0
    delay: float = 0.0
    # Nodes on the server's cores; otherwise each has cores of its own.
    has_nodes: bool = False


@dataclasses.dataclass(frozen=True)
class Load:
    """What the nodes do."""

    nodes: int = 1
    databases: int = 1
    index_rows: int = 4
    messages: int = 2
    copies: bool = False
    # Commits in a group, if it is always the same; otherwise what has gathered, of `offered` per second and node.
    group: int | None = None
    offered: float = 0.0
    # Seconds between two looks of a node at the log; None: no node has listeners.
    poll: float | None = None
    # How many nodes look; None: those that commit.
    followers: int | None = None


# What gathers is cut into groups by these limits (DN-4.12); documents have 1 KB.
LARGEST_GROUP = min(500, 4_000_000 // 1_024)
# What a node lets wait; it refuses the rest.
LONGEST_LINE = 2_000
# A node's own work for a commit of a client over gRPC (docs/reference/benchmarks.md): 12,000 per second on two cores.
WIRE = 2 / 12_000
NODE_CORES = 4


class Database:
    def __init__(self, simulation):
        self.row = Row(simulation)
        # When each group could be seen, and how many commits had been made then.
        self.groups = []
        self.commits = 0


class Cluster:
    """Runs a load, and counts."""

    def __init__(self, load, machine, costs=Costs(), seed=1):
        self.load, self.machine, self.costs = load, machine, costs
        self.random = random.Random(seed)
        self.simulation = Simulation()
        self.cores = Cores(self.simulation, machine.cores)
        self.disk = Disk(self.simulation, machine.flush)
        self.databases = [Database(self.simulation) for _ in range(load.databases)]
        self.latencies = []
        self.delays = []
        self.polls, self.changes = 0, 0
        for number in range(load.nodes):
            self._add_committer(self.databases[number % len(self.databases)])
        if load.poll is not None:
            for number in range(load.nodes if load.followers is None else load.followers):
                # Enough of them are asked what they see.
                self.simulation.start(self._follow(self.databases[number % len(self.databases)], is_asked=number < 20))

    def run(self, seconds):
        """The first tenth is not counted."""
        self.simulation.run(seconds / 9)
        before = self.commits
        self.cores.used, self.polls, self.changes = 0.0, 0, 0
        self.latencies.clear()
        self.delays.clear()
        self.simulation.run(seconds)
        self.rate = (self.commits - before) / seconds
        self.cores_used = self.cores.used / seconds
        self.polling_cores = self.polls * self.costs.poll / seconds
        self.reading_cores = self.changes * self.costs.change / seconds
        return self

    @property
    def commits(self):
        return sum(database.commits for database in self.databases)

    def _add_committer(self, database):
        node_cores = self.cores if self.machine.has_nodes else Cores(self.simulation, NODE_CORES)
        self.simulation.start(self._commit(database, node_cores))

    def _wake_up(self):
        machine = self.machine
        if machine.delayed and self.random.random() < machine.delayed:
            return machine.wake_up + self.random.random() * machine.delay
        return machine.wake_up

    def _gather(self):
        """The times at which the commits of the next groups came, in the order of their line."""
        if self.load.group:
            while True:
                yield [self.simulation.now] * self.load.group
        rate = min(self.load.offered, NODE_CORES / WIRE)
        line = deque()
        next_one = self.simulation.now + self.random.expovariate(rate)
        while True:
            while next_one <= self.simulation.now:
                if len(line) < LONGEST_LINE:
                    line.append(next_one)
                next_one += self.random.expovariate(rate)
            if line:
                yield [line.popleft() for _ in range(min(len(line), LARGEST_GROUP))]
            else:
                yield next_one

    def _commit(self, database, node_cores):
        gathered = self._gather()
        while True:
            came = next(gathered)
            if isinstance(came, float):
                yield came - self.simulation.now
                continue
            yield from self._group(database, node_cores, len(came))
            self.latencies.append(self.simulation.now - self.random.choice(came))

    def _group(self, database, node_cores, size):
        costs = self.costs
        yield node_cores.work(costs.message)
        yield self._wake_up()
        must_wait = database.row.is_held
        yield database.row
        if must_wait:
            yield self._wake_up()
        if self.load.messages == 2:
            yield self.cores.work(costs.group / 2 + costs.read * size)
            yield self._wake_up()
            yield node_cores.work(costs.apply * size)
            yield self._wake_up()
            yield self.cores.work(costs.group / 2)
        else:
            yield self.cores.work(costs.group)
        if self.load.copies:
            # The log's rows and the index rows: the server answers before it takes the first row of each.
            for _ in range(2):
                yield self.cores.work(costs.copy)
                yield self._wake_up()
                yield self._wake_up()
        yield self.cores.work(self._write(size))
        yield self.disk
        yield self._wake_up()
        database.commits += size
        database.groups.append((self.simulation.now, database.commits))
        database.row.release()
        yield self._wake_up()

    def _write(self, size):
        costs, rows = self.costs, self.load.index_rows
        if self.load.copies:
            return size * (costs.commit - costs.index_row + (rows + 1) * costs.copied_row)
        return size * (costs.commit + rows * costs.index_row)

    def _follow(self, database, is_asked):
        seen, seen_commits = 0, 0
        yield self.random.random() * self.load.poll
        while True:
            yield self.load.poll
            yield self._wake_up()
            yield self._wake_up()
            yield self.cores.work(self.costs.poll)
            self.polls += 1
            there = len(database.groups)
            yield self._wake_up()
            if there == seen:
                continue
            commits = database.groups[there - 1][1]
            yield self._wake_up()
            yield self.cores.work(self.costs.change * (commits - seen_commits))
            self.changes += commits - seen_commits
            yield self._wake_up()
            if is_asked:
                self.delays += [self.simulation.now - time for time, _ in database.groups[seen:there]]
            seen, seen_commits = there, commits


def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]
