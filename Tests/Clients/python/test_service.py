"""What holds for every call: databases, limits, deadlines, errors."""

import grpc
import pytest
from google.api_core import exceptions
from google.cloud import firestore


def test_databases_are_apart(project, address):
    one = firestore.Client(project=project)
    two = firestore.Client(project=project, database="second")
    three = firestore.Client(project=project + "-x")
    one.document("c/a").set({"in": "one"})
    two.document("c/a").set({"in": "two"})
    assert one.document("c/a").get().get("in") == "one" and two.document("c/a").get().get("in") == "two"
    assert not three.document("c/a").get().exists


def test_a_deadline(db):
    with pytest.raises((exceptions.DeadlineExceeded, exceptions.RetryError)):
        db.document("c/a").get(timeout=0.000001, retry=None)


def test_requests_of_ten_megabytes(db):
    batch = db.batch()
    for n in range(10):
        batch.set(db.document(f"c/{n}"), {"text": "x" * 1_000_000})
    batch.commit()
    assert sum(len(doc.get("text")) for doc in db.collection("c").stream()) == 10_000_000
    batch = db.batch()
    for n in range(12):
        batch.set(db.document(f"c/{n}"), {"text": "x" * 1_000_000})
    with pytest.raises((exceptions.InvalidArgument, exceptions.ResourceExhausted)):
        batch.commit()


def test_methods_that_are_not_there(address):
    with grpc.insecure_channel(address) as channel:
        for name in ("google.firestore.v1.Firestore/Nothing", "some.Service/Method", "google.firestore.v1.Firestore/ExecutePipeline"):
            with pytest.raises(grpc.RpcError) as error:
                channel.unary_unary("/" + name, lambda bytes: bytes, lambda bytes: bytes)(b"")
            assert error.value.code() == grpc.StatusCode.UNIMPLEMENTED


def test_garbage_for_a_message(address):
    with grpc.insecure_channel(address) as channel:
        for name in ("GetDocument", "Commit", "BeginTransaction"):
            with pytest.raises(grpc.RpcError) as error:
                channel.unary_unary(f"/google.firestore.v1.Firestore/{name}", lambda bytes: bytes, lambda bytes: bytes)(b"\xff\xff\xff\x01")
            assert error.value.code() == grpc.StatusCode.INVALID_ARGUMENT


def test_compressed_requests(project, address):
    from google.cloud.firestore_v1.types import document, firestore as messages

    name = f"projects/{project}/databases/(default)/documents/c/a"
    with grpc.insecure_channel(address) as channel:
        get = channel.unary_unary(
            "/google.firestore.v1.Firestore/GetDocument", messages.GetDocumentRequest.serialize, document.Document.deserialize)
        with pytest.raises(grpc.RpcError) as error:
            get(messages.GetDocumentRequest(name=name), compression=grpc.Compression.Gzip)
        assert error.value.code() == grpc.StatusCode.NOT_FOUND


def test_errors_say_where(db):
    with pytest.raises(exceptions.NotFound) as error:
        db.document("cities/atlantis").update({"n": 1})
    assert "cities/atlantis" in str(error.value)
