"""One fail-over with everything around it: clients before, during and after it, and what has to hold."""

import dataclasses
import time

import grpc

from . import calls
from .listener import Listener
from .recording import Cut, Recording
from .servers import Failure, rows, wait_until
from .writer import Writer

# More than the promotion takes: finding the primary, another history, the first commits.
PATIENCE = 2.0
WARM_UP = 1.0
LOSING = 0.5
AFTERWARDS = 1.0


@dataclasses.dataclass
class Result:
    line: str
    problems: list
    promotion: float
    gap: float
    lost: int


class Round:
    """`cluster` is a `ReplicatedPair` or a `PatroniPair`."""

    def __init__(self, cluster, nodes, number, is_synchronous):
        self.cluster = cluster
        self.nodes = nodes
        self.number = number
        self.is_synchronous = is_synchronous
        self.loses_commits = not is_synchronous and cluster.loses_commits
        self.items, self.totals = f"items-{number}", f"totals-{number}"
        self.problems = []
        self.calls = [calls.Calls(node) for node in nodes]

    def run(self):
        self.cluster.prepare(self.is_synchronous)
        self.calls[0].commit([calls.set_document(f"anchor/{self.number}", n=0)])
        histories = self._histories()
        self._begin()
        try:
            self._wait_for_clients("before the fail-over", 0)
            time.sleep(WARM_UP)
            transactions = [each.begin() for each in self.calls]
            for each, transaction in zip(self.calls, transactions):
                each.get(f"anchor/{self.number}", transaction)
            if self.loses_commits:
                self._lose_commits()
            began, ended, cut = self.cluster.fail_over()
            self._wait_for_clients("after the fail-over", cut)
            time.sleep(AFTERWARDS)
        finally:
            for each in self.writers:
                each.stop()
        return self._result(histories, cut, began, ended, transactions)

    # Before.

    def _begin(self):
        self.writers = [
            Writer(node, f"{place}{index}", self.items, self.totals)
            for place, node in zip("ab", self.nodes) for index in range(2)]
        one, two = self.nodes
        self.listeners = [Listener([one], self.items), Listener([two], self.items), Listener([one, two], self.items)]
        for name, listener in zip(["at the first node", "at the second node", "at both nodes"], self.listeners):
            listener.name = name
        for each in [*self.listeners, *self.writers]:
            each.start()

    def _wait_for_clients(self, when, cut):
        """Every node commits, and every listener shows it."""
        def commits():
            for each in self.writers:
                if each.failure:
                    raise Failure(f"a writer failed {when}: {each.failure!r}")
            return all(each.acknowledged and each.acknowledged[-1].commit_time > cut for each in self.writers)

        def shows():
            return all(each.snapshots and each.snapshots[-1].read_time > cut for each in self.listeners)
        wait_until(commits, f"commits {when}", 60)
        wait_until(shows, f"snapshots {when}", 60)

    def _lose_commits(self):
        """The collection of the last of these commits gets a number that is given out again."""
        self.cluster.stop_replication()
        time.sleep(LOSING)
        self.calls[0].commit([calls.set_document(f"lost-{self.number}/x", n=1)])

    # Afterwards.

    def _histories(self):
        return len(self._epochs())

    def _epochs(self):
        return rows(
            self.cluster.primary_port,
            "SELECT e.ord, e.after FROM hearth.epochs e JOIN hearth.databases d ON d.db = e.db WHERE d.project = %s "
            "ORDER BY e.ord",
            calls.PROJECT)

    def _result(self, histories, cut_time, began, ended, transactions):
        epochs = self._epochs()
        if len(epochs) != histories + 1:
            self.problems.append(f"{len(epochs)} histories, before the fail-over it was {histories}")
        cut = Cut(after=epochs[-1][1], cut=cut_time)
        self._check_transactions(transactions)
        self._check_collections()
        documents = self._documents()
        self._wait_for_listeners(documents)
        recording = Recording(cut, self.writers, self.listeners, documents)
        self.problems += recording.problems()
        self._check_totals(documents)
        self._check_losses(recording)
        self._check_tokens(recording)
        gaps = recording.gaps(began)
        promotion, gap = ended - began, max(gaps.values())
        if gap > promotion + PATIENCE:
            self.problems.append(f"commits paused for {gap:.2f} s, and the promotion took {promotion:.2f} s")
        for each in [*self.listeners]:
            each.stop()
        for each in self.calls:
            each.close()
        return Result(self._line(recording, promotion, gaps), self.problems, promotion, gap, len(recording.lost))

    def _documents(self):
        """What both nodes find."""
        found = [each.documents(self.items) for each in self.calls]
        times = [{id: calls.microseconds(document.update_time) for id, document in each.items()} for each in found]
        if times[0] != times[1]:
            self.problems.append(f"the nodes find different documents: {len(times[0])} and {len(times[1])}")
        return times[0]

    def _wait_for_listeners(self, documents):
        for each in self.listeners:
            each.wait(lambda: each.state == documents, 20)

    def _check_totals(self, documents):
        """A commit was applied as a whole, and once."""
        for writer in self.writers:
            total = self.calls[0].get(f"{self.totals}/{writer.number}")
            increments = total.fields["n"].integer_value
            count = sum(id.startswith(writer.number + "-") for id in documents)
            if increments != count:
                self.problems.append(f"writer {writer.number}: {count} documents, {increments} increments")

    def _check_transactions(self, transactions):
        self.outcomes = []
        for each, transaction in zip(self.calls, transactions):
            try:
                each.commit([calls.set_document(f"anchor/{self.number}", n=1)], transaction=transaction)
                self.outcomes.append("OK")
            except grpc.RpcError as error:
                self.outcomes.append(error.code().name)
        # A transaction that has only read what is still so may commit where nothing was lost; the second one finds it
        # changed.
        allowed = [["OK", "ABORTED"], ["ABORTED"]] if not self.loses_commits else [["ABORTED"], ["ABORTED"]]
        for outcome, fitting in zip(self.outcomes, allowed):
            if outcome not in fitting:
                self.problems.append(f"a transaction of before the fail-over ends with {outcome}, not {fitting[0]}")

    def _check_collections(self):
        """What is written to a new collection is found in it, and only there."""
        fresh, lost = f"fresh-{self.number}", f"lost-{self.number}"
        for number, each in enumerate(reversed(self.calls)):
            each.commit([calls.set_document(f"{fresh}/{number}", n=number)])
        for place, each in enumerate(self.calls):
            for collection, expected in [(fresh, {"0", "1"}), (lost, set())]:
                if (found := set(each.documents(collection))) != expected:
                    self.problems.append(f"node {place}: the collection {collection} has {found}, not {expected}")
        self.calls[0].commit([calls.set_document(f"{lost}/y", n=2)])
        for place, each in enumerate(self.calls):
            if set(each.documents(lost)) != {"y"} or set(each.documents(fresh)) != {"0", "1"}:
                self.problems.append(f"node {place}: a document is in the wrong collection")

    def _check_losses(self, recording):
        ends = sum(event.kind == "END" for each in self.listeners for event in each.events)
        resets = sum(event.kind == "RESET" for each in self.listeners for event in each.events)
        if not self.loses_commits:
            if recording.lost:
                self.problems.append(
                    f"{len(recording.lost)} acknowledged commits were lost, although the standby had all of them")
            if ends or resets:
                self.problems.append(f"nothing was lost, and {ends} streams ended, {resets} targets were reset")
            return
        if not recording.lost:
            self.problems.append("no commit was lost, although the standby had no stream")
        for each in self.listeners:
            saw_lost = any(recording.cut.is_lost(snapshot.read_time) for snapshot in each.snapshots)
            if saw_lost and not any(event.kind == "RESET" for event in each.events):
                self.problems.append(f"listener {each.name} saw lost commits and was not reset")

    def _check_tokens(self, recording):
        """Tokens of before the cut, at the node that did not issue them: those of commits that were lost are reset."""
        self.tokens = 0
        for index, each in enumerate(self.listeners[:2]):
            old = [snapshot for snapshot in each.snapshots if snapshot.read_time <= recording.cut.cut]
            lost = [snapshot for snapshot in old if snapshot.read_time > recording.cut.after]
            kept = [snapshot for snapshot in old if snapshot.read_time <= recording.cut.after]
            for snapshot, is_lost in [*((s, True) for s in lost[:1] + lost[-1:]), *((s, False) for s in kept[-1:])]:
                self._check_token(self.nodes[1 - index], snapshot, is_lost, recording)

    def _check_token(self, node, snapshot, is_lost, recording):
        self.tokens += 1
        state = {id: time for id, time in recording.documents.items() if time <= snapshot.read_time}
        listener = Listener([node], self.items, snapshot.token, state)
        listener.start()
        listener.wait(lambda: listener.snapshots, 20)
        listener.stop()
        was_reset = any(event.kind == "RESET" for event in listener.events)
        kind = "a lost" if is_lost else "a kept"
        if was_reset != is_lost:
            self.problems.append(
                f"the token of {kind} commit ({snapshot.read_time}) was {'' if was_reset else 'not '}reset; "
                f"{recording.cut}")
        if listener.state != recording.documents:
            self.problems.append(f"a listener with the token of {kind} commit shows {len(listener.state)} documents, "
                                 f"and there are {len(recording.documents)}")

    def _line(self, recording, promotion, gaps):
        ends = sum(event.kind == "END" for each in self.listeners for event in each.events)
        resets = sum(event.kind == "RESET" for each in self.listeners for event in each.events)
        doubtful = sum(len(each.doubtful) for each in self.writers)
        shown = ", ".join(f"{gap:.2f}" for gap in gaps.values())
        return (f"{len(recording.acknowledged)} acknowledged, {len(recording.lost)} lost, {doubtful} unknown; "
                f"promotion {promotion:.2f} s, gaps {shown} s; streams ended {ends}, reset {resets}; "
                f"tokens {self.tokens}; transactions {'/'.join(self.outcomes)}")
