"""`on_snapshot` on documents and queries (LS-1 … LS-30)."""

import threading

from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter


def test_a_document_comes_changes_and_goes(db, listen):
    ref = db.document("c/a")
    listening = listen(ref)
    listening.until({})
    ref.set({"n": 1})
    listening.until({"a": {"n": 1}})
    ref.update({"n": 2})
    listening.until({"a": {"n": 2}})
    ref.delete()
    listening.until({})
    ref.set({"n": 3})
    listening.until({"a": {"n": 3}})


def test_a_query_reports_additions_changes_and_removals(db, fill, listen):
    tasks = fill("tasks", a={"open": True, "n": 1}, b={"open": True, "n": 2}, c={"open": False, "n": 3})
    listening = listen(tasks.where(filter=FieldFilter("open", "==", True)))
    changes = listening.until({"a": {"open": True, "n": 1}, "b": {"open": True, "n": 2}})
    assert sorted(changes) == [("ADDED", "a"), ("ADDED", "b")]
    tasks.document("c").update({"open": True})
    assert listening.until({id: {"open": True, "n": n} for id, n in [("a", 1), ("b", 2), ("c", 3)]}) == [("ADDED", "c")]
    tasks.document("a").update({"n": 9})
    assert listening.until({id: {"open": True, "n": n} for id, n in [("a", 9), ("b", 2), ("c", 3)]}) == [("MODIFIED", "a")]
    # By changing, and by being deleted.
    tasks.document("a").update({"open": False})
    assert listening.until({id: {"open": True, "n": n} for id, n in [("b", 2), ("c", 3)]}) == [("REMOVED", "a")]
    tasks.document("b").delete()
    assert listening.until({"c": {"open": True, "n": 3}}) == [("REMOVED", "b")]
    fill("elsewhere", a={"open": True})
    tasks.document("c").delete()
    assert listening.until({}) == [("REMOVED", "c")]


def test_an_empty_query_says_so(db, listen):
    assert listen(db.collection("nothing")).until({}) == []


def test_a_limit_is_refilled(db, fill, listen):
    numbers = fill("numbers", **{f"n{n}": {"n": n} for n in range(1, 7)})
    listening = listen(numbers.order_by("n").limit(3))
    listening.until({f"n{n}": {"n": n} for n in [1, 2, 3]})
    numbers.document("n2").delete()
    assert sorted(listening.until({f"n{n}": {"n": n} for n in [1, 3, 4]})) == [("ADDED", "n4"), ("REMOVED", "n2")]
    numbers.document("n0").set({"n": 0})
    assert sorted(listening.until({f"n{n}": {"n": n} for n in [0, 1, 3]})) == [("ADDED", "n0"), ("REMOVED", "n4")]
    for id in ["n0", "n1", "n3", "n4"]:
        numbers.document(id).delete()
    listening.until({f"n{n}": {"n": n} for n in [5, 6]})


def test_the_order_is_that_of_the_query(db, fill):
    numbers = fill("numbers", a={"n": 3}, b={"n": 1}, c={"n": 2})
    seen, called = [], threading.Event()

    def note(documents, changes, time):
        seen.append([doc.id for doc in documents])
        called.set()

    watch = numbers.order_by("n").on_snapshot(note)
    assert called.wait(20)
    watch.unsubscribe()
    assert seen[0] == ["b", "c", "a"]


def test_a_batch_is_one_snapshot(db, listen):
    listening = listen(db.collection("c"))
    listening.until({})
    for round in range(10):
        batch = db.batch()
        for n in range(20):
            batch.set(db.document(f"c/{n}"), {"round": round})
        batch.commit()
    listening.until({str(n): {"round": 9} for n in range(20)})
    for shown, _, _ in listening.snapshots:
        assert len(shown) in (0, 20) and len({fields["round"] for fields in shown.values()}) <= 1
    times = [time for _, _, time in listening.snapshots]
    assert times == sorted(times)


def test_collection_groups_and_big_results(db, fill, listen):
    fill("numbers", **{f"n{n}": {"n": n} for n in range(450)})
    db.document("deep/down/numbers/x").set({"n": -1})
    expected = {f"n{n}": {"n": n} for n in range(450)} | {"x": {"n": -1}}
    listening = listen(db.collection_group("numbers"))
    listening.until(expected)
    db.document("deep/down/numbers/x").set({"n": -2})
    assert listening.until(expected | {"x": {"n": -2}}) == [("MODIFIED", "x")]


def test_many_listeners_see_the_same(db, listen):
    ref = db.document("c/a")
    listeners = [listen(ref) for _ in range(8)] + [listen(db.collection("c")) for _ in range(8)]
    for listening in listeners:
        listening.until({})
    for n in range(5):
        ref.set({"n": n})
    for listening in listeners:
        listening.until({"a": {"n": 4}})


def test_no_snapshot_after_unsubscribing(db, listen):
    listening = listen(db.collection("c"))
    listening.until({})
    listening.close()
    other = listen(db.collection("c"))
    db.document("c/a").set({"n": 1})
    other.until({"a": {"n": 1}})
    assert len(listening.snapshots) == 1


def test_writes_from_transactions_and_transforms_are_reported(db, listen):
    ref = db.document("c/a")
    ref.set({"n": 0})
    listening = listen(ref)
    listening.until({"a": {"n": 0}})

    @firestore.transactional
    def add(transaction):
        transaction.update(ref, {"n": ref.get(transaction=transaction).get("n") + 1})

    add(db.transaction())
    listening.until({"a": {"n": 1}})
    ref.update({"n": firestore.Increment(41)})
    listening.until({"a": {"n": 42}})
