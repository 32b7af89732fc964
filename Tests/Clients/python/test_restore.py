"""A listener of the official library over a restore of its database (OT-1)."""

import os
import shutil
import subprocess

import pytest
from google.cloud import firestore

from conftest import BINARY, Listening, start, stop

pytestmark = pytest.mark.one_server("copies of files")

PROJECT = "demo-restore"


@pytest.mark.parametrize("way", ["command", "copy"])
def test_a_listener_shows_the_restored_database(tmp_path, monkeypatch, way):
    data, copy = tmp_path / "data", tmp_path / "copy.sqlite"
    file = data / PROJECT / "_default.sqlite"
    process, address = start(["--data", str(data)], str(tmp_path))
    port = address.split(":")[1]
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", address)
    db = firestore.Client(project=PROJECT)
    listening = None
    try:
        things = db.collection("c")
        things.document("a").set({"n": 1})
        stop(process)
        shutil.copy(file, copy)

        process, _ = start(["--data", str(data), "--port", port], str(tmp_path))
        things.document("b").set({"n": 1})
        things.document("a").set({"n": 2})
        listening = Listening(things)
        listening.until({"a": {"n": 2}, "b": {"n": 1}})
        stop(process)

        if way == "command":
            subprocess.run([BINARY, "restore", str(copy), "--data", str(data), "--replace"], check=True)
        else:
            shutil.copy(copy, file)
            for suffix in ("-wal", "-shm"):
                if os.path.exists(f"{file}{suffix}"):
                    os.remove(f"{file}{suffix}")
        # Before the listener can be there.
        process, elsewhere = start(["--data", str(data)], str(tmp_path))
        monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", elsewhere)
        other = firestore.Client(project=PROJECT)
        other.collection("c").document("d").set({"n": 1})
        other.close()
        stop(process)
        process, _ = start(["--data", str(data), "--port", port], str(tmp_path))
        # The library opens its stream again by itself, with the token of before.
        listening.until({"a": {"n": 1}, "d": {"n": 1}}, seconds=60)
    finally:
        if listening:
            listening.close()
        db.close()
        stop(process)
