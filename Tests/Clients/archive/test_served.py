"""Servers with an archive, as their operators use them."""

import os
import secrets
import signal
import subprocess
import time

import pytest

from archive.disturbed import Disturbance
from archive.served import DOCUMENTS, PROJECT, Server, hearth

ROUNDS = 100 if os.environ.get("HEARTH_FULL") else 4


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "archive").mkdir()
    return tmp_path


def write(server, name, number=1):
    status, body = server.call("PATCH", f"{DOCUMENTS}/written/{name}", {"fields": {"n": {"integerValue": str(number)}}})
    assert status == 200, body


def test_kills_and_lost_machines(folder):
    # OT-10, OT-18
    run = Disturbance(str(folder / "archive"), folder, seed=3, options=["--archive-interval=200ms", "--archive-base-bytes=100000"])
    for number in range(ROUNDS):
        run.round(number)
    run.check_moments(2)
    run.server.stop()
    assert ": sound, from " in run.verify()


def test_the_same_in_an_encrypted_bucket(folder, bucket, endpoint):
    # OT-15, OT-22
    key = folder / "archive.key"
    key.write_text(secrets.token_hex(32) + "\n")
    key.chmod(0o600)
    access = ["--archive-endpoint", endpoint, "--archive-key", str(key)]
    environment = {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing"}
    place = f"s3://{bucket}/hearth"
    run = Disturbance(place, folder, 5, ["--archive-interval=200ms"], access, environment)
    for number in range(max(2, ROUNDS // 10)):
        run.round(number)
    run.server.stop()
    assert ": sound, from " in run.verify()
    other = folder / "other.key"
    other.write_text(secrets.token_hex(32) + "\n")
    other.chmod(0o600)
    refused = hearth("archive", "verify", place, *access[:2], "--archive-key", str(other), check=False, environment=environment)
    assert refused.returncode in (1, 2) and "key" in refused.stdout + refused.stderr


def test_a_clean_stop_archives_everything(folder):
    # OT-18
    server = Server(str(folder / "data"), str(folder / "archive"), "--archive-interval=30s").start()
    for number in range(20):
        write(server, f"d{number}", number)
    assert "lacks the last commits" not in server.stop()
    hearth("restore", str(folder / "archive"), "--data", str(folder / "new"))
    server = Server(str(folder / "new"), str(folder / "archive")).start()
    assert server.documents("written") == {f"d{number}": number for number in range(20)}
    server.stop()


def test_an_earlier_server_that_comes_back_does_not_archive(folder):
    # OT-17
    archive = str(folder / "archive")
    old = Server(str(folder / "old"), archive, "--archive-interval=200ms").start()
    write(old, "before")
    time.sleep(1)
    hearth("restore", archive, "--data", str(folder / "new"))
    new = Server(str(folder / "new"), archive, "--archive-interval=200ms").start()
    write(new, "new")
    time.sleep(1.5)
    write(old, "lost")
    deadline = time.time() + 10
    while not any("archiving ends" in line for line in old.log):
        assert time.time() < deadline, old.log
        time.sleep(0.1)
    old.stop()
    old.start()
    write(old, "lost-too")
    time.sleep(1)
    old.stop()
    new.stop()
    hearth("restore", archive, "--data", str(folder / "restored"))
    restored = Server(str(folder / "restored"), archive).start()
    assert set(restored.documents("written")) == {"before", "new"}
    restored.stop()


def test_a_standby_takes_over(folder):
    # OT-23
    archive, standby = str(folder / "archive"), str(folder / "standby")
    server = Server(str(folder / "data"), archive, "--archive-interval=200ms").start()
    write(server, "one")
    time.sleep(2)
    follower = subprocess.Popen(
        [os.environ["HEARTH_BINARY"], "follow", archive, "--data", standby, "--interval", "100ms"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert "following" in follower.stdout.readline()
    write(server, "two")
    # A second process may not use the directory meanwhile.
    refused = hearth("serve", "--data", standby, "--port", "0", check=False)
    assert refused.returncode == 2 and "served by another process" in refused.stderr
    time.sleep(2)
    server.kill()
    follower.send_signal(signal.SIGTERM)
    assert follower.wait(timeout=20) == 0, follower.stderr.read()
    promoted = Server(standby, archive, "--archive-interval=200ms").start()
    assert set(promoted.documents("written")) == {"one", "two"}
    write(promoted, "three")
    promoted.stop()
    hearth("restore", archive, "--data", str(folder / "restored"))
    refused = hearth("follow", archive, "--data", standby, "--once", check=False)
    assert refused.returncode == 2 and "already" in refused.stderr


def database(server, name, body=None):
    """Creates a database, or deletes one."""
    path = f"projects/{PROJECT}/databases"
    if body is None:
        status, answer = server.call("DELETE", f"{path}/{name}")
    else:
        status, answer = server.call("POST", f"{path}?databaseId={name}", body)
    assert status == 200, answer


def put(server, name, number):
    path = f"projects/{PROJECT}/databases/{name}/documents/written/one"
    status, body = server.call("PATCH", path, {"fields": {"n": {"integerValue": str(number)}}})
    assert status == 200, body


def got(server, name):
    status, body = server.call("GET", f"projects/{PROJECT}/databases/{name}/documents/written/one")
    return int(body["fields"]["n"]["integerValue"]) if status == 200 else status


def test_a_standby_of_many_databases(folder):
    # OT-23: one that appears later, one that is deleted, one that is deleted and made again.
    archive, standby = str(folder / "archive"), str(folder / "standby")
    server = Server(str(folder / "data"), archive, "--archive-interval=200ms").start()
    for name in ["first", "gone", "again"]:
        database(server, name, {})
        put(server, name, 1)
    hearth("follow", archive, "--data", standby, "--once")
    follower = subprocess.Popen(
        [os.environ["HEARTH_BINARY"], "follow", archive, "--data", standby, "--interval", "100ms"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert "following" in follower.stdout.readline()
    for name in ["gone", "again"]:
        database(server, name)
    for name in ["again", "later"]:
        database(server, name, {})
        put(server, name, 2)
    put(server, "first", 3)
    server.stop()
    # New databases are looked for every half a minute; a follower that starts looks first.
    follower.send_signal(signal.SIGTERM)
    assert follower.wait(timeout=20) == 0, follower.stderr.read()
    assert "deleted at" in hearth("archive", "list", archive, "--database", "gone").stdout
    hearth("follow", archive, "--data", standby, "--once")
    restored = hearth("restore", archive, "--data", str(folder / "restored"), "--all").stdout
    assert "not restored: database gone" in restored
    for data in [standby, str(folder / "restored")]:
        promoted = Server(data, archive, "--strict").start()
        assert [got(promoted, name) for name in ["first", "again", "later", "gone"]] == [3, 2, 2, 404]
        promoted.stop()
    hearth("restore", archive, "--data", str(folder / "restored"), "--database", "gone")
    assert ": sound, from " in hearth("archive", "verify", archive).stdout


def test_a_server_that_needs_its_archive_accepts_no_writes_without_the_lease(folder):
    # OT-17
    archive = str(folder / "archive")
    options = ["--archive-interval=200ms", "--archive-required"]
    old = Server(str(folder / "old"), archive, *options).start()
    write(old, "before")
    time.sleep(1)
    hearth("restore", archive, "--data", str(folder / "new"))
    new = Server(str(folder / "new"), archive, *options).start()
    write(new, "new")
    path = f"{DOCUMENTS}/written/late"
    deadline = time.time() + 20
    # Without a commit it notices by itself.
    while (answer := old.call("PATCH", path, {"fields": {"n": {"integerValue": "1"}}}))[0] == 200:
        assert time.time() < deadline
        time.sleep(0.2)
    status, body = answer
    assert status == 503 and "another server has taken over this database" in body["error"]["message"]
    assert "before" in old.documents("written")
    old.stop()
    # Not a single write after a restart either.
    old.start()
    assert old.call("PATCH", path, {"fields": {"n": {"integerValue": "1"}}})[0] == 503
    assert old.call("DELETE", f"{DOCUMENTS}/written/before")[0] == 503
    assert "before" in old.documents("written")
    old.stop()
    write(new, "after")
    new.stop()


@pytest.mark.parametrize(
    "options, message",
    [
        (["--archive", "missing"], "missing"),
        (["--archive", "ftp://place"], "this kind of place is not known"),
        (["--archive", "archive", "--in-memory"], "needs --data"),
        (["--archive-keep", "3d"], "has no effect without --archive"),
        (["--archive", "archive", "--data", "d", "--archive-keep", "3"], "a number with a unit"),
        (["--archive", "archive", "--data", "d", "--archive-interval", "1ms"], "must lie between"),
        (["--archive", "archive", "--store", "postgres://localhost/x"], "is its own"),
    ],
)
def test_settings_that_cannot_be(folder, options, message):
    data = [] if {"--data", "--in-memory", "--store"} & set(options) else ["--data", "d"]
    done = subprocess.run(
        [os.environ["HEARTH_BINARY"], "serve", "--port", "0", *options, *data], cwd=folder, capture_output=True, text=True, timeout=30)
    assert done.returncode == 2
    assert message in done.stderr, done.stderr


def test_questions_about_an_archive(folder):
    archive = str(folder / "archive")
    for arguments, message in [
        (["restore", archive, "--list"], "the archive is empty"),
        (["archive", "list", str(folder / "missing")], "missing"),
        (["restore", archive, "--data", "x", "--at", "yesterday"], "--at must be a time"),
        (["restore", __file__, "--data", "x", "--at", "2026-01-01T00:00:00Z"], "is for an archive"),
    ]:
        done = hearth(*arguments, check=False)
        assert done.returncode == 2 and message in done.stderr, done.stderr
    server = Server(str(folder / "data"), archive).start()
    write(server, "one")
    server.stop()
    assert "copy of" in hearth("restore", archive, "--list").stdout
    assert "copy of" in hearth("restore", archive, "--data", str(folder / "x"), "--dry-run").stdout
    assert not list((folder / "x").glob("*/*.sqlite"))
    done = hearth("restore", archive, "--project", "other", "--data", "x", check=False)
    assert done.returncode == 2 and "demo-archive" in done.stderr
    done = hearth("restore", archive, "--data", str(folder / "data"), check=False)
    assert done.returncode == 2 and "--replace" in done.stderr
