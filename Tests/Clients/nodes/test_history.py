"""The checker checked: recordings made by hand, good ones and bad ones."""

import pytest

from nodes import history
from nodes.recording import (
    ACKNOWLEDGED, FOREVER, REFUSED, Change, Commit, Delivery, Deployment, Documents, Epoch, Query, Read, Recording,
    Request, Snapshot, Version)

ITEMS = Query("items")


class Example:
    """A recording in which every operation starts when the one before has ended, unless a test says otherwise."""

    def __init__(self):
        self.recording = Recording()
        self.now = 0.0

    def span(self, start):
        start = self.now if start is None else start
        self.now = max(self.now, start + 1)
        return start + 0.1, start + 0.9

    def commit(self, id, *changes, time=None, start=None, **options):
        start, end = self.span(start)
        values = {"outcome": ACKNOWLEDGED if time else "unknown", "end": end if time else FOREVER, **options}
        commit = Commit(id, "client", "node", list(changes), start, time=time, **values)
        self.recording.commits.append(commit)
        return commit

    def set(self, id, path="items/a", time=None, **options):
        return self.commit(id, Change(path, "set", {"v": id}), time=time, **options)

    def read(self, what, found, time, start=None, asked=None):
        start, end = self.span(start)
        read = Read("client", "node", start, end, what, found, time, asked)
        self.recording.reads.append(read)
        return read

    def snapshot(self, view, time, delivered=(), target=ITEMS, received=None, **options):
        received = self.now if received is None else received
        delivered = [(target, *each) for each in delivered]
        self.recording.snapshots.append(
            Snapshot("listener", "node", received, time, {target: view}, delivered, **options))

    def replay(self):
        return history.Replay([commit for commit in self.recording.commits if commit.time], self.recording.epochs)

    def finds(self, check):
        return check(self.recording, self.replay())


@pytest.fixture
def example():
    return Example()


def version(value, time, **fields):
    return Version.of({"v": value, **fields}, time)


# Marks


def test_outcomes_are_found_by_marks(example):
    known, lost, unknown = example.set("1", time=10), example.set("2", time=20), example.set("3")
    never, refused = example.set("4"), example.set("5", outcome=REFUSED, code="ABORTED")
    twice = example.set("6", time=60)
    marks = {"1": (10, 10), "3": (30, 30), "5": (50, 50), "6": (61, 60), "7": (70, 70)}
    state = {f"marks/{id}": (version(id, time), created) for id, (time, created) in marks.items()}
    example.recording.final = {"node": state}
    findings = history.settle(example.recording)
    assert unknown.time == 30 and never.time is None and known.time == 10
    assert len(findings) == 4, findings
    for commit, word in [(lost, "is lost"), (refused, "was refused"), (twice, "applied twice")]:
        assert any(f"commit {commit.id} " in finding and word in finding for finding in findings), word
    assert any("marks/7" in finding for finding in findings)


def test_another_time_than_the_answer_is_found(example):
    example.set("1", time=10)
    example.recording.final = {"node": {"marks/1": (version("1", 11), 11)}}
    assert "was applied at 11" in history.settle(example.recording)[0]


def test_a_commit_behind_the_end_of_its_history_may_be_gone(example):
    example.set("1", time=10)
    example.set("2", time=20)
    example.recording.epochs = [Epoch(example.now, 10)]
    example.recording.final = {"node": {"marks/1": (version("1", 10), 10)}}
    assert history.settle(example.recording) == []
    example.recording.epochs = [Epoch(example.now, 20)]
    assert len(history.settle(example.recording)) == 1


# a


def test_times_in_order_are_right(example):
    example.set("1", time=10)
    example.set("2", time=20, start=1)
    # Beside the second one, so any order of the two is right.
    example.set("3", time=15, start=1)
    example.read(ITEMS, {}, 20)
    example.read(ITEMS, {}, 20)
    example.set("4", time=21)
    assert example.finds(history.commit_times) == []


def test_one_time_for_two_commits_is_found(example):
    example.set("1", time=10, start=0)
    example.set("2", time=10, start=0)
    assert "have the same time" in example.finds(history.commit_times)[0]


def test_a_time_before_that_of_an_answered_commit_is_found(example):
    example.set("1", time=20)
    example.set("2", time=10)
    assert len(example.finds(history.commit_times)) == 1


def test_a_commit_at_the_time_of_an_answered_read_is_found(example):
    example.read(ITEMS, {}, 20)
    example.set("1", time=20)
    assert len(example.finds(history.commit_times)) == 1


def test_a_read_behind_another_one_is_found(example):
    example.read(ITEMS, {}, 20)
    example.read(ITEMS, {}, 19)
    assert len(example.finds(history.commit_times)) == 1


# b


