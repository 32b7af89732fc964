"""OT-41: our request and the official emulator's, field by field."""

import base64
import json
import re
import shutil
import socket
import subprocess
import time
import urllib.request

import pytest

from events.receiver import Receiver
from events.serving import ROOT, Server, eventually

# What the library of each side sends by itself.
TRANSPORT = {"accept", "accept-encoding", "connection", "content-length", "host", "user-agent"}
# Ours beside the emulator's.
OURS = {"hearth-delivery-attempt"}


def call(address, method, path, body=None):
    request = urllib.request.Request(
        f"http://{address}{path}", method=method, data=None if body is None else json.dumps(body).encode(),
        headers={"content-type": "application/json", "authorization": "Bearer owner"})
    return urllib.request.urlopen(request).read()


def change(address):
    """Creates, changes and deletes documents."""
    root = "/v1/projects/demo-events/databases/(default)/documents/orders"
    for name in ["plain", "with%20space", "gr%C3%B6%C3%9Fe"]:
        for value in [{"integerValue": "1"}, {"arrayValue": {"values": [{"nullValue": None}, {"mapValue": {"fields": {}}}]}}]:
            call(address, "PATCH", f"{root}/{name}", {"fields": {"x": value, "y": {"doubleValue": 0.5}}})
        call(address, "DELETE", f"{root}/{name}")


@pytest.fixture
def emulator():
    """The official emulator's address, and the receiver of its events."""
    if subprocess.run([ROOT / "dev" / "emulator", "--is-there"]).returncode != 0:
        pytest.skip("the official emulator is not installed")
    jar = subprocess.run(
        "dpkg -L google-cloud-cli-firestore-emulator | grep 'cloud-firestore-emulator.jar$'", shell=True, capture_output=True,
        text=True).stdout.strip()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with Receiver() as receiver:
        process = subprocess.Popen(
            [shutil.which("java"), "-Xmx512m", "-XX:+UseSerialGC", "-cp", jar,
             "com.google.cloud.datastore.emulator.firestore.CloudFirestore", "start", "--host=127.0.0.1", f"--port={port}",
             "--functions_emulator=" + receiver.url.removeprefix("http://")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            end = time.monotonic() + 60
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    assert time.monotonic() < end, "the emulator did not start"
                    time.sleep(0.1)
            yield f"127.0.0.1:{port}", receiver
        finally:
            process.terminate()
            process.wait()


def comparable(headers, body, ours):
    """An event without what differs each time."""
    headers = {name: value for name, value in headers.items() if name not in TRANSPORT | OURS}
    assert headers.pop("ce-id")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", headers.pop("ce-time"))
    source = headers.pop("ce-source")
    assert source == "//firestore.googleapis.com/projects/" + ("" if ours else "projects/") + "demo-events/databases/(default)"
    from google.events.cloud.firestore import DocumentEventData

    # The emulator sends the message as base64, and the service as it is.
    data = DocumentEventData.to_dict(DocumentEventData.deserialize(body if ours else base64.b64decode(body)))
    for name in ["value", "old_value"]:
        for time_name in ["create_time", "update_time"]:
            if data.get(name):
                assert data[name].pop(time_name)
    return headers, data


@pytest.mark.parametrize("kind", ["written", "created", "updated", "deleted"])
def test_like_the_emulator(emulator, tmp_path, kind):
    address, theirs = emulator
    call(address, "POST", "/emulator/v1/projects/demo-events/eventarcTrigger?eventarcTriggerId=t", {
        "eventType": f"google.cloud.firestore.document.v1.{kind}", "database": "(default)", "namespace": "(default)",
        "document": {"value": "orders/{id}", "matchType": "PATH_PATTERN"}})
    count = 9 if kind == "written" else 3
    change(address)
    eventually("the emulator has sent all", lambda: len(theirs.requests) >= count)
    with Receiver() as receiver:
        with Server(tmp_path, [{"name": "t", "document": "orders/{id}", "on": [kind], "url": receiver.url}]) as server:
            change(server.placed().address)
            eventually("all is sent", lambda: len(receiver.requests) >= count)

    def key(event):
        return event[0]["ce-document"], event[0]["ce-type"], str(event[1])

    expected = sorted((comparable(*request, False) for request in theirs.requests), key=key)
    found = sorted((comparable(*request, True) for request in receiver.requests), key=key)
    assert found == expected
