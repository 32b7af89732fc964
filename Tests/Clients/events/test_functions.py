"""OT-42: firebase_functions under functions-framework receives our events, and decodes every type of value."""

import builtins
import datetime
import os
import random

import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.vector import Vector

from events.receiver import Framework
from events.serving import Server, eventually

KINDS = ["created", "updated", "deleted", "written"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    # The library asks for the project when the first event comes.
    os.environ["GOOGLE_CLOUD_PROJECT"] = "demo-events"
    functions = {kind: Framework(kind) for kind in KINDS}
    triggers = [{"name": kind, "document": "all/{id}", "on": [kind], "url": functions[kind].url} for kind in KINDS]
    with Server(tmp_path_factory.mktemp("functions"), triggers) as server:
        yield server.placed()
    for function in functions.values():
        function.stop()


def values(client):
    time = datetime.datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=datetime.timezone.utc)
    return {
        "null": None, "yes": True, "no": False, "integer": -(2 ** 63), "zero": 0, "double": 0.1, "whole": 2.0,
        "infinity": float("inf"), "time": time, "text": "größe 🔥", "empty": "", "bytes": b"\x00\xff",
        "reference": client.document("other/x"), "place": firestore.GeoPoint(52.5, 13.4), "array": [1, "two", [], {"three": 3}][:2],
        "emptyArray": [], "map": {"a": {"b": [1.5, None]}}, "emptyMap": {}, "vector": Vector([1.0, -2.5]), "with space.and`dot": 1,
    }


def of(kind, identifier):
    return [event for found, event in builtins.hearth_received if found == kind and event.params["id"] == identifier]


def equal(found, expected):
    assert set(found) == set(expected)
    for name, value in expected.items():
        if isinstance(value, firestore.DocumentReference):
            assert found[name].path == value.path
        elif isinstance(value, Vector):
            assert list(found[name]) == list(value)
        else:
            assert found[name] == value and type(found[name] == value) is bool, name


@pytest.mark.parametrize("identifier", ["plain", "with space", "a%b", "x" * 100])
def test_all_kinds_with_all_values(server, identifier):
    client = server.client()
    document, first = client.document(f"all/{identifier}"), values(client)
    second = {**first, "integer": 7, "more": "x"}
    document.set(first)
    document.set(first)  # Changes nothing, so it is no event.
    document.set(second)
    document.delete()
    eventually("three events are there", lambda: len(of("written", identifier)) >= 3 and of("deleted", identifier))
    created, updated, deleted = (of(kind, identifier) for kind in ["created", "updated", "deleted"])
    assert [len(events) for events in [created, updated, deleted]] == [1, 1, 1]
    equal(created[0].data.to_dict(), first)
    equal(updated[0].data.before.to_dict(), first)
    equal(updated[0].data.after.to_dict(), second)
    equal(deleted[0].data.to_dict(), second)
    written = of("written", identifier)
    assert [(event.data.before is None, event.data.after is None) for event in written] == [(True, False), (False, False), (False, True)]
    event = created[0]
    assert event.document == f"all/{identifier}" and event.database == "(default)" and event.project == server.project
    assert len({event.id for events in [created, updated, deleted, written] for event in events}) == 6


def test_random_documents(server):
    generator = random.Random(7)
    client, expected = server.client(), {}
    for number in range(30):
        fields = {f"f{index}": generator.choice(
            [generator.randint(-9, 9), generator.random(), "t" * generator.randint(0, 9), [generator.randint(0, 9)], {"x": None}, b"b"])
            for index in range(generator.randint(0, 9))}
        expected[f"random-{number}"] = fields
        client.document(f"all/random-{number}").set(fields)
    eventually("all are there", lambda: all(of("created", name) for name in expected))
    for name, fields in expected.items():
        equal(of("created", name)[0].data.to_dict(), fields)