def test_reads_of_the_state_at_their_time_are_right(example):
    example.set("1", time=10)
    example.set("2", "items/b", time=20)
    example.read(ITEMS, {"items/a": version("1", 10), "items/b": version("2", 20)}, 25)
    example.read(Documents(("items/a", "items/b")), {"items/a": version("1", 10)}, 15, asked=15)
    assert example.finds(history.reads) == []


def test_a_read_that_misses_what_was_acknowledged_is_found(example):
    example.set("1", time=10)
    example.read(ITEMS, {}, 9)
    assert "had been acknowledged before it began" in example.finds(history.reads)[0]


def test_a_read_may_miss_what_is_not_acknowledged_yet(example):
    example.set("1", time=10, start=0)
    example.read(ITEMS, {}, 9, start=0.5)
    assert example.finds(history.reads) == []


@pytest.mark.parametrize("found", [
    {}, {"items/a": version("2", 10)}, {"items/a": version("1", 9)}, {"items/b": version("1", 10)}])
def test_another_state_than_that_of_the_time_is_found(example, found):
    example.set("1", time=10)
    example.read(ITEMS, found, 10)
    assert len(example.finds(history.reads)) == 1


def test_a_commit_that_appears_behind_a_read_of_its_time_is_found(example):
    example.read(ITEMS, {}, 30, asked=30)
    example.set("1", time=29)
    assert len(example.finds(history.reads)) == 1


def test_queries_find_by_value(example):
    example.commit("1", Change("items/a", "set", {"g": 1}), Change("items/b", "set", {"g": 2}), time=10)
    example.commit("2", Change("items/a", "merge", {"g": 2}), time=20)
    example.read(Query("items", 1), {"items/a": Version.of({"g": 1}, 10)}, 19, asked=19)
    example.read(Query("items", 1), {}, 20)
    assert example.finds(history.reads) == []


# c


def transaction(example, found, time, *changes):
    start = example.now
    read = example.read(Documents(("items/a",)), found, 10)
    example.recording.reads.remove(read)
    return example.commit("t", *changes, time=time, start=start, reads=[read])


def test_a_transaction_whose_reads_hold_is_right(example):
    example.set("1", time=10)
    transaction(example, {"items/a": version("1", 10)}, 20, Change("items/a", "merge", {"v": "t"}, amount=1))
    example.read(ITEMS, {"items/a": version("t", 20, n=1)}, 20)
    assert example.finds(history.transactions) == [] and example.finds(history.reads) == []


def test_a_lost_update_is_found(example):
    example.set("1", time=10)
    example.set("2", time=15)
    transaction(example, {"items/a": version("1", 10)}, 20)
    assert "read items/a" in example.finds(history.transactions)[0]


def test_a_transaction_that_was_refused_may_have_read_an_old_state_and_no_invented_one(example):
    example.set("1", time=10)
    example.set("2", time=15)
    commit = transaction(example, {"items/a": version("1", 10)}, None)
    commit.outcome = REFUSED
    assert example.finds(history.transactions) == []
    commit.reads[0].found = {}
    assert len(example.finds(history.transactions)) == 1


def test_conditions_hold_when_a_commit_is_applied(example):
    example.set("1", time=10)
    example.commit("2", Change("items/a", "delete", condition=("updated", 10)), time=20)
    example.commit("3", Change("items/a", "set", {"v": "3"}, condition=("exists", False)), time=30)
    assert example.finds(history.transactions) == []
    example.commit("4", Change("items/a", "set", {"v": "4"}, condition=("updated", 29)), time=40)
    example.commit("5", Change("items/b", "delete", condition=("exists", True)), time=50)
    assert len(example.finds(history.transactions)) == 2


# d, e, f


def test_snapshots_of_the_state_at_their_time_are_right(example):
    example.set("1", time=10)
    example.set("2", "items/b", time=20)
    first, second = version("1", 10), version("2", 20)
    example.snapshot({"items/a": first}, 10, [("items/a", first, False)], asked=1.5)
    example.snapshot({"items/a": first, "items/b": second}, 20, [("items/b", second, False)])
    example.snapshot({"items/a": first, "items/b": second}, 25)
    for check in [history.snapshots, history.deliveries, history.first_snapshots]:
        assert example.finds(check) == []


def test_a_missed_commit_is_found(example):
    example.set("1", time=10)
    example.snapshot({}, 12)
    assert len(example.finds(history.snapshots)) == 1


def test_times_of_a_listener_that_go_back_are_found(example):
    example.snapshot({}, 12)
    example.snapshot({}, 11, resumed=True)
    assert "(resumed) follows the one at 12" in example.finds(history.snapshots)[0]


def test_what_is_delivered_twice_or_never_was_is_found(example):
    example.set("1", time=10)
    example.snapshot({}, 12, [("items/a", version("1", 10), True), ("items/a", version("2", 10), False)])
    assert len(example.finds(history.deliveries)) == 2


