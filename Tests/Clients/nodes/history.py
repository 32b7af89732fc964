"""The history checker (DN-9.3): what several nodes answered must be what one database could have answered.

Each check takes a recording, and the replay of its commits where it needs one, and returns what it finds, in words.
"""

import bisect
import itertools

from .recording import ACKNOWLEDGED, FOREVER, MARKS, REFUSED, UNKNOWN, Commit, Read, Request
from .replay import Replay, difference


def check(recording):
    """All checks; the recording must have come to rest."""
    findings = list(recording.complaints) + settle(recording)
    replay = Replay([commit for commit in recording.commits if commit.time], recording.epochs)
    checks = [commit_times, reads, transactions, snapshots, deliveries, first_snapshots, grants, batches, final_state]
    for each in checks:
        findings += [f"{each.__name__}: {finding}" for finding in each(recording, replay)]
    return findings


def settle(recording):
    """Finds by its mark whether each commit was applied, and gives those without an answer their time. Reports what
    contradicts the answers: an acknowledged commit that is lost, a refused one that was applied, one applied twice."""
    findings = []
    states = [pair for state in recording.final.values() for pair in state.items()]
    marks = {path: value for path, value in states if path.startswith(MARKS + "/")}
    for commit in recording.commits:
        found = marks.pop(commit.mark, None)
        if found is None:
            if commit.outcome == ACKNOWLEDGED and not _is_cut_off(commit, recording.epochs):
                findings.append(f"settle: {commit} was acknowledged and is lost")
            continue
        version, created = found
        if commit.outcome == REFUSED:
            findings.append(f"settle: {commit} was refused ({commit.code}) and was applied at {version.time}")
        elif version.time != created:
            findings.append(f"settle: {commit} was applied twice, at {created} and at {version.time}")
        elif commit.outcome == ACKNOWLEDGED and commit.time != version.time:
            findings.append(f"settle: {commit} was applied at {version.time}")
        commit.time = version.time
    findings += [f"settle: {path} is there, and no client wrote it" for path in marks]
    return findings


def _is_cut_off(commit, epochs):
    """Whether the history with the commit was cut before it."""
    return any(commit.start < epoch.start and commit.time > epoch.after for epoch in epochs)


# DN-9.3 a


def commit_times(recording, replay):
    """No two commits have the same time, and real time is kept: what starts after another's answer has a later time."""
    findings = []
    for epoch in range(len(recording.epochs) + 1):
        commits = replay.commits(epoch)
        for first, second in zip(commits, commits[1:]):
            if first.time == second.time:
                findings.append(f"{first} and {second} have the same time")
    latest = [read for read in recording.reads if read.asked is None]
    return findings + _order([commit for commit in recording.commits if commit.time] + latest, replay)


def _order(operations, replay):
    """From the latest time to the earliest: the earliest end so far shows what came too late. Reads may share a time
    with each other and with the commit that they see, so they are compared with what is strictly later, a commit also
    with the reads of its own time."""
    findings, ended = [], {}

    def compare(group):
        for each in group:
            earliest = ended.get(replay.epoch(each.start))
            if earliest and each.start > earliest.end:
                findings.append(f"{each} started after {earliest} had been answered")

    def remember(group):
        for each in group:
            epoch = replay.epoch(each.start)
            if epoch not in ended or each.end < ended[epoch].end:
                ended[epoch] = each

    for _, group in itertools.groupby(sorted(operations, key=lambda each: -each.time), lambda each: each.time):
        group = list(group)
        found = [each for each in group if isinstance(each, Read)]
        written = [each for each in group if isinstance(each, Commit)]
        compare(found)
        remember(found)
        compare(written)
        remember(written)
    return findings


# DN-9.3 b


