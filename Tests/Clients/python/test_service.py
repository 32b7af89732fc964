"""What holds for every call: databases, limits, deadlines, errors."""

import os
import re

import conftest
import grpc
import pytest
from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1.types import document as documents
from google.cloud.firestore_v1.types import firestore as requests
from google.cloud.firestore_v1.types import write as writes


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
        for name in ("google.firestore.v1.Firestore/Nothing", "some.Service/Method"):
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


def test_the_words_of_the_service(db):
    """Applications and test suites look at them."""
    ref = db.document("c/a")
    with pytest.raises(exceptions.NotFound, match=re.escape(f"No document to update: {ref._document_path}")):
        ref.update({"n": 1})
    ref.set({"n": 1})
    with pytest.raises(exceptions.AlreadyExists, match=re.escape(f"Document already exists: {ref._document_path}")):
        ref.create({"n": 1})
    api, parent = db._firestore_api, db._database_string + "/documents"
    query = {"from_": [{"collection_id": "c"}]}
    for aggregations, words in [([], "Aggregations can not be empty"), (["x", "x"], "Aggregation aliases contain duplicate alias: x")]:
        with pytest.raises(exceptions.InvalidArgument, match=words):
            list(api.run_aggregation_query(request={"parent": parent, "structured_aggregation_query": {
                "structured_query": query, "aggregations": [{"alias": alias, "count": {}} for alias in aggregations]}}))


def memory(process):
    """Resident megabytes."""
    with open(f"/proc/{process.pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:")) / 1024


@pytest.mark.one_server("files and memory of a server")
@pytest.mark.parametrize("kept", [False, True])
def test_a_project_for_every_test(kept, tmp_path):
    """More of them than may be open, one after the other, in memory and on the disk."""
    count = 2_000 if os.environ.get("HEARTH_FULL") else 250
    process, address = conftest.start(["--data", str(tmp_path / "data"), "--durability", "relaxed"] if kept else ["--in-memory"], tmp_path)
    try:
        with grpc.insecure_channel(address) as channel:
            def call(method, request, answer):
                return channel.unary_unary(f"/google.firestore.v1.Firestore/{method}", type(request).serialize, answer.deserialize)(request)

            def name(number):
                return f"projects/many-{number}/databases/(default)/documents/c/a"

            for number in range(count):
                write = writes.Write(update=documents.Document(name=name(number), fields={"n": {"integer_value": number}}))
                call("Commit", requests.CommitRequest(
                    database=name(number).partition("/documents")[0], writes=[write]), requests.CommitResponse)
            print(f"{count} projects, {'on the disk' if kept else 'in memory'}: {memory(process):.0f} MB")
            for number in range(0, count, 7):
                found = call("GetDocument", requests.GetDocumentRequest(name=name(number)), documents.Document)
                assert found.fields["n"].integer_value == number
    finally:
        conftest.stop(process)
