"""A `hearth serve` for the whole run, and a project of its own for every test, so that nothing is left over."""

import itertools
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = os.environ.get("HEARTH_BINARY", str(ROOT / ".build" / "debug" / "hearth"))
_numbers = itertools.count(1)


def start(arguments, folder):
    """Starts a server; returns the process and its address."""
    port_file = os.path.join(folder, f"port-{next(_numbers)}")
    process = subprocess.Popen(
        [BINARY, "serve", "--host", "127.0.0.1", "--port", "0", "--port-file", port_file, *arguments],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=sys.stderr)
    end = time.monotonic() + 60
    while not os.path.exists(port_file):
        if process.poll() is not None or time.monotonic() > end:
            process.kill()
            raise RuntimeError(f"hearth serve did not start: {process.poll()}")
        time.sleep(0.01)
    with open(port_file) as file:
        return process, f"127.0.0.1:{int(file.read())}"


def stop(process):
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture(scope="session")
def address(request):
    """Where the server is. HEARTH_ADDRESS names one that runs, --nodes asks for several nodes behind a proxy."""
    if request.config.getoption("nodes", None):
        os.environ["FIRESTORE_EMULATOR_HOST"] = given = request.getfixturevalue("served_nodes").address
        yield given
        return
    if given := os.environ.get("HEARTH_ADDRESS"):
        os.environ["FIRESTORE_EMULATOR_HOST"] = given
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="hearth-clients-") as folder:
        # A database for every test, and none is closed before the end.
        process, address = start(["--in-memory", "--max-databases", "1000"], folder)
        os.environ["FIRESTORE_EMULATOR_HOST"] = address
        yield address
        stop(process)


@pytest.fixture
def project(address):
    return f"project-{next(_numbers)}"


@pytest.fixture
def db(project):
    from google.cloud import firestore

    client = firestore.Client(project=project)
    yield client
    client.close()


@pytest.fixture
def fill(db):
    """Writes documents: fill("cities", a={"n": 1}, b={…})."""

    def fill(collection, **documents):
        batch = db.batch()
        for id, fields in documents.items():
            batch.set(db.collection(collection).document(id), fields)
        batch.commit()
        return db.collection(collection)

    return fill


class Listening:
    """Follows a reference or query as an application does, and waits for what it should show."""

    def __init__(self, target):
        self.changed = threading.Condition()
        self.snapshots = []
        self.watch = target.on_snapshot(self._called)

    def _called(self, documents, changes, read_time):
        with self.changed:
            shown = {doc.id: doc.to_dict() for doc in documents if doc.exists}
            kinds = [(change.type.name, change.document.id) for change in changes]
            self.snapshots.append((shown, kinds, read_time))
            self.changed.notify_all()

    def until(self, expected, seconds=20):
        """Waits until the documents shown are these; returns the changes of that snapshot."""
        end = time.monotonic() + seconds
        with self.changed:
            while not self.snapshots or self.snapshots[-1][0] != expected:
                if not self.changed.wait(end - time.monotonic()):
                    raise AssertionError(f"never showed {expected}; last: {self.snapshots[-1:]}")
            return self.snapshots[-1][1]

    def close(self):
        self.watch.unsubscribe()


@pytest.fixture
def listen():
    running = []

    def listen(target):
        running.append(Listening(target))
        return running[-1]

    yield listen
    for listening in running:
        listening.close()
