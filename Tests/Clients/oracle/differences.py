"""Every accepted difference between the official emulator and `hearth serve`, each with its reason.

Hearth keeps server semantics for everything that changes data or results (design D8), so most of these say where the
emulator is not the service. A matcher is as narrow as possible; an entry that a full run does not need fails the run.
docs/emulator-differences.md is made of this list.
"""

from dataclasses import dataclass
from typing import Callable


@dataclass(frozen=True)
class Difference:
    id: str
    rule: str
    what: str
    matches: Callable


DIFFERENCES = [
]


def entry_for(diff):
    return next((entry for entry in DIFFERENCES if entry.matches(diff)), None)