class _Acknowledged:
    """The latest commit time that was known to a client at a moment."""

    def __init__(self, recording, replay):
        self._replay = replay
        self._ends, self._times = {}, {}
        for epoch in range(len(recording.epochs) + 1):
            commits = [each for each in recording.commits if each.time and each.end < FOREVER]
            commits = [each for each in commits if replay.epoch(each.start) == epoch]
            commits.sort(key=lambda commit: commit.end)
            self._ends[epoch] = [commit.end for commit in commits]
            latest, times = 0, []
            for commit in commits:
                latest = max(latest, commit.time)
                times.append(latest)
            self._times[epoch] = times

    def before(self, moment):
        epoch = self._replay.epoch(moment)
        index = bisect.bisect_left(self._ends[epoch], moment)
        return self._times[epoch][index - 1] if index else 0


def reads(recording, replay):
    """A read shows the state at its read time, and a latest one everything that was acknowledged before it began."""
    findings = []
    acknowledged = _Acknowledged(recording, replay)
    for read in recording.reads:
        epoch = replay.epoch(read.start)
        if epoch != replay.epoch(read.end):
            continue
        if wrong := difference(read.found, replay.view(read.what, read.time, epoch)):
            findings.append(f"{read}: {wrong}")
        if read.asked is None and (missed := acknowledged.before(read.start)) > read.time:
            findings.append(f"{read}, although {missed} had been acknowledged before it began")
        if read.asked is not None and read.asked != read.time:
            findings.append(f"{read}, although {read.asked} was asked for")
    return findings


# DN-9.3 c


def transactions(recording, replay):
    """What a transaction read, and what its writes require, holds just before its commit time."""
    findings = []
    for commit in recording.commits:
        epoch = replay.epoch(commit.start)
        for read in commit.reads:
            # Also of transactions that were refused: what they read was the state at some time.
            if wrong := difference(read.found, replay.view(read.what, read.time, epoch)):
                findings.append(f"{commit}: {read}: {wrong}")
        if not commit.time or commit.outcome == REFUSED:
            continue
        for read in commit.reads:
            if wrong := difference(read.found, replay.view(read.what, commit.time - 1, epoch)):
                findings.append(f"{commit} read {read.what}: {wrong}")
        for change in commit.changes:
            if not change.is_allowed(replay.version(change.path, commit.time - 1, epoch)):
                findings.append(f"{commit} was applied although {change.condition} does not hold for {change.path}")
    return findings


# DN-9.3 d and e


def snapshots(recording, replay):
    """Every snapshot shows the state at its time, for all targets, also behind a token of another node. Times never go
    back."""
    findings = []
    last = {}
    for snapshot in recording.snapshots:
        epoch = replay.epoch(snapshot.received)
        before = last.get(snapshot.listener)
        if before is not None and before.time > snapshot.time and replay.epoch(before.received) == epoch:
            findings.append(f"{snapshot}{_resumed(snapshot)} follows the one at {before.time}")
        last[snapshot.listener] = snapshot
        for target, view in snapshot.views.items():
            if wrong := difference(view, replay.view(target, snapshot.time, epoch)):
                findings.append(f"{snapshot}{_resumed(snapshot)}, {target}: {wrong}")
    return findings


def _resumed(snapshot):
    return " (resumed)" if snapshot.resumed else ""


def deliveries(recording, replay):
    """No change is delivered twice, and none that was not committed."""
    findings = []
    for snapshot in recording.snapshots:
        epoch = replay.epoch(snapshot.received)
        for target, path, version, is_known in snapshot.delivered:
            # In another history the documents of a target come again.
            if is_known and not (snapshot.resumed and recording.epochs):
                findings.append(f"{snapshot}{_resumed(snapshot)}, {target}: {path} was delivered twice")
            elif version and replay.version(path, version.time, epoch) != version:
                findings.append(f"{snapshot}, {target}: {path} was delivered in a state that it never had: {version}")
    return findings


# DN-9.3 e and f


def first_snapshots(recording, replay):
    """A watch that begins, joins others, or resumes shows what was acknowledged before it was asked for."""
    findings = []
    acknowledged = _Acknowledged(recording, replay)
    for snapshot in recording.snapshots:
        if snapshot.asked is None or replay.epoch(snapshot.asked) != replay.epoch(snapshot.received):
            continue
        time, epoch = acknowledged.before(snapshot.asked), replay.epoch(snapshot.asked)
        if snapshot.time >= time:
            continue
        for target in snapshot.views:
            missed = difference(replay.view(target, snapshot.time, epoch), replay.view(target, time, epoch))
            if missed:
                findings.append(f"{snapshot}, {target}: {time} had been acknowledged before it was asked for: {missed}")
    return findings


