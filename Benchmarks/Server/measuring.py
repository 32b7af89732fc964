"""Rounds, medians, the table and the result file."""

import json
import os
import statistics
import time
from dataclasses import dataclass
from typing import Optional


@dataclass
class Result:
    """One row. `ratio`: how many times better than the peer, whatever the unit."""

    name: str
    value: float
    unit: str
    peer_name: Optional[str] = None
    peer_value: Optional[float] = None
    ratio: Optional[float] = None
    goal: Optional[float] = None
    # What the peer did before it was warm, where that was measured; the ratio is about the warm one.
    peer_cold: Optional[float] = None

    @property
    def meets_goal(self):
        return None if self.ratio is None or self.goal is None else self.ratio >= self.goal


def interleaved(rounds, *sides):
    """Runs every side once a round, the order turning, and gives each side's measurements.

    On a shared machine the clock speed drifts within seconds: sides measured one after the other differ by that alone.
    """
    measured = [[] for _ in sides]
    for number in range(rounds):
        order = list(range(len(sides)))
        if number % 2:
            order.reverse()
        for side in order:
            measured[side].append(sides[side]())
    return measured


# A peer on the JVM gets three to six times faster over its first half a million calls.
STABLE_ROUNDS = 3
STABLE_WITHIN = 0.05
WARMING_ROUNDS = 40
WARMING_SECONDS = 240


def warmed(measure, rounds=WARMING_ROUNDS, seconds=WARMING_SECONDS, clock=time.monotonic):
    """Measures until the last three rounds lie within 5 % of each other, or for so many rounds or seconds.

    Returns the first figure, the cold one.
    """
    figures = []
    start = clock()
    while len(figures) < rounds and clock() - start < seconds:
        figures.append(measure())
        last = figures[-STABLE_ROUNDS:]
        if len(last) == STABLE_ROUNDS and max(last) - min(last) <= STABLE_WITHIN * max(last):
            return figures[0]
    print(f"  not stable after {len(figures)} rounds: the last were {', '.join(map(figure, last))}", flush=True)
    return figures[0]


def warm(*sides):
    """Warms each side by itself; the cold figure of each."""
    return [warmed(side) for side in sides]


def rates(name, unit, ours, peer_name, peer, goal, cold=None):
    """A row of rates: more is better."""
    value, other = statistics.median(ours), statistics.median(peer)
    return Result(name, value, unit, peer_name, other, value / other, goal, cold)


def times(name, unit, ours, peer_name, peer, goal, cold=None):
    """A row of times or sizes: less is better."""
    value, other = statistics.median(ours), statistics.median(peer)
    return Result(name, value, unit, peer_name, other, other / value, goal, cold)


def allowed(name, value, unit, limit):
    """A row with a limit of its own."""
    return Result(name, value, unit, "allowed", limit, limit / value, 1)


def percentiles(name, latencies, unit="µs"):
    """The middle and the tail of latencies given in that unit."""
    ordered = sorted(latencies)
    return [
        Result(f"{name}, {label}", ordered[min(len(ordered) - 1, int(len(ordered) * share))], unit)
        for label, share in (("p50", 0.50), ("p99", 0.99))
    ]


class Table:
    """Prints rows as they come, one aligned line each."""

    def __init__(self, widest_name):
        self.width = widest_name

    def header(self):
        self.line("case", "ours", "peer", "cold", "unit", "ratio", "goal", "", "peer is")
        print("─" * (self.width + 95), flush=True)

    def row(self, result):
        verdict = {True: "ok", False: "below", None: ""}[result.meets_goal]
        self.line(
            result.name,
            figure(result.value),
            "–" if result.peer_value is None else figure(result.peer_value),
            "–" if result.peer_cold is None else figure(result.peer_cold),
            result.unit,
            "–" if result.ratio is None else factor(result.ratio),
            "–" if result.goal is None else factor(result.goal),
            verdict,
            result.peer_name or "",
        )

    def line(self, name, ours, peer, cold, unit, ratio, goal, verdict, peer_name):
        print(
            f"{name:<{self.width}} {ours:>10} {peer:>10} {cold:>10} {unit:<10} {ratio:>8} {goal:>8} {verdict:<5} {peer_name}".rstrip(),
            flush=True,
        )


def figure(value):
    """Three significant digits are as many as a shared machine can promise."""
    size = abs(value)
    return f"{value:,.0f}" if size >= 100 else f"{value:.1f}" if size >= 10 else f"{value:.2f}"


def factor(ratio):
    return f"{ratio:.0f}×" if ratio >= 100 else f"{ratio:.1f}×" if ratio >= 10 else f"{ratio:.2f}×"


def merge(path, results):
    """Writes rows into a result file by name: rows that were not measured keep their values."""
    try:
        with open(path, encoding="utf-8") as file:
            entries = json.load(file)
    except (OSError, ValueError):
        entries = []
    places = {entry["case"]: place for place, entry in enumerate(entries)}
    for result in results:
        entry = {
            "case": result.name,
            "peer": result.peer_name,
            "ratio": result.ratio,
            "unit": result.unit,
            "value": result.value,
        }
        if result.peer_cold is not None:
            entry |= {"peerValue": result.peer_value, "peerCold": result.peer_cold}
        if result.name in places:
            entries[places[result.name]] = entry
        else:
            entries.append(entry)
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(entries, file, indent=2, ensure_ascii=False)
        file.write("\n")
    os.replace(path + ".new", path)
