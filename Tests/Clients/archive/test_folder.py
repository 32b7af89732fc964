"""OT-15: an archive in a folder whose disk is full, for reading only, or gone. Needs the right to mount; otherwise skipped."""

import os
import subprocess

import pytest

from archive.caller import CallFailed, Caller


def mount(*words):
    return subprocess.run(["mount", *map(str, words)], capture_output=True, check=False).returncode == 0


@pytest.fixture
def disk(tmp_path):
    """A disk of 256 KiB."""
    if not mount("-t", "tmpfs", "-o", "size=256k", "none", tmp_path):
        pytest.skip("file systems cannot be mounted here")
    yield tmp_path
    subprocess.run(["umount", "-l", tmp_path], capture_output=True, check=False)


def files(folder):
    return sorted(name for _, _, names in os.walk(folder) for name in names)


def test_a_full_disk_is_reported_and_leaves_nothing(disk):
    with Caller(disk) as caller:
        assert caller.put("a/small", b"x")
        with pytest.raises(CallFailed, match="free space") as failed:
            caller.put("a/large", b"x" * 400_000)
        assert failed.value.code == "resourceExhausted"
        assert files(disk) == [".hearth-archive", "small"]
        assert caller.get("a/large") is None
        assert caller.put("a/fits", b"x" * 100_000)


def test_a_disk_for_reading_only_is_read_and_not_written(disk):
    with Caller(disk) as caller:
        assert caller.put("a", b"x")
        assert mount("-o", "remount,ro", disk)
        assert caller.get("a") == b"x" and caller.list() == [("a", 1)]
        for call in [lambda: caller.put("b", b"x"), lambda: caller.delete("a")]:
            with pytest.raises(CallFailed, match="for reading only") as failed:
                call()
            assert failed.value.code == "failedPrecondition"


def test_objects_are_not_written_below_a_disk_that_is_gone(tmp_path_factory):
    place = tmp_path_factory.mktemp("mount")
    if not mount("-t", "tmpfs", "-o", "size=256k", "none", place):
        pytest.skip("file systems cannot be mounted here")
    with Caller(place) as caller:
        assert caller.put("a", b"x")
        subprocess.run(["umount", "-l", place], check=True)
        for call in [lambda: caller.put("b", b"x"), lambda: caller.get("a"), caller.list]:
            with pytest.raises(CallFailed, match="mounted") as failed:
                call()
            assert failed.value.code == "unavailable"
        assert files(place) == []
