"""What was measured (docs/scale.md has the table), and the loads that the simulation runs for it.

The machine had two cores and much other work (load 6 to 10), and flushes took 0.12 or 4 ms, changing by the minute. One
core was left on average, and a process that was woken up sometimes had to wait for others: `OTHER_WORK`. Where several
runs differed, a range is given.
"""

import dataclasses

from .model import MILLISECOND, Cluster, Costs, Load, Machine, percentile

# How far the simulation may lie outside of what was measured.
TOLERANCE = 0.2

OTHER_WORK = {"cores": 1, "wake_up": 0.105 * MILLISECOND, "delayed": 0.027, "delay": 8 * MILLISECOND, "has_nodes": True}
FAST = Machine(flush=0.12 * MILLISECOND, **OTHER_WORK)
SLOW = Machine(flush=4 * MILLISECOND, **OTHER_WORK)


@dataclasses.dataclass(frozen=True)
class Measurement:
    row: int
    what: str
    least: float
    most: float
    simulate: "callable"

    def deviation(self, costs):
        """Returns the simulated value, and how far it lies outside of what was measured: 0.1 is a tenth."""
        value = self.simulate(costs)
        return value, value / self.most - 1 if value > self.most else min(0, value / self.least - 1)


def rate(machine, costs, **load):
    load = Load(**load)
    # Small groups are many: less time is enough.
    return Cluster(load, machine, costs).run(10 if (load.group or 0) >= 100 else 4).rate


def _rates(row, what, machine, sizes, ranges, **load):
    for size, (least, most) in zip(sizes, ranges):
        yield Measurement(row, f"{what}, groups of {size}: commits/s", least, most,
                          lambda costs, size=size: rate(machine, costs, group=size, messages=1, **load))


def _by_nodes(row, messages, ranges):
    for nodes, (least, most) in zip([1, 2, 4], ranges):
        yield Measurement(row, f"nodes: {nodes}, messages: {messages}, groups of 100: commits/s", least, most,
                          lambda costs, nodes=nodes: rate(SLOW, costs, nodes=nodes, messages=messages, group=100))


def _ratio(row, what, value, index_rows, one, other):
    def simulate(costs):
        return (rate(FAST, costs, index_rows=index_rows, group=100, **one)
                / rate(FAST, costs, index_rows=index_rows, group=100, **other))

    return Measurement(row, f"{what}, {index_rows} index rows: ratio", value, value, simulate)


def _delay(interval, part, value):
    def simulate(costs):
        load = Load(messages=1, offered=40.0, poll=interval * MILLISECOND)
        return percentile(Cluster(load, FAST, costs).run(120).delays, part) / MILLISECOND

    return Measurement(20, f"polls every {interval} ms, p{part * 100:.0f}: ms", value, value, simulate)


ONE_MESSAGE, TWO_MESSAGES, COPIES = {"messages": 1}, {"messages": 2}, {"messages": 2, "copies": True}
SIZES = [1, 10, 100, 500]


def measurements():
    yield from _rates(6, "2 index rows, fast flush", FAST, SIZES,
                      [(276, 1_300), (3_873, 3_873), (11_411, 11_411), (10_642, 10_642)], index_rows=2)
    yield from _rates(7, "10 index rows, fast flush", FAST, SIZES,
                      [(472, 472), (1_915, 1_915), (5_521, 5_521), (4_761, 4_761)], index_rows=10)
    yield from _rates(8, "4 index rows, slow flush", SLOW, SIZES,
                      [(141, 217), (1_190, 1_610), (2_247, 6_792), (7_467, 8_067)], index_rows=4)
    yield _ratio(9, "two messages against one", 0.75, 2, TWO_MESSAGES, ONE_MESSAGE)
    yield _ratio(9, "two messages against one", 0.85, 10, TWO_MESSAGES, ONE_MESSAGE)
    yield _ratio(10, "COPY against arrays", 0.83, 2, COPIES, TWO_MESSAGES)
    yield _ratio(10, "COPY against arrays", 1.24, 10, COPIES, TWO_MESSAGES)
    yield _ratio(10, "COPY against one message", 0.63, 2, COPIES, ONE_MESSAGE)
    yield _ratio(10, "COPY against one message", 1.05, 10, COPIES, ONE_MESSAGE)
    yield from _by_nodes(11, 1, [(4_200, 6_800), (4_600, 6_700), (6_400, 6_900)])
    yield from _by_nodes(12, 2, [(3_700, 5_300), (4_100, 6_000), (3_900, 4_100)])
    for databases, value in [(1, 8_750), (4, 8_900)]:
        yield Measurement(13, f"databases with a node each: {databases}, groups of 100: commits/s", value, value,
                          lambda costs, count=databases: rate(
                              FAST, costs, nodes=count, databases=count, messages=1, group=100))
    for interval, middle, late in [(1, 1.5, 7.8), (5, 3.2, 8.2), (20, 9.3, 20.6)]:
        yield _delay(interval, 0.5, middle)
        yield _delay(interval, 0.95, late)


def compare(costs=Costs()):
    """All measurements with their simulated values and deviations."""
    return [(measurement, *measurement.deviation(costs)) for measurement in measurements()]
