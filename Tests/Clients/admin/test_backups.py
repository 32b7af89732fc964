"""Backups, restores, clones: the Python admin client over gRPC and REST, gcloud, the command (OP-60, OP-43, OT-24 to OT-26)."""

import datetime
import json
import os
import subprocess
import time

import pytest
from google.api_core import exceptions
from google.cloud.firestore_admin_v1.types import (
    Backup, BackupSchedule, CloneDatabaseRequest, DailyRecurrence, Database, PitrSnapshot, RestoreDatabaseRequest, WeeklyRecurrence)
from google.protobuf import duration_pb2, field_mask_pb2
from google.type import dayofweek_pb2

from admin.served import BINARY, Server

DAY = datetime.timedelta(days=1)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with an archive."""
    folder = tmp_path_factory.mktemp("backups")
    (folder / "archive").mkdir()
    server = Server(folder, "--strict", "--archive", str(folder / "archive"))
    yield server
    server.stop()


def retention(days):
    return duration_pb2.Duration(seconds=days * 86_400)


def ready(list_backups, seconds=60):
    """The backups, when the first one is ready."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = list(list_backups())
        if found and all((backup["state"] if isinstance(backup, dict) else backup.state.name) == "READY" for backup in found):
            return found
        time.sleep(0.05)
    raise AssertionError("there is no backup")


def test_a_database_is_scheduled_backed_up_and_restored(client, server, project, database):
    server.write(database, "books/a", "books/b")
    schedule = client.create_backup_schedule(
        parent=database, backup_schedule=BackupSchedule(retention=retention(7), daily_recurrence=DailyRecurrence()))
    assert schedule.retention == 7 * DAY and "daily_recurrence" in schedule
    weekly = client.create_backup_schedule(
        parent=database, backup_schedule=BackupSchedule(
            retention=retention(98), weekly_recurrence=WeeklyRecurrence(day=dayofweek_pb2.DayOfWeek.SUNDAY)))
    assert {entry.name for entry in client.list_backup_schedules(parent=database).backup_schedules} == {schedule.name, weekly.name}
    changed = client.update_backup_schedule(
        backup_schedule=BackupSchedule(name=schedule.name, retention=retention(3)),
        update_mask=field_mask_pb2.FieldMask(paths=["retention"]))
    assert client.get_backup_schedule(name=schedule.name) == changed and changed.retention == 3 * DAY
    client.delete_backup_schedule(name=weekly.name)

    place = f"projects/{project}/locations"
    backup = ready(lambda: client.list_backups(parent=f"{place}/-").backups)[0]
    assert client.get_backup(name=backup.name) == backup
    assert (backup.database, backup.stats.document_count, backup.state) == (database, 2, Backup.State.READY)
    assert backup.name.startswith(f"{place}/here/backups/")
    assert [entry.name for entry in client.list_backups(parent=f"{place}/here").backups] == [backup.name]

    operation = client.restore_database(
        RestoreDatabaseRequest(parent=f"projects/{project}", database_id="restored", backup=backup.name))
    restored = operation.result(timeout=60)
    assert (restored.name, restored.location_id) == (f"projects/{project}/databases/restored", "here")
    assert restored.source_info.backup.backup == backup.name
    assert operation.metadata.progress_percentage.completed_work == 100
    assert server.ids(restored.name, "books") == ["a", "b"]
    with pytest.raises((exceptions.AlreadyExists, exceptions.Conflict)):
        client.restore_database(RestoreDatabaseRequest(parent=f"projects/{project}", database_id="restored", backup=backup.name))

    client.delete_backup(name=backup.name)
    with pytest.raises(exceptions.NotFound):
        client.get_backup(name=backup.name)


