"""Every kind of write, with preconditions and transforms (WR-1 … WR-39)."""

import datetime

import pytest
from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1 import LastUpdateOption
from google.cloud.firestore_v1.vector import Vector

VALUES = {
    "null": None, "true": True, "int": 7, "big": 2**63 - 1, "negative": -(2**63), "double": 1.5, "nan": float("nan"),
    "infinity": float("inf"), "text": "Grüße, 世界 \U0001f30d", "bytes": b"\x00\xff",
    "time": datetime.datetime(2024, 2, 29, 12, 30, 15, 123456, tzinfo=datetime.timezone.utc),
    "early": datetime.datetime(1, 1, 1, tzinfo=datetime.timezone.utc), "place": firestore.GeoPoint(-33.5, 151.25),
    "list": [1, "two", {"three": [3]}, None], "map": {"a": {"b": {"c": []}}, "": 1} | {"ö.b`": 2}, "vector": Vector([1.0, -2.5]),
}


def test_values_come_back_as_they_were(db):
    values = {key: value for key, value in VALUES.items() if key != "map"} | {"map": {"a": {"b": {"c": []}}, "ö.b`": 2}}
    values["reference"] = db.document("other/one")
    ref = db.document("values/all")
    ref.set(values)
    found = ref.get().to_dict()
    assert str(found.pop("nan")) == "nan"
    values.pop("nan")
    assert found == values


def test_empty_field_names_are_refused(db):
    with pytest.raises((exceptions.InvalidArgument, ValueError)):
        db.document("c/a").set({"map": VALUES["map"]})


def test_set_replaces_and_merge_keeps(db):
    ref = db.document("c/a")
    ref.set({"a": 1, "b": {"x": 1, "y": 2}})
    ref.set({"b": {"x": 3}}, merge=True)
    assert ref.get().to_dict() == {"a": 1, "b": {"x": 3, "y": 2}}
    ref.set({"b": {"z": 9}, "a": 5}, merge=["b"])
    assert ref.get().to_dict() == {"a": 1, "b": {"z": 9}}
    ref.set({"c": 1})
    assert ref.get().to_dict() == {"c": 1}


def test_update_with_paths_and_deletes(db):
    ref = db.document("c/a")
    ref.set({"a": 1, "b": {"x": 1, "y": 2}, "with space": {"`": 1}})
    ref.update({"b.x": firestore.DELETE_FIELD, "b.z.w": [1], "a": 2, "`with space`.`\\``": 3})
    assert ref.get().to_dict() == {"a": 2, "b": {"y": 2, "z": {"w": [1]}}, "with space": {"`": 3}}
    with pytest.raises(exceptions.NotFound):
        db.document("c/missing").update({"a": 1})


def test_create_and_delete(db):
    ref = db.document("c/a")
    created = ref.create({"a": 1})
    with pytest.raises(exceptions.AlreadyExists):
        ref.create({"a": 2})
    found = ref.get()
    assert found.create_time == found.update_time == created.update_time
    ref.delete()
    ref.delete()
    assert not ref.get().exists
    time, added = db.collection("c").add({"n": 1})
    assert len(added.id) == 20 and added.get().update_time == time


def test_preconditions(db):
    ref = db.document("c/a")
    first = ref.set({"a": 1}).update_time
    second = ref.set({"a": 2}).update_time
    assert second > first
    with pytest.raises(exceptions.FailedPrecondition):
        ref.update({"a": 3}, option=LastUpdateOption(first))
    ref.update({"a": 3}, option=LastUpdateOption(second))
    with pytest.raises(exceptions.FailedPrecondition):
        ref.delete(option=LastUpdateOption(second))
    with pytest.raises(exceptions.NotFound):
        db.document("c/b").delete(option=db.write_option(exists=True))
    assert ref.get().get("a") == 3


def test_a_write_that_changes_nothing_keeps_the_update_time(db):
    ref = db.document("c/a")
    first = ref.set({"a": 1}).update_time
    assert ref.set({"a": 1}).update_time == first
    assert ref.get().update_time == first


