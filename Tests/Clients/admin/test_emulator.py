"""The official emulator reads what the admin API exports (OT-40)."""

import json
import socket
import subprocess
import time
import urllib.request

import pytest

from admin.served import ROOT

EMULATOR = ROOT / "dev" / "emulator"
pytestmark = pytest.mark.skipif(
    subprocess.run([EMULATOR, "--is-there"], stdout=subprocess.DEVNULL).returncode != 0,
    reason="the official emulator is not here (the package google-cloud-cli-firestore-emulator, and Java)")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def emulator():
    """The emulator with the documents of an export, as a function of its file of metadata."""
    running = []

    def start(metadata):
        port = free_port()
        running.append(subprocess.Popen(
            [EMULATOR, str(port), f"--seed_from_export={metadata}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        end = time.monotonic() + 90
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return f"http://127.0.0.1:{port}/v1"
            except OSError:
                assert running[-1].poll() is None, "the emulator has ended"
                time.sleep(0.1)
        raise AssertionError("the emulator does not answer")

    yield start
    for process in running:
        process.terminate()
        process.wait(20)


def test_the_emulator_imports_the_export(server, project, database, emulator):
    values = {
        "text": {"stringValue": "Dune"}, "year": {"integerValue": "1965"}, "price": {"doubleValue": 9.5},
        "bytes": {"bytesValue": "AAEC"}, "when": {"timestampValue": "2026-11-26T10:03:00.123456Z"},
        "place": {"geoPointValue": {"latitude": 1.5, "longitude": -2.5}}, "nothing": {"nullValue": None},
        "next": {"referenceValue": f"{database}/documents/books/b"},
        "list": {"arrayValue": {"values": [{"booleanValue": True}, {"stringValue": "x"}]}},
        "map": {"mapValue": {"fields": {"a": {"integerValue": "1"}}}},
    }
    server.write(database, "books/a", "books/a/pages/1", **values)
    server.write(database, "books/b", "films/c")
    name = f"emulator-{project}"
    server.until_done(server.good(
        "POST", f"{database}:exportDocuments", {"outputUriPrefix": f"gs://exports/{name}", "collectionIds": ["books", "pages"]}))
    metadata = next((server.bucket / name).glob("*.overall_export_metadata"))
    base = emulator(metadata)

    def seen(url):
        request = urllib.request.Request(url, headers={"Authorization": "Bearer owner"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())

    for path in ["books/a", "books/a/pages/1", "books/b"]:
        mine = server.good("GET", f"{database}/documents/{path}")
        assert seen(f"{base}/{database}/documents/{path}")["fields"] == mine["fields"]
    assert "documents" not in seen(f"{base}/{database}/documents/films")
