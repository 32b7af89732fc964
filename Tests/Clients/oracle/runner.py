"""Plays cases on both servers, compares, and makes what differs small."""

import time
from concurrent.futures import ThreadPoolExecutor

from . import differences
from .cases import Case, call
from .compare import Diff, places
from .outcome import Labels
from .session import play
from .shrink import shrink
from .wire import DATABASE, ROOT

PROJECTS = 4


class Runner:
    def __init__(self, theirs, ours, accepts=True, show=False, brief=False, out=print, shrink_seconds=15):
        self.clients = (theirs, ours)
        self.pool = ThreadPoolExecutor(2)
        self.accepts = accepts
        self.show = show
        self.brief = brief
        self.out = out
        self.shrink_seconds = shrink_seconds
        self.used = {}
        self.failures = {}
        self.cases = self.steps = self.cut = self.hiccups = 0
        self._turn = 0
        self._warm()

    def _warm(self):
        """A first commit in every database: before it the emulator compares preconditions with a time of zero."""
        for number in range(PROJECTS):
            case = Case("", "first commit", [call("Commit", database=DATABASE, writes=[{"update": {"name": f"{ROOT}/c/d"}}])])
            for client in self.clients:
                play(case, client, f"oracle-{number + 1:03}")

    def run(self, case):
        """Whether the two servers agree, but for accepted differences. A new kind of difference is reported small."""
        self.cases += 1
        unexplained = self.differ(case, count=True)
        for _ in range(4):
            if not any(map(self._is_hiccup, unexplained)):
                break
            self.hiccups += 1
            unexplained = self.differ(case)
        for diff in unexplained:
            count = self.failures.get(diff.signature, 0)
            self.failures[diff.signature] = count + 1
            if self.brief:
                self.out(self._short(f"{diff.family}: {diff.case} | {diff.line}"))
            elif count == 0:
                self._report(case, diff)
        return not unexplained

    def _is_hiccup(self, diff):
        """What the emulator does now and then on a Listen stream, whatever the case: it sends half a message, behind which
        the client takes other bytes for the length of one of hundreds of megabytes, lets a read time go back, or forgets the snapshot behind a CURRENT; or a commit fails as a stream closes."""
        if diff.is_code and "call already cancelled" in diff.details[0]:
            return True
        if diff.method != "Listen":
            return False
        if diff.is_code and "Received message larger than max" in diff.details[0]:
            return True
        theirs, ours = diff.theirs, diff.ours
        if not self.accepts and theirs in ("OK", []):
            theirs, ours = ours, theirs
        return ours == "OK" and theirs in ("INTERNAL", "NEVER QUIET") or diff.path == ("violations",) and ours == []

    def differ(self, case, count=False):
        """The differences of a case that nothing explains, up to the first step after which nothing can be compared."""
        self._turn += 1
        project = f"oracle-{self._turn % PROJECTS + 1:03}"
        plays = [self.pool.submit(play, case, client, project) for client in self.clients]
        outcomes = [each.result() for each in plays]
        labels = (Labels(), Labels())
        unexplained = []
        if self.show and count:
            self._print(case, outcomes[0])
        for step, theirs, ours in zip(case.steps, *outcomes):
            self.steps += count
            found = list(self._step(case, step, theirs, ours, labels))
            for diff in found:
                entry = differences.entry_for(diff) if self.accepts else None
                if entry is None:
                    unexplained.append(diff)
                elif count:
                    self.used[entry.id] = self.used.get(entry.id, 0) + 1
            if found and any(self._parts_ways(diff, step) for diff in found):
                self.cut += count
                break
        return unexplained

    @staticmethod
    def _parts_ways(diff, step):
        """Whether the servers may hold different things from here on."""
        return step.changes and (diff.is_code or "status" in diff.path)

    def _step(self, case, step, theirs, ours, labels):
        def diff(path, left, right):
            return Diff(case.family, case.name, step, getattr(step, "request", None), theirs.method, path, left, right,
                        (theirs.details, ours.details))

        if theirs.code != ours.code:
            yield diff(("code",), theirs.code, ours.code)
            return
        for label, outcome in zip(labels, (theirs, ours)):
            label.see(outcome.value)
        plain = [label.plain(outcome.value) for label, outcome in zip(labels, (theirs, ours))]
        if theirs.code != "OK" and theirs.method not in ("Listen", "Write", "REST"):
            return
        for path, left, right in places(*plain):
            yield diff(path, left, right)

    def _print(self, case, outcomes):
        labels = Labels()
        self.out(f"\n{case.family}: {case.name}")
        for step, outcome in zip(case.steps, outcomes):
            labels.see(outcome.value)
            self.out(f"    {step.describe()}\n        → {outcome.code} {outcome.details} {labels.plain(outcome.value)}")

    def _report(self, case, diff):
        end = time.monotonic() + self.shrink_seconds

        def still(steps):
            if time.monotonic() > end:
                return None
            found = self.differ(Case(case.family, case.name, steps))
            return next((each for each in found if each.signature == diff.signature), None)

        at = next(index for index, step in enumerate(case.steps) if step is diff.step)
        steps, small = shrink(case.steps[: at + 1], still)
        lines = [f"\n✘ {case.family}: {case.name}", str(small or diff), *("    " + step.describe() for step in steps)]
        self.out(self._short("\n".join(lines)))

    @staticmethod
    def _short(text):
        return text.replace(ROOT, "…").replace(DATABASE, "DATABASE")