def test_transforms(db):
    ref = db.document("c/a")
    ref.set({"n": 5, "d": 1.5, "low": 3, "high": 3, "list": [1, 2, 2, "x"], "text": "t"})
    result = ref.update({
        "n": firestore.Increment(2), "d": firestore.Increment(1), "missing": firestore.Increment(4), "text": firestore.Increment(9),
        "low": firestore.Minimum(1), "high": firestore.Maximum(8.5), "list": firestore.ArrayUnion([2, 3]), "at": firestore.SERVER_TIMESTAMP,
    })
    found = ref.get()
    at = found.get("at")
    assert at.microsecond % 1000 == 0 and abs(at - result.update_time) < datetime.timedelta(seconds=5)
    assert {key: value for key, value in found.to_dict().items() if key != "at"} == {
        "n": 7, "d": 2.5, "missing": 4, "text": 9, "low": 1, "high": 8.5, "list": [1, 2, 2, "x", 3]}
    ref.update({"list": firestore.ArrayRemove([2, "x"]), "new": firestore.ArrayUnion([1, 1])})
    assert ref.get().get("list") == [1, 3] and ref.get().get("new") == [1]
    ref.set({"n": 2**63 - 1})
    ref.update({"n": firestore.Increment(5)})
    assert ref.get().get("n") == 2**63 - 1


def test_batches_are_all_or_nothing(db):
    batch = db.batch()
    batch.set(db.document("c/a"), {"n": 1})
    batch.create(db.document("c/b"), {"n": 2})
    batch.update(db.document("c/missing"), {"n": 3})
    with pytest.raises(exceptions.NotFound):
        batch.commit()
    assert list(db.collection("c").stream()) == []
    batch = db.batch()
    for n in range(500):
        batch.set(db.document(f"c/{n}"), {"n": n})
    batch.delete(db.document("c/0"))
    results = batch.commit()
    assert len(results) == 501 and len({result.update_time for result in results[:-1]}) == 1
    assert len(list(db.collection("c").stream())) == 499


def test_one_document_several_times_in_a_batch(db):
    ref = db.document("c/a")
    batch = db.batch()
    batch.set(ref, {"n": 1})
    batch.update(ref, {"n": firestore.Increment(1), "m": 1})
    batch.commit()
    assert ref.get().to_dict() == {"n": 2, "m": 1}


def test_bulk_writer(db):
    done, failed = [], []
    writer = db.bulk_writer()
    writer.on_write_result(lambda reference, result, bulk: done.append(reference.id))
    writer.on_write_error(lambda error, bulk: failed.append(error.operation.reference.id) and False)
    for n in range(250):
        writer.create(db.document(f"c/{n}"), {"n": n})
    writer.close()
    writer = db.bulk_writer()
    writer.on_write_result(lambda reference, result, bulk: done.append(reference.id))
    writer.on_write_error(lambda error, bulk: failed.append(error.operation.reference.id))
    writer.create(db.document("c/7"), {"n": "again"})
    writer.update(db.document("c/8"), {"n": "eight"})
    writer.delete(db.document("c/9"))
    writer.close()
    assert sorted(failed) == ["7"] and len(done) == 252
    found = {doc.id: doc.get("n") for doc in db.collection("c").stream()}
    assert len(found) == 249 and found["7"] == 7 and found["8"] == "eight"


@pytest.mark.parametrize("fields", [
    {"a": [[1]]}, {"__reserved__": 1}, {"x" * 1501: 1}, {"a": "x" * 1_048_577}, {"a": Vector([0.0] * 2049)},
], ids=["nested arrays", "reserved name", "long name", "too big", "long vector"])
def test_data_that_cannot_be(db, fields):
    with pytest.raises(exceptions.InvalidArgument):
        db.document("c/a").set(fields)
    assert not db.document("c/a").get().exists


@pytest.mark.parametrize("id", [".", "..", "__reserved__", "x" * 1501])
def test_ids_that_cannot_be(db, id):
    with pytest.raises(exceptions.InvalidArgument):
        db.collection("c").document(id).set({})


def test_ids_that_can_be(db):
    ids = ["e\u0301", "\u00e9", "__id7__", "a b", "%2F", "日本", "\U0001f600", "x" * 1500, "a.b`c", "~!@#$&*()"]
    for id in ids:
        db.collection("c").document(id).set({"id": id})
    assert {doc.id: doc.get("id") for doc in db.collection("c").stream()} == {id: id for id in ids}
