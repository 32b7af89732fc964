"""The Listen stream itself, as SDKs that resume use it (LS-1 … LS-30)."""

import queue
import threading

import grpc
import pytest
from google.cloud.firestore_v1.types import firestore as messages
from google.cloud.firestore_v1.types import query as queries

KINDS = messages.TargetChange.TargetChangeType


class Stream:
    """One Listen call; `next` gives its responses as short words."""

    def __init__(self, address, project):
        self.database = f"projects/{project}/databases/(default)"
        self.requests = queue.Queue()
        self.channel = grpc.insecure_channel(address)
        call = self.channel.stream_stream(
            "/google.firestore.v1.Firestore/Listen", request_serializer=messages.ListenRequest.serialize,
            response_deserializer=messages.ListenResponse.deserialize)
        self.call = call(iter(self.requests.get, None), metadata=[("authorization", "Bearer owner")])
        self.responses = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.token = b""

    def _read(self):
        try:
            for response in self.call:
                self.responses.put(response)
            self.responses.put("OK")
        except grpc.RpcError as error:
            self.responses.put(error.code().name)

    def add(self, id, *documents, **target):
        if documents:
            names = [f"{self.database}/documents/{path}" for path in documents]
            target["documents"] = messages.Target.DocumentsTarget(documents=names)
        elif "query" not in target:
            selector = queries.StructuredQuery.CollectionSelector(collection_id="c")
            target["query"] = messages.Target.QueryTarget(
                parent=self.database + "/documents", structured_query=queries.StructuredQuery(from_=[selector]))
        self.requests.put(messages.ListenRequest(database=self.database, add_target=messages.Target(target_id=id, **target)))

    def remove(self, id):
        self.requests.put(messages.ListenRequest(database=self.database, remove_target=id))

    def next(self):
        response = self.responses.get(timeout=20)
        if isinstance(response, str):
            return response
        kind = messages.ListenResponse.pb(response).WhichOneof("response_type")
        if kind == "target_change":
            change = response.target_change
            if change.target_change_type == KINDS.NO_CHANGE and not change.target_ids:
                self.token = change.resume_token
                assert change.read_time and change.resume_token
                return "SNAPSHOT"
            cause = f" code {change.cause.code}" if change.cause.code else ""
            return f"{change.target_change_type.name} {','.join(map(str, change.target_ids))}{cause}"
        if kind == "document_change":
            change = response.document_change
            gone = f" not in {list(change.removed_target_ids)}" if change.removed_target_ids else ""
            return f"{change.document.name.split('/')[-1]} in {list(change.target_ids)}{gone}"
        if kind == "document_delete":
            return f"deleted {response.document_delete.document.split('/')[-1]}"
        return f"filter {response.filter.count}" + (" with names" if response.filter.unchanged_names.hash_count else "")

    def until(self, last):
        seen = []
        while not seen or seen[-1] != last:
            seen.append(self.next())
        return seen

    def close(self):
        self.requests.put(None)
        self.call.cancel()
        self.channel.close()


@pytest.fixture
def stream(address, project):
    streams = []

    def stream():
        streams.append(Stream(address, project))
        return streams[-1]

    yield stream
    for one in streams:
        one.close()


def test_a_fresh_target(db, stream):
    db.document("c/a").set({"n": 1})
    listen = stream()
    listen.add(2)
    assert listen.until("SNAPSHOT") == ["ADD 2", "a in [2]", "CURRENT 2", "SNAPSHOT"]
    db.document("c/a").set({"n": 2})
    assert listen.until("SNAPSHOT") == ["a in [2]", "SNAPSHOT"]
    db.document("c/a").delete()
    assert listen.until("SNAPSHOT") == ["deleted a", "SNAPSHOT"]
    listen.remove(2)
    assert listen.next() == "REMOVE 2"


def test_two_targets_share_frames(db, stream):
    listen = stream()
    listen.add(2)
    listen.until("SNAPSHOT")
    listen.add(4, "c/a", "c/b")
    assert listen.until("SNAPSHOT") == ["ADD 4", "CURRENT 4", "SNAPSHOT"]
    batch = db.batch()
    batch.set(db.document("c/a"), {})
    batch.set(db.document("c/x"), {})
    batch.commit()
    assert sorted(listen.until("SNAPSHOT")) == ["SNAPSHOT", "a in [2, 4]", "x in [2]"]


def test_resuming_sends_only_what_has_changed(db, stream):
    for id in "abcde":
        db.document(f"c/{id}").set({"n": 1})
    first = stream()
    first.add(2)
    first.until("SNAPSHOT")
    first.close()
    db.document("c/a").set({"n": 2})
    db.document("c/b").delete()
    db.document("c/x").set({"n": 1})
    second = stream()
    second.add(2, resume_token=first.token, expected_count=5)
    seen = second.until("CURRENT 2")
    assert "RESET 2" not in seen
    assert {"a in [2]", "x in [2]"} <= set(seen) and "c in [2]" not in seen
    assert "deleted b" in seen or "filter 5 with names" in seen
    assert second.next() == "SNAPSHOT"


def test_a_read_time_is_a_start_too(db, stream):
    time = db.document("c/a").set({"n": 1}).update_time
    db.document("c/b").set({"n": 1})
    listen = stream()
    listen.add(2, read_time=time)
    assert listen.until("SNAPSHOT") == ["ADD 2", "b in [2]", "CURRENT 2", "SNAPSHOT"]


def test_once(db, stream):
    db.document("c/a").set({"n": 1})
    listen = stream()
    listen.add(2, once=True)
    assert listen.until("REMOVE 2") == ["ADD 2", "a in [2]", "CURRENT 2", "SNAPSHOT", "REMOVE 2"]


def test_ids(stream):
    listen = stream()
    listen.add(0, "c/a")
    assert listen.next() == "ADD 1"
    listen.until("SNAPSHOT")
    listen.add(5, "c/a")
    assert listen.until("INVALID_ARGUMENT")
    negative = stream()
    negative.add(-1, "c/a")
    assert negative.next() == "INVALID_ARGUMENT"


def test_what_is_wrong_with_one_target_does_not_end_the_stream(db, stream):
    listen = stream()
    listen.add(2, resume_token=b"garbage")
    assert listen.next() == "REMOVE 2 code 3"
    bad = messages.Target.QueryTarget(
        parent=listen.database + "/documents",
        structured_query=queries.StructuredQuery(from_=[queries.StructuredQuery.CollectionSelector(collection_id="c")], limit={"value": -1}))
    listen.add(4, query=bad)
    assert listen.until("REMOVE 4 code 3")
    listen.add(6)
    assert listen.until("SNAPSHOT") == ["ADD 6", "CURRENT 6", "SNAPSHOT"]
    listen.add(6)
    assert listen.next() == "REMOVE 6 code 6"
    listen.remove(77)
    listen.add(8)
    assert listen.until("SNAPSHOT") == ["ADD 8", "CURRENT 8", "SNAPSHOT"]


def test_a_target_may_use_an_id_again(db, stream):
    db.document("c/a").set({})
    listen = stream()
    for _ in range(20):
        listen.add(2)
        listen.remove(2)
    listen.add(2)
    seen = [listen.next() for _ in range(41)]
    seen = [word for word in seen if word[:3] in ("ADD", "REM")]
    while len(seen) < 41:
        word = listen.next()
        seen += [word] if word[:3] in ("ADD", "REM") else []
    assert seen == ["ADD 2", "REMOVE 2"] * 20 + ["ADD 2"]
    assert listen.until("SNAPSHOT")[-3:] == ["a in [2]", "CURRENT 2", "SNAPSHOT"]
