"""What one node at a time does, and another one continues: events, expiry. What any node answers: the admin API."""

import datetime
import json
import os
import time
import urllib.error
import urllib.request

import pytest

from events.receiver import Receiver
from nodes.node import Node

PROJECT = "demo-nodes"
ROOT = f"/v1/projects/{PROJECT}/databases/(default)"


def call(node, method, path, body=None):
    request = urllib.request.Request(
        f"http://{node.address}{path}", method=method, data=None if body is None else json.dumps(body).encode(),
        headers={"authorization": "Bearer owner", "content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def put(node, name, fields):
    return call(node, "PATCH", f"{ROOT}/documents/{name}", {"fields": fields})


def exists(node, name):
    try:
        call(node, "GET", f"{ROOT}/documents/{name}")
        return True
    except urllib.error.HTTPError as error:
        assert error.code == 404, error.read()
        return False


def figure(node, name):
    """The sum of a metric."""
    with urllib.request.urlopen(f"http://{node.address}/metrics", timeout=30) as answer:
        lines = answer.read().decode().splitlines()
    return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.split("{")[0].split(" ")[0] == name)


def eventually(what, condition, seconds=120):
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.05)
    return found


@pytest.fixture
def receiver():
    with Receiver() as receiver:
        yield receiver


@pytest.fixture
def nodes(server, binary, receiver, tmp_path):
    triggers = tmp_path / "events.json"
    triggers.write_text(json.dumps({"triggers": [{"name": "orders", "document": "orders/{order}", "on": ["created"], "url": receiver.url}]}))
    nodes = [
        Node(server.url, "--development", "--no-console", "--project", PROJECT, "--events", str(triggers), "--ttl-interval", "1",
             binary=binary).start()
        for _ in range(2)]
    yield nodes
    for node in nodes:
        node.remove()


def kills(first, second):
    """Which node is killed, and which one remains. Another node continues when a lease has ended: half a minute, or a minute."""
    return [(first, second), (second, first)] if os.environ.get("HEARTH_FULL") else [(first, second)]


def documents(receiver):
    with receiver.lock:
        return [headers["ce-document"] for headers, _ in receiver.requests]


def test_what_one_node_is_asked_to_do_all_of_them_know(nodes):
    first, second = nodes
    fields = [{"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "DESCENDING"}]
    call(first, "POST", f"{ROOT}/collectionGroups/orders/indexes", {"queryScope": "COLLECTION", "fields": fields})
    call(second, "PATCH", f"{ROOT}/collectionGroups/sessions/fields/at?updateMask=ttlConfig", {"ttlConfig": {}})
    for node in nodes:
        def ready():
            found = call(node, "GET", f"{ROOT}/collectionGroups/orders/indexes").get("indexes", [])
            return [index["state"] for index in found] == ["READY"]

        def active():
            return call(node, "GET", f"{ROOT}/collectionGroups/sessions/fields/at").get("ttlConfig", {}).get("state") == "ACTIVE"

        eventually("the index is ready", ready)
        eventually("the policy is active", active)
    with pytest.raises(urllib.error.HTTPError) as again:
        call(second, "POST", f"{ROOT}/collectionGroups/orders/indexes", {"queryScope": "COLLECTION", "fields": fields})
    assert again.value.code == 409


def test_one_node_delivers_events_and_another_one_continues(nodes, receiver):
    first, second = nodes
    # A new trigger begins at the present end of the log.
    numbers = iter(range(10_000))
    eventually("the trigger is there", lambda: put(first, f"orders/start{next(numbers)}", {}) and documents(receiver))
    for number in range(40):
        put(nodes[number % 2], f"orders/both{number}", {})
    eventually("all are delivered", lambda: {f"orders/both{number}" for number in range(40)} <= set(documents(receiver)))
    found = documents(receiver)
    assert len(found) == len(set(found)), "while both nodes live, each event is delivered once"
    for killed, other in kills(first, second):
        killed.kill()
        name = f"orders/without-{killed.name}"
        put(other, name, {})
        eventually("the other node delivers", lambda: name in documents(receiver))
        killed.start()


def test_one_node_deletes_what_has_expired_and_another_one_continues(nodes):
    first, second = nodes
    past = {"at": {"timestampValue": (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)).isoformat()}}
    call(first, "PATCH", f"{ROOT}/collectionGroups/sessions/fields/at?updateMask=ttlConfig", {"ttlConfig": {}})
    names = [f"sessions/both{number}" for number in range(40)]
    for number, name in enumerate(names):
        put(nodes[number % 2], name, past)
    eventually("all are deleted", lambda: not any(exists(second, name) for name in names))
    counts = [figure(node, "hearth_ttl_deleted_total") for node in nodes]
    assert sum(counts) == 40 and 0 in counts, counts
    for killed, other in kills(first, second):
        killed.kill()
        name = f"sessions/without-{killed.name}"
        put(other, name, past)
        eventually("the other node deletes it", lambda: not exists(other, name))
        killed.start()


def test_a_closed_database_gets_its_turn_from_a_node_that_never_had_it_open(server, binary):
    other = f"/v1/projects/{PROJECT}/databases/other-db"
    words = ["--development", "--no-console", "--project", PROJECT, "--ttl-interval", "1"]
    with Node(server.url, *words, binary=binary) as first:
        call(first, "PATCH", f"{other}/collectionGroups/sessions/fields/at?updateMask=ttlConfig", {"ttlConfig": {}})
        soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=5)
        call(first, "PATCH", f"{other}/documents/sessions/a", {"fields": {"at": {"timestampValue": soon.isoformat()}}})
        first.kill()
    with Node(server.url, *words, binary=binary) as second:
        # No call of this node is about the database.
        eventually("the document is deleted", lambda: figure(second, "hearth_ttl_deleted_total") == 1)
