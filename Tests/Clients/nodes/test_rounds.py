"""Rounds of `dev/kill-nodes` in quick size, and what the checker finds in the recording of one once it is altered."""

import dataclasses
import random

import pytest

from nodes import history
from nodes.cluster import Cluster
from nodes.kill_nodes import Killing
from nodes.recording import ACKNOWLEDGED, REFUSED

FAULTS = ["node killed", "answer lost", "PostgreSQL crashed", "connections cut", "backends terminated"]


@pytest.fixture(scope="module")
def killing(binary):
    with Cluster(binary=binary) as cluster:
        yield Killing(cluster, seed=1)


@pytest.mark.parametrize("number, kind", list(enumerate([None, *FAULTS], 1)))
def test_a_round(killing, number, kind):
    killing.kinds = [kind]
    _, summary, _ = killing.run_round(number, faults=int(kind is not None))
    assert killing.findings == []
    assert summary["acknowledged"] > 20 and summary["snapshots"] > 20


# The recording of a real round, altered in one place: each must be found.


def _any(generator, values, is_fit=lambda value: True):
    return generator.choice([value for value in values if is_fit(value)])


def lose_a_document_of_a_read(generator, recording):
    read = _any(generator, recording.reads, lambda read: read.found)
    found = dict(read.found)
    found.pop(generator.choice(sorted(found)))
    return read, {"found": found}


def read_earlier(generator, recording):
    first = min(commit.end for commit in recording.commits if commit.time)
    return _any(generator, recording.reads, lambda read: read.asked is None and read.start > first), {"time": 1}


def show_an_older_version(generator, recording):
    snapshot = _any(generator, recording.snapshots, lambda snapshot: any(snapshot.views.values()))
    target = _any(generator, sorted(snapshot.views, key=str), lambda target: snapshot.views[target])
    view = dict(snapshot.views[target])
    path = generator.choice(sorted(view))
    view[path] = view[path]._replace(time=view[path].time - 1)
    return snapshot, {"views": {**snapshot.views, target: view}}


def deliver_twice(generator, recording):
    snapshot = _any(generator, recording.snapshots, lambda each: any(change[2] for change in each.delivered))
    return snapshot, {"delivered": [(*change[:3], True) for change in snapshot.delivered]}


def acknowledge_another_time(generator, recording):
    commit = _any(generator, recording.commits, lambda commit: commit.outcome == ACKNOWLEDGED)
    return commit, {"time": commit.time + 1}


def refuse_what_was_applied(generator, recording):
    return _any(generator, recording.commits, lambda commit: commit.outcome == ACKNOWLEDGED), {"outcome": REFUSED}


def read_something_else_in_a_transaction(generator, recording):
    commit = _any(generator, recording.commits, lambda each: each.outcome == ACKNOWLEDGED and _has_read(each))
    read = next(read for read in commit.reads if read.found)
    return commit, {"reads": [dataclasses.replace(read, found={})]}


def _has_read(commit):
    return any(read.found for read in commit.reads)


def increment_once_more(generator, recording):
    commit = _any(
        generator, recording.commits,
        lambda each: each.outcome == ACKNOWLEDGED and any(change.path == "counters/all" for change in each.changes))
    return commit, {"changes": [dataclasses.replace(change, amount=change.amount + 1) for change in commit.changes]}


def grant_what_was_denied(generator, recording):
    known = min(deployment.end for deployment in recording.deployments)
    request = _any(generator, recording.requests, lambda each: each.start > known)
    return request, {"subject": "never granted", "is_granted": True}


def exchange_two_batches(generator, recording):
    numbers = {commit.batch: commit for commit in recording.commits if commit.stream == "stream-0/1" and commit.time}
    first = _any(generator, sorted(numbers), lambda number: number + 1 in numbers)
    return numbers[first], {"batch": first + 1.5}


ALTERATIONS = [
    lose_a_document_of_a_read, read_earlier, show_an_older_version, deliver_twice, acknowledge_another_time,
    refuse_what_was_applied, read_something_else_in_a_transaction, increment_once_more, grant_what_was_denied,
    exchange_two_batches]


@pytest.fixture(scope="module")
def recording(killing):
    _, _, round = killing.run_round(20, faults=0, calm=3)
    assert killing.findings == []
    return round.recording


@pytest.mark.parametrize("alter", ALTERATIONS)
def test_what_is_altered_in_a_recording_is_found(recording, alter):
    generator = random.Random(1)
    for _ in range(5):
        value, changes = alter(generator, recording)
        before = dict(vars(value))
        vars(value).update(changes)
        try:
            assert history.check(recording), (value, changes)
        finally:
            vars(value).update(before)
    assert history.check(recording) == []