def test_a_watch_that_begins_behind_an_acknowledged_commit_is_found(example):
    example.set("1", time=10)
    example.snapshot({}, 9, asked=example.now)
    assert "had been acknowledged before it was asked for" in example.finds(history.first_snapshots)[0]
    # Nothing else is wrong with it.
    assert example.finds(history.snapshots) == []


def test_a_watch_that_begins_behind_a_commit_of_other_documents_misses_nothing(example):
    example.set("1", "others/a", time=10)
    example.snapshot({}, 9, asked=example.now)
    assert example.finds(history.first_snapshots) == []


# g


def deployments(*spans):
    return [Deployment(start, end, frozenset(subjects)) for start, end, subjects in spans]


@pytest.mark.parametrize("start, end, subject, is_granted, is_right", [
    (2, 3, "a", True, True), (2, 3, "b", False, True), (2, 3, "a", False, False), (2, 3, "b", True, False),
    # While the second deployment runs, and beside its answer.
    (4.5, 4.7, "a", True, True), (4.5, 4.7, "b", True, True), (4.5, 5.5, "a", True, True), (4.5, 4.7, "c", True, False),
    (5.1, 5.2, "a", True, False), (5.1, 5.2, "b", True, True), (0, 0.5, "c", True, True),
    # The third one has no answer, the fourth one has.
    (7.5, 7.6, "b", True, True), (7.5, 7.6, "c", True, True), (7.5, 7.6, "a", True, False),
    (9.5, 9.6, "c", True, False),
])
def test_requests_are_decided_by_what_was_answered(example, start, end, subject, is_granted, is_right):
    example.recording.deployments = deployments((0, 1, "a"), (4, 5, "b"), (7, FOREVER, "c"), (8, 9, "d"))
    example.recording.requests = [Request("client", "node", start, end, subject, is_granted)]
    assert (history.grants(example.recording) == []) == is_right


# h


def batch(example, number, time, **options):
    change = Change("streams/s", "merge", amount=1)
    return example.commit(f"s-{number}", change, time=time, stream="s", batch=number, **options)


def test_batches_in_order_are_right(example):
    batch(example, 1, 10)
    batch(example, 2, None, outcome=REFUSED)
    batch(example, 3, 30)
    batch(example, 4, None)
    assert example.finds(history.batches) == []


def test_a_batch_that_was_left_out_or_came_early_is_found(example):
    batch(example, 1, None)
    batch(example, 2, 30)
    batch(example, 3, 20)
    assert len(example.finds(history.batches)) == 2


# The end


def test_increments_are_counted_once(example):
    batch(example, 1, 10)
    batch(example, 2, 20)
    marks = {f"marks/s-{number}": (version(f"s-{number}", number * 10), number * 10) for number in (1, 2)}
    example.recording.final = {"node": {**marks, "streams/s": (Version.of({"n": 2}, 20), 10)}}
    assert history.check(example.recording) == []
    example.recording.final["node"]["streams/s"] = (Version.of({"n": 3}, 20), 10)
    assert "n: 3" in history.check(example.recording)[0]


def test_each_history_has_its_states(example):
    example.set("1", time=10)
    example.set("2", time=20)
    example.recording.epochs = [Epoch(example.now, 10)]
    example.set("3", "items/b", time=30)
    now, marks = {"items/a": (version("1", 10), 10), "items/b": (version("3", 30), 30)}, {"1": 10, "3": 30}
    marks = {f"marks/{id}": (version(id, time), time) for id, time in marks.items()}
    example.recording.final = {"node": {**now, **marks}}
    example.snapshot({"items/a": version("1", 10), "items/b": version("3", 30)}, 30)
    assert history.check(example.recording) == []
    example.snapshot({"items/a": version("2", 20), "items/b": version("3", 30)}, 30)
    assert "items/a is {v: 2}" in history.check(example.recording)[0]


def test_what_a_client_complains_about_is_a_finding(example):
    example.recording.complaints.append("a client hangs")
    assert history.check(example.recording) == ["a client hangs"]


def test_deployments_are_lost_with_their_history(example):
    example.recording.deployments = deployments((0, 1, "a"), (4, 5, "b"))
    example.recording.epochs = [Epoch(6, 0)]
    example.recording.requests = [Request("client", "node", 7, 8, "a", True)]
    assert history.grants(example.recording) == []
    example.recording.deployments += deployments((6.1, 6.2, "c"))
    assert len(history.grants(example.recording)) == 1


def test_a_listener_receives_no_commit_that_began_behind_the_end_of_its_rules(example):
    example.recording.deployments = deployments((0, 1, "a"), (4, 5, "b"))
    seen = example.set("1", "guarded/a", time=10, start=3)
    example.recording.deliveries = [Delivery("listener", "node", 2, 6, "a", version("1", seen.time))]
    assert history.grants(example.recording) == []
    late = example.set("2", "guarded/a", time=20, start=5.5)
    example.recording.deliveries.append(Delivery("listener", "node", 2, 6, "a", version("2", late.time)))
    assert len(history.grants(example.recording)) == 1
