"""Compares counted instructions with those of `Benchmarks/gate.json`."""

import json
import os
from dataclasses import dataclass
from typing import Optional

FILE = "Benchmarks/gate.json"
# Runs of a path differ by 0.2 % at most.
TOLERANCE = 0.03
LIMIT = f"{TOLERANCE * 100:.0f} %"


@dataclass(frozen=True)
class Comparison:
    """One path. A path that only the file or only the program has was not compared."""

    path: str
    was: Optional[int]
    now: Optional[int]

    @property
    def ratio(self):
        return self.now / self.was if self.was and self.now else None

    @property
    def is_above(self):
        return self.ratio is not None and self.ratio > 1 + TOLERANCE

    @property
    def is_below(self):
        return self.ratio is not None and self.ratio < 1 - TOLERANCE

    @property
    def is_unknown(self):
        return self.ratio is None

    def __str__(self):
        was, now = ("–" if count is None else f"{count:,}" for count in (self.was, self.now))
        return f"{self.path:<80} {was:>11} {now:>11} {'–' if self.ratio is None else f'{self.ratio:.3f}×':>8}"


HEADER = f"{'instructions per operation':<80} {'file':>11} {'now':>11} {'ratio':>8}"


def compare(recorded, counted):
    """Every path once, in the order of the program."""
    names = list(counted) + [name for name in recorded if name not in counted]
    return [Comparison(name, recorded.get(name), counted.get(name)) for name in names]


def verdict(comparisons):
    """What there is to say and do, in lines, and whether the gate is closed."""
    above = [each for each in comparisons if each.is_above]
    unknown = [each for each in comparisons if each.is_unknown]
    below = [each for each in comparisons if each.is_below]
    lines = []
    if above:
        lines.append(f"bench gate: instructions above {FILE} by more than {LIMIT}:")
        lines += [f"  {each.path}: was {each.was:,}, is {each.now:,}, {each.ratio:.3f}×" for each in above]
        lines.append("Find what the change costs (docs/reference/benchmarks.md, The gate). If it is worth that, run `dev/bench gate --write`,")
        lines.append("commit the file together with the change, and say in the message of the commit why.")
    if unknown:
        lines.append(f"bench gate: {FILE} and the program do not have the same paths: run `dev/bench gate --write`.")
        lines += [f"  {each.path}: {'not in the file' if each.was is None else 'not in the program'}" for each in unknown]
    if below:
        lines.append(f"bench gate: instructions below {FILE} by more than {LIMIT}: `dev/bench gate --write` keeps the gain.")
        lines += [f"  {each.path}: was {each.was:,}, is {each.now:,}, {each.ratio:.3f}×" for each in below]
    return lines, bool(above or unknown)


def load(path=FILE):
    """The versions under which the counts hold, and the counts by path; both empty if there is no file."""
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except FileNotFoundError:
        return {}, {}
    return content["versions"], content["instructions"]


def save(versions, counted, path=FILE):
    content = {"versions": dict(sorted(versions.items())), "instructions": counted}
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(content, file, indent=2, ensure_ascii=False)
        file.write("\n")
    os.replace(path + ".new", path)
