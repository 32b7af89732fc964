"""Archives that lack something, and servers that begin where they should not."""

import os
import secrets
import shutil
import subprocess
import time
import urllib.error
import urllib.request

import pytest

from archive.served import DOCUMENTS, PROJECT, Server, hearth


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "archive").mkdir()
    return tmp_path


def write(server, name, number=1):
    return server.call("PATCH", f"{DOCUMENTS}/written/{name}", {"fields": {"n": {"integerValue": str(number)}}})


def refused(folder, *options):
    """What a server says that does not start."""
    done = subprocess.run(
        [os.environ["HEARTH_BINARY"], "serve", "--port", "0", "--project", PROJECT, "--archive", str(folder / "archive"), *options],
        capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "ready" not in done.stdout, done
    return done.stderr


def test_a_missing_piece_of_the_journal(folder):
    archive = str(folder / "archive")
    server = Server(str(folder / "data"), archive, "--archive-interval=50ms").start()
    for number in range(8):
        assert write(server, f"d{number}", number)[0] == 200
        time.sleep(0.3)
    server.stop()
    pieces = sorted((folder / "archive").glob("*/*/*/journal/*"))
    assert len(pieces) > 4
    whole = hearth("archive", "verify", archive).stdout
    assert ": sound, from " in whole
    # The last one as well: the archive says how far it reaches.
    for piece in [pieces[3], pieces[-1]]:
        kept = piece.read_bytes()
        piece.unlink()
        done = hearth("archive", "verify", archive, check=False)
        assert done.returncode == 1 and "missing" in done.stdout, done.stdout
        done = hearth("restore", archive, "--data", str(folder / "refused"), check=False)
        assert done.returncode == 2 and "--up-to-gap" in done.stderr and "missing" in done.stderr
        assert not list((folder / "refused").glob("*/*.sqlite"))
        done = hearth("follow", archive, "--data", str(folder / f"standby-{piece.name}"), "--once", check=False)
        assert done.returncode == 2 and "missing" in done.stderr
        data = str(folder / f"restored-{piece.name}")
        assert "left out: " in hearth("restore", archive, "--data", data, "--up-to-gap").stdout
        assert "incomplete: " in hearth("archive", "list", archive).stdout
        piece.write_bytes(kept)
    assert hearth("archive", "verify", archive).stdout == whole


def test_a_disk_that_is_not_mounted(folder):
    archive, data = str(folder / "archive"), folder / "data"
    server = Server(str(data), archive, "--archive-interval=50ms").start()
    assert write(server, "one")[0] == 200
    server.stop()
    data.rename(folder / "disk")
    for option in [["--archive-required"], []]:
        message = refused(folder, "--data", str(data), *option)
        assert "hearth restore" in message and "--archive-begin-anew" in message and "mount" in message
    # The disk goes away while the server does not run, and one database of it was put elsewhere.
    (folder / "disk").rename(data)
    server.start()
    path = f"projects/{PROJECT}/databases/other/documents/written/one"
    assert server.call("PATCH", path, {"fields": {"n": {"integerValue": "1"}}})[0] == 200
    server.stop()
    (data / PROJECT / "other.sqlite").unlink()
    server.start()
    status, answer = server.call("PATCH", path, {"fields": {"n": {"integerValue": "1"}}})
    assert status == 400 and "--archive-begin-anew" in answer["error"]["message"], answer
    assert write(server, "two")[0] == 200
    server.stop()
    anew = Server(str(data), archive, "--archive-interval=50ms", "--archive-begin-anew").start()
    assert anew.call("PATCH", path, {"fields": {"n": {"integerValue": "2"}}})[0] == 200
    anew.stop()
    assert ": sound, from " in hearth("archive", "verify", archive).stdout
    server.start()
    server.stop()


def test_another_key(folder):
    archive = str(folder / "archive")
    keys = []
    for name in ["one.key", "two.key"]:
        (folder / name).touch(mode=0o600)
        (folder / name).write_text(secrets.token_hex(32) + "\n")
        keys.append(["--archive-key", str(folder / name)])
    server = Server(str(folder / "data"), archive, *keys[0]).start()
    assert write(server, "one")[0] == 200
    server.stop()
    for key, message in [(keys[1], "another key"), ([], "is encrypted")]:
        assert message in refused(folder, "--data", str(folder / "data"), *key)
        for command in [["archive", "verify"], ["archive", "list"], ["restore"], ["follow"]]:
            data = ["--data", str(folder / "x")] if command[0] in ["restore", "follow"] else []
            done = hearth(*command, archive, *data, *key, check=False)
            assert done.returncode == 2 and message in done.stderr, done
    (folder / "plain").mkdir()
    plain = Server(str(folder / "plain-data"), str(folder / "plain")).start()
    assert write(plain, "one")[0] == 200
    plain.stop()
    done = subprocess.run(
        [os.environ["HEARTH_BINARY"], "serve", "--port", "0", "--data", str(folder / "plain-data"), "--archive", str(folder / "plain"),
         *keys[0]], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "is not encrypted" in done.stderr
    # A database of another archive between them hides no other.
    shutil.copytree(next((folder / "plain").glob(f"{PROJECT}/*")), folder / "archive" / PROJECT / "stranger")
    for command in [["archive", "verify"], ["archive", "list"], ["restore", "--all", "--data", str(folder / "all")]]:
        done = hearth(command[0], *command[1:2], archive, *command[2:], *keys[0], check=False)
        if command[0] == "restore":
            done = hearth("restore", archive, "--all", "--data", str(folder / "all2"), *keys[0], check=False)
        assert done.returncode == (1 if command[-1] == "verify" else 2), done
        assert "database (default)" in done.stdout and "stranger" in done.stdout + done.stderr, done
    assert list((folder / "all2").glob("*/_default.sqlite"))


def ready(server):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/readyz", timeout=10) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def test_an_archive_that_is_emptied_under_its_server(folder):
    archive = folder / "archive"
    server = Server(str(folder / "data"), str(archive), "--archive-interval=50ms", "--archive-required").start()
    assert write(server, "one")[0] == 200
    time.sleep(1)
    assert ready(server) == 200
    for entry in archive.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    # It is looked for every minute; nobody writes.
    deadline = time.time() + 150
    while not list(archive.glob("*/*/*/bases/*/done")):
        assert time.time() < deadline, server.log
        time.sleep(1)
    log = server.stop()
    assert "the archive" in log
    assert "restored 1 document" in hearth("restore", str(archive), "--data", str(folder / "restored")).stdout
    assert ": sound, from " in hearth("archive", "verify", str(archive)).stdout
