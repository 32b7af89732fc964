"""What the clients of a round saw, and what has to follow from it.

Times are commit times in microseconds. A fail-over cuts the history: `after` is the last commit that both parts have,
`cut` a moment between the two, by the clock that also makes commit times. A commit between `after` and `cut` was lost.
"""

import bisect
import dataclasses
import itertools

from .listener import LARGEST, fingerprint


@dataclasses.dataclass
class Cut:
    after: int
    cut: int

    def is_lost(self, commit_time):
        return self.after < commit_time <= self.cut


class Timeline:
    """The documents of a collection in the order of their commits: what a query finds at each moment."""

    def __init__(self, times_by_id):
        ordered = sorted((time, id) for id, time in times_by_id.items())
        self.times = [time for time, _ in ordered]
        sums = itertools.accumulate((fingerprint(id) for _, id in ordered), initial=0)
        self.sums = [each & LARGEST for each in sums]

    def at(self, time):
        """The number of documents, and the sum over their names."""
        count = bisect.bisect_right(self.times, time)
        return count, self.sums[count]


class Recording:
    """`writers` and `listeners` of a round, after it; `documents` is what the collection holds now, with update
    times."""

    def __init__(self, cut, writers, listeners, documents):
        self.cut = cut
        self.writers = writers
        self.listeners = listeners
        self.documents = documents
        self.acknowledged = [each for writer in writers for each in writer.acknowledged]

    @property
    def lost(self):
        return [each for each in self.acknowledged if self.cut.is_lost(each.commit_time)]

    @property
    def newest_before(self):
        """The latest moment of which any client knows from before the cut."""
        times = [each.commit_time for each in self.acknowledged]
        times += [each.read_time for listener in self.listeners for each in listener.snapshots]
        return max((time for time in times if time <= self.cut.cut), default=0)

    def problems(self):
        yield from self.commit_problems()
        for listener in self.listeners:
            yield from self.listener_problems(listener)

    def commit_problems(self):
        """Every acknowledged commit is there, except exactly those that were lost."""
        times = {}
        for each in self.acknowledged:
            stored = self.documents.get(each.id)
            if self.cut.is_lost(each.commit_time):
                if stored is not None:
                    yield f"{each.id} was acknowledged at {each.commit_time}, later than the cut, and is there"
            elif stored is None:
                yield f"{each.id} was acknowledged at {each.commit_time} and is not there (after {self.cut.after})"
            elif stored != each.commit_time:
                yield f"{each.id} was acknowledged at {each.commit_time} and is there with {stored}"
            if (other := times.setdefault(each.commit_time, each.id)) != each.id:
                yield f"{each.id} and {other} have the same commit time"
        known = {each.id for each in self.acknowledged} | {id for writer in self.writers for id in writer.doubtful}
        for id in self.documents:
            if id not in known:
                yield f"{id} is there and was never written"
        new = [each.commit_time for each in self.acknowledged if each.commit_time > self.cut.cut]
        if new and min(new) <= self.newest_before:
            yield f"a new commit has the time {min(new)}, and {self.newest_before} was seen before"

    def listener_problems(self, listener):
        """Each snapshot is the state at its read time, in the history that it belongs to."""
        lost = {each.id: each.commit_time for each in self.lost}
        for other in self.listeners:
            lost.update((id, time) for id, time in other.seen.items() if self.cut.is_lost(time))
        kept = {id: time for id, time in self.documents.items() if time <= self.cut.after}
        before, now = Timeline({**kept, **lost}), Timeline(self.documents)
        last = 0
        for each in listener.snapshots:
            is_old = each.read_time <= self.cut.cut
            expected = (before if is_old else now).at(each.read_time)
            if (each.count, each.fingerprint) != expected:
                yield (f"listener {listener.name}: the snapshot of {each.read_time} has {each.count} documents, "
                       f"{expected[0]} were committed ({'before' if is_old else 'after'} the cut)")
                break
            if each.read_time < last:
                yield f"listener {listener.name}: a snapshot of {each.read_time} came behind one of {last}"
                break
            last = each.read_time
        if listener.state != self.documents:
            missing, extra = set(self.documents) - set(listener.state), set(listener.state) - set(self.documents)
            yield (f"listener {listener.name} ends with {len(listener.state)} documents of {len(self.documents)}; "
                   f"misses {sorted(missing)[:3]}, has {sorted(extra)[:3]} too many")
        for event in listener.events:
            if event.kind in ("FILTER", "REMOVE"):
                yield f"listener {listener.name}: {event.kind} {event.detail}"

    def gaps(self, began):
        """For each node the longest pause between two acknowledgements, from the moment `began` to the first commit of
        the new history."""
        return {node: self._gap(node, began) for node in sorted({writer.node.name for writer in self.writers})}

    def _gap(self, node, began):
        writers = [writer for writer in self.writers if writer.node.name == node]
        found = sorted((each.arrival, each.commit_time) for writer in writers for each in writer.acknowledged)
        longest = 0
        for (last, time), (next, _) in itertools.pairwise(found):
            if next >= began and time <= self.cut.cut:
                longest = max(longest, next - last)
        return longest