# DN-9.3 g


def grants(recording, replay=None):
    """A request is decided by the deployment that was answered last before it began, or by one that came later. So is
    the share of a guest in a commit, which begins with the commit."""
    findings = []
    starts = {commit.time: commit.start for commit in recording.commits if commit.time}
    delivered = [
        Request(each.client, each.node, start, each.received, each.subject, is_granted=True)
        for each in recording.deliveries for start in [max(each.asked, starts.get(each.version.time, 0))]]
    for request in recording.requests + delivered:
        possible = _possible(_of_history(recording, request), request)
        if possible and all((request.subject in each.subjects) != request.is_granted for each in possible):
            word = "granted" if request.is_granted else "denied"
            ended = request.start - possible[0].end
            findings.append(
                f"{request.client} was {word} {request.subject} on {request.node}, "
                f"by rules that had ended {ended:.3f} s before its request")
    return findings


def _of_history(recording, request):
    """Deployments are lost with the history that they belong to."""
    starts = [epoch.start for epoch in recording.epochs if epoch.start <= request.start]
    return [each for each in recording.deployments if not starts or each.start >= starts[-1]]


def _possible(deployments, request):
    """Those that may be in effect during a request; empty if not known. First the one answered last before it."""
    answered = [each for each in deployments if each.end <= request.start]
    if not answered:
        return []
    last = max(answered, key=lambda each: each.end)
    # One without an answer is replaced by the next one that was answered and began later.
    others = [each for each in deployments if each.start <= request.end and each.end > request.start]
    return [last, *(each for each in others if not (each.end == FOREVER and each.start < last.start))]


# DN-9.3 h


def batches(recording, replay):
    """The batches of a Write stream are applied in their order, none is left out, and each once."""
    findings = []
    streams = {}
    for commit in recording.commits:
        if commit.stream:
            streams.setdefault(commit.stream, []).append(commit)
    for stream, commits in streams.items():
        commits.sort(key=lambda commit: commit.batch)
        for first, second in zip(commits, commits[1:]):
            if second.time and not first.time and first.outcome != REFUSED:
                findings.append(f"{stream}: batch {second.batch} was applied, and {first.batch} was not")
            elif second.time and first.time and second.time <= first.time:
                findings.append(
                    f"{stream}: batch {second.batch} was applied at {second.time}, batch {first.batch} at {first.time}")
    return findings


# The end.


def final_state(recording, replay):
    """Every node has the state that the replay ends with; so every increment was applied once."""
    findings = []
    epoch = len(recording.epochs)
    expected = {path: replay.version(path, FOREVER, epoch) for path in replay.paths(epoch)}
    expected = {path: version for path, version in expected.items() if version}
    for node, state in recording.final.items():
        seen = {path: version for path, (version, _) in state.items()}
        if wrong := difference(seen, expected):
            findings.append(f"{node}: {wrong}")
    return findings


def summary(recording):
    """What was recorded, as counts."""
    commits = recording.commits
    outcomes = {name: sum(commit.outcome == name for commit in commits) for name in (ACKNOWLEDGED, REFUSED, UNKNOWN)}
    outcomes["unknown, applied"] = sum(commit.outcome == UNKNOWN and bool(commit.time) for commit in commits)
    lists = {
        "reads": recording.reads, "snapshots": recording.snapshots, "requests": recording.requests,
        "deliveries under rules": recording.deliveries}
    lists["transactions"] = [commit for commit in commits if commit.reads and commit.outcome == ACKNOWLEDGED]
    lists["deployments"] = [deployment for deployment in recording.deployments if deployment.end < FOREVER]
    return {**outcomes, **{name: len(values) for name, values in lists.items()}, **recording.counts}
