"""Hearth's own client is offline while Python writes, and the other way round; both agree afterwards, field by field."""

import base64
import datetime
import json
import os
import pathlib
import random
import subprocess

import pytest
from google.cloud import firestore
from google.cloud.firestore_v1 import _helpers
from google.protobuf import json_format

pytestmark = pytest.mark.one_server("Hearth's own client, whose tests on several nodes are in Swift")


ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = os.environ.get("HEARTH_SYNC_CLIENT", str(ROOT / ".build" / "debug" / "SyncCrashWriter"))


def encoded(fields):
    """Fields as the REST protocol has them."""
    values = _helpers.encode_dict(fields)
    return json.dumps({name: json.loads(json_format.MessageToJson(value._pb, indent=None)) for name, value in values.items()})


def plain(value):
    """A value of the REST protocol as something that compares with what Python has."""
    (kind, content), = value.items()
    if kind == "mapValue":
        return {name: plain(each) for name, each in content.get("fields", {}).items()}
    if kind == "arrayValue":
        return [plain(each) for each in content.get("values", [])]
    if kind == "integerValue":
        return int(content)
    if kind == "bytesValue":
        return base64.b64decode(content)
    if kind == "timestampValue":
        return datetime.datetime.fromisoformat(content.replace("Z", "+00:00"))
    if kind == "geoPointValue":
        return (content.get("latitude", 0), content.get("longitude", 0))
    return content


def comparable(value):
    """The same of a value that Python has read."""
    if isinstance(value, dict):
        return {name: comparable(each) for name, each in value.items()}
    if isinstance(value, list):
        return [comparable(each) for each in value]
    if isinstance(value, firestore.GeoPoint):
        return (value.latitude, value.longitude)
    if isinstance(value, datetime.datetime):
        return datetime.datetime.fromtimestamp(value.timestamp(), datetime.timezone.utc)
    return value


class OfflineClient:
    """A client with a cache, as a child process that executes commands."""

    def __init__(self, cache, address, project):
        self.process = subprocess.Popen(
            [BINARY, "obey", cache, address, project], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n"

    def tell(self, *words):
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline().rstrip("\n")
        assert line.startswith("ok "), f"{words}: {line}"
        return line[3:]

    def all(self, collection):
        found = json.loads(self.tell("list", collection))
        return {path.split("/")[-1]: {name: plain(value) for name, value in fields.items()} for path, fields in found.items()}

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        self.process.stdin.close()
        assert self.process.wait(30) == 0


@pytest.fixture
def offline(address, project, tmp_path):
    running = []

    def start():
        running.append(OfflineClient(str(tmp_path / "cache.sqlite"), address, project))
        return running[-1]

    yield start
    for client in running:
        if client.process.poll() is None:
            client.kill()


def of_python(db, collection):
    return {doc.id: comparable(doc.to_dict()) for doc in db.collection(collection).stream()}


ALL_KINDS = {
    "null": None, "yes": True, "integer": -(2**62), "double": 1.5, "text": "Grüße, 日本, a\u0301", "bytes": b"\x00\xff",
    "time": datetime.datetime(2026, 1, 2, 3, 4, 5, 678901, datetime.timezone.utc), "place": firestore.GeoPoint(12.5, -3.25),
    "list": [1, "two", {"three": 3}], "map": {"a": {"b": [None]}, "empty": {}},
}


def test_what_was_written_offline_and_what_python_wrote_meanwhile_agree(db, offline):
    ours = db.collection("trails")
    ours.document("shared").set({"name": "Ridge", "metres": 100, "visits": 1})
    ours.document("theirs").set({"name": "Creek"})
    ours.document("doomed").set({"name": "Swamp"})
    client = offline()
    assert client.all("trails") == of_python(db, "trails")

    client.tell("offline")
    client.tell("set", "trails/mine", encoded(ALL_KINDS))
    client.tell("update", "trails/shared", encoded({"metres": 120}))
    client.tell("increment", "trails/shared", "visits 5")
    client.tell("delete", "trails/doomed")
    assert client.all("trails")["shared"] == {"name": "Ridge", "metres": 120, "visits": 6}
    assert "mine" not in of_python(db, "trails")
    # Meanwhile: other fields of the same document, the same counter, another document, and one is gone.
    ours.document("shared").update({"name": "Long ridge", "visits": firestore.Increment(10)})
    ours.document("theirs").delete()
    ours.document("python").set(ALL_KINDS)

    client.tell("online")
    client.tell("sent")
    assert client.tell("failed") == "0"
    expected = {
        "shared": {"name": "Long ridge", "metres": 120, "visits": 16}, "mine": comparable(ALL_KINDS), "python": comparable(ALL_KINDS)}
    assert of_python(db, "trails") == expected
    assert client.all("trails") == expected
    # From the cache, too.
    client.tell("offline")
    assert client.all("trails") == expected
    client.close()


def test_a_queue_that_outlives_its_process_is_sent_by_the_next_one(db, offline):
    client = offline()
    client.tell("offline")
    for number in range(20):
        client.tell("increment", "counters/a", "n 1")
        client.tell("set", f"trails/{number}", encoded({"n": number}))
    client.kill()
    db.collection("counters").document("a").set({"n": 100})
    client = offline()
    client.tell("sent")
    assert db.collection("counters").document("a").get().to_dict() == {"n": 120}
    assert client.all("trails") == of_python(db, "trails") == {str(number): {"n": number} for number in range(20)}
    client.close()


@pytest.mark.parametrize("seed", range(3))
def test_random_work_on_both_sides_ends_the_same(db, offline, seed):
    chance = random.Random(seed)
    client = offline()
    collection = db.collection("trails")
    counted = 0
    for _ in range(4):
        client.all("trails")
        client.tell("offline")
        for _ in range(25):
            name, number = chance.choice("abcdef"), chance.randrange(1000)
            kind = chance.choice(["set", "increment", "delete"])
            if chance.random() < 0.5:
                if kind == "set":
                    client.tell("set", f"trails/{name}", encoded({"ours": number, "deep": {"list": [number]}}))
                elif kind == "increment":
                    client.tell("increment", "counters/sum", f"n {number}")
                    counted += number
                else:
                    client.tell("delete", f"trails/{name}")
            elif kind == "set":
                collection.document(name).set({"theirs": number}, merge=True)
            elif kind == "increment":
                db.collection("counters").document("sum").set({"n": firestore.Increment(number)}, merge=True)
                counted += number
            else:
                collection.document(name).delete()
        client.tell("online")
        client.tell("sent")
        assert client.all("trails") == of_python(db, "trails")
    assert client.tell("failed") == "0"
    assert db.collection("counters").document("sum").get().to_dict() == {"n": counted}
    client.tell("offline")
    assert client.all("trails") == of_python(db, "trails")
    client.close()