@pytest.fixture(scope="module")
def past(server):
    """A database, and a minute at which it had book a and not book b."""
    database = "projects/past/databases/(default)"
    server.good("POST", "projects/past/databases", {"locationId": "here"}, {"databaseId": "(default)"})
    server.write(database, "books/a")
    # The archive has a copy from before the minute.
    archive = server.folder / "archive"
    while not list(archive.rglob("done")):
        time.sleep(0.05)
    minute = (int(time.time()) // 60 + 1) * 60
    while time.time() < minute + 0.1:
        time.sleep(0.05)
    server.write(database, "books/b")
    return database, datetime.datetime.fromtimestamp(minute, datetime.timezone.utc)


def test_a_clone_shows_the_minute(client, server, past, request):
    database, minute = past
    name = f"clone-{request.node.callspec.id}"

    def clone(moment, name=name):
        return client.clone_database(CloneDatabaseRequest(
            parent="projects/past", database_id=name, pitr_snapshot=PitrSnapshot(database=database, snapshot_time=moment)))

    assert clone(minute).result(timeout=60).name == f"projects/past/databases/{name}"
    assert server.ids(f"projects/past/databases/{name}", "books") == ["a"]
    bad = (exceptions.InvalidArgument, exceptions.FailedPrecondition, exceptions.BadRequest)
    for moment in [minute + datetime.timedelta(seconds=30), minute - 2 * DAY, minute + DAY]:
        with pytest.raises(bad):
            clone(moment, "never")
    with pytest.raises((exceptions.AlreadyExists, exceptions.Conflict)):
        clone(minute)


def test_recovery_to_a_point_in_time_is_a_setting(client, server, past):
    database, _ = past
    mask = field_mask_pb2.FieldMask(paths=["point_in_time_recovery_enablement"])
    for state, hours in [("ENABLED", 168), ("DISABLED", 1)]:
        wanted = Database.PointInTimeRecoveryEnablement[f"POINT_IN_TIME_RECOVERY_{state}"]
        changed = client.update_database(
            database=Database(name=database, point_in_time_recovery_enablement=wanted), update_mask=mask).result(timeout=30)
        assert changed.point_in_time_recovery_enablement == wanted
        assert changed.version_retention_period == datetime.timedelta(hours=hours)
        assert changed.earliest_version_time < datetime.datetime.now(datetime.timezone.utc)


def test_gcloud(gcloud, server, project, database):
    server.write(database, "books/a")
    created = gcloud("backups", "schedules", "create", "--database=(default)", "--recurrence=daily", "--retention=7d")
    schedule = created["name"].rsplit("/", 1)[1]
    # On another day than today, on which it would make a backup of its own.
    day = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=3)).strftime("%a").upper()
    gcloud("backups", "schedules", "create", "--database=(default)", "--recurrence=weekly", f"--day-of-week={day}", "--retention=14w")
    assert len(gcloud("backups", "schedules", "list", "--database=(default)")) == 2
    updated = gcloud("backups", "schedules", "update", "--database=(default)", f"--backup-schedule={schedule}", "--retention=3d")
    assert updated["retention"] == "259200s"
    described = gcloud("backups", "schedules", "describe", "--database=(default)", f"--backup-schedule={schedule}")
    assert described["name"] == created["name"]
    backup = ready(lambda: gcloud("backups", "list"))[0]
    identifier = backup["name"].rsplit("/", 1)[1]
    assert gcloud("backups", "describe", f"--backup={identifier}", "--location=here")["database"] == database
    changed = gcloud("databases", "update", "--database=(default)", "--enable-pitr")
    assert changed["response"]["pointInTimeRecoveryEnablement"] == "POINT_IN_TIME_RECOVERY_ENABLED"
    gcloud("databases", "restore", f"--source-backup={backup['name']}", "--destination-database=restored")
    server.until_done(server.good("GET", f"projects/{project}/databases/restored/operations")["operations"][0])
    assert server.ids(f"projects/{project}/databases/restored", "books") == ["a"]
    gcloud("backups", "delete", f"--backup={identifier}", "--location=here", "--quiet")
    assert gcloud("backups", "list") == []
    gcloud("backups", "schedules", "delete", "--database=(default)", f"--backup-schedule={schedule}", "--quiet")
    assert len(gcloud("backups", "schedules", "list", "--database=(default)")) == 1


def test_the_command(server, project, database, past):
    def hearth(*words, project=project):
        done = subprocess.run(
            [BINARY, *words, "--server", server.address, "--project", project], capture_output=True, text=True, timeout=60,
            env={**os.environ, "COLUMNS": "200"})
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    server.write(database, "books/a")
    json.loads(hearth("backups", "schedules", "create", "--daily", "--retention", "7d"))
    weekly = json.loads(hearth("backups", "schedules", "create", "--weekly", "sunday", "--retention", "98d"))
    identifier = weekly["name"].rsplit("/", 1)[1]
    hearth("backups", "schedules", "update", identifier, "--retention", "1d")
    assert "weekly on sunday" in hearth("backups", "schedules", "list", "--output", "table")
    hearth("backups", "schedules", "delete", identifier)
    backup = ready(lambda: server.good("GET", f"projects/{project}/locations/-/backups").get("backups", []))[0]
    backup = backup["name"].rsplit("/", 1)[1]
    assert backup in hearth("backups", "list", "--output", "table")
    assert json.loads(hearth("backups", "show", backup))["database"] == database
    hearth("backups", "restore", backup, "restored")
    assert server.ids(f"projects/{project}/databases/restored", "books") == ["a"]
    hearth("backups", "delete", backup)
    assert hearth("databases", "update", "--point-in-time-recovery").count("POINT_IN_TIME_RECOVERY_ENABLED") == 1

    source, minute = past
    hearth("databases", "clone", "before", "--at", minute.strftime("%Y-%m-%dT%H:%M:%SZ"), project="past")
    assert server.ids("projects/past/databases/before", "books") == ["a"]


def test_a_restore_that_is_killed_leaves_no_database(server, project, database):
    server.write(database, *(f"books/{number}" for number in range(2_000)))
    server.good("POST", f"{database}/backupSchedules", {"dailyRecurrence": {}, "retention": "604800s"})
    backup = ready(lambda: server.good("GET", f"projects/{project}/locations/-/backups").get("backups", []))[0]

    def restore(name):
        return server.good("POST", f"projects/{project}/databases:restore", {"backup": backup["name"], "databaseId": name})

    for number in range(3):
        # The second attempt has the name of the first.
        name = f"restored-{number // 2}"
        if server.call("GET", f"projects/{project}/databases/{name}")[0] != 200:
            restore(name)
        time.sleep(0.1 * number)
        server.stop(kill=True)
        server.start()
        status, answer = server.call("GET", f"projects/{project}/databases/{name}")
        assert status == 200 or answer["error"]["status"] == "NOT_FOUND", answer
        assert (status == 200) == (server.data / project / f"{name}.sqlite").exists()
    server.until_done(restore("whole"))
    assert server.good("GET", f"projects/{project}/databases/whole")["sourceInfo"]["backup"]["backup"] == backup["name"]
    assert len(server.ids(f"projects/{project}/databases/whole", "books")) == 300  # a page
