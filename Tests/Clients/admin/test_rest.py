"""The forms of REST, callers, restarts (OT-27, OT-28, OT-29, OT-38, OT-40)."""

import time

import pytest

from admin.served import Server


def test_enumerations_come_as_names_and_as_numbers(server, database):
    for number, order in enumerate([1, "ASCENDING"]):
        index = {"queryScope": 2 if order == 1 else "COLLECTION_GROUP",
                 "fields": [{"fieldPath": "a", "order": order}, {"field_path": f"b{number}", "arrayConfig": 1}]}
        operation = server.good("POST", f"{database}/collectionGroups/books/indexes", index, {"$alt": "json;enum-encoding=int"})
        response = server.until_done(operation)["response"]
        assert response["queryScope"] == "COLLECTION_GROUP"
        assert response["fields"][1] == {"fieldPath": f"b{number}", "arrayConfig": "CONTAINS"}


def test_unknown_members_are_ignored_and_wrong_ones_are_named(server, database):
    path = f"{database}/collectionGroups/c/fields/f"
    field = {"ttlConfig": {}, "newerThanThis": {"deep": [1, {"a": 2}]}}
    server.good("PATCH", path, field, {"updateMask": "ttlConfig", "alt": "json", "$prettyPrint": "false"})
    status, answer = server.call("PATCH", path, {"ttlConfig": {"expirationOffset": "soon"}})
    assert (status, answer["error"]["status"]) == (400, "INVALID_ARGUMENT")
    assert "ttlConfig.expirationOffset" in answer["error"]["message"]
    for body in [b"{", b"[]", b'{"ttlConfig": 7}', b'{"name": {}}', b"\xff", b'{"indexConfig": {"indexes": {}}}']:
        assert server.refused("PATCH", path, body) == "INVALID_ARGUMENT", body
    assert server.refused("PATCH", path, {}, {"updateMask": "colour"}) == "INVALID_ARGUMENT"


@pytest.mark.parametrize("token", [None, "someone"])
def test_others_learn_nothing(server, database, token):
    """A token that is none fails as such; a caller without one is not an administrator."""
    expected = {"PERMISSION_DENIED"} if token is None else {"UNAUTHENTICATED"}
    answers = set()
    for name in [database, database + "x", "projects/nothing/databases/nothing"]:
        status, answer = server.call("GET", name, token=token)
        answers.add((answer["error"]["status"], answer["error"]["message"]))
    assert {status for status, _ in answers} == expected and len(answers) == 1


def test_a_deleted_database_comes_back(server, project, database):
    server.write(database, "books/a")
    before = server.good("GET", database)
    server.until_done(server.good("DELETE", database))
    assert server.refused("GET", database) == "NOT_FOUND"
    assert server.refused("GET", f"{database}/documents/books/a") == "NOT_FOUND"
    shown = server.good("GET", f"projects/{project}/databases", query={"showDeleted": "true"})["databases"]
    assert [(entry["uid"], entry["previousId"]) for entry in shown] == [(before["uid"], "(default)")]
    assert "deleteTime" in shown[0]
    server.good("POST", f"{database}:undelete")
    assert server.good("GET", database)["uid"] == before["uid"]
    assert server.ids(database, "books") == ["a"]


def test_another_database_under_the_same_name_is_another_one(server, project, database):
    first = server.good("GET", database)["uid"]
    server.write(database, "books/a")
    page = server.good("GET", f"{database}/documents/books", query={"pageSize": "1"})
    server.good("DELETE", database)
    server.good("POST", f"projects/{project}/databases", {}, {"databaseId": "(default)"})
    assert server.good("GET", database)["uid"] != first
    assert server.ids(database, "books") == []
    assert server.refused("POST", f"{database}:undelete") == "ALREADY_EXISTS"


def test_etags_protect(server, database):
    etag = server.good("GET", database)["etag"]
    server.good("PATCH", database, {"name": database, "deleteProtectionState": "DELETE_PROTECTION_ENABLED"},
                {"updateMask": "deleteProtectionState,name"})
    assert server.refused("DELETE", database, query={"etag": etag}) == "FAILED_PRECONDITION"
    assert server.refused("PATCH", database, {"etag": etag}, {"updateMask": "deleteProtectionState"}) == "FAILED_PRECONDITION"
    assert server.refused("DELETE", database) == "FAILED_PRECONDITION"


@pytest.mark.parametrize("uri, status", [
    ("gs://exports/a/../../b", "INVALID_ARGUMENT"), ("gs://exports//a", "INVALID_ARGUMENT"), ("gs://other/a", "NOT_FOUND"),
    ("file:///tmp/a", "INVALID_ARGUMENT"), ("", "INVALID_ARGUMENT"), ("gs://", "INVALID_ARGUMENT"), ("/etc", "INVALID_ARGUMENT"),
    ("gs://exports/link/a", "PERMISSION_DENIED"), ("gs://exports/./a", "INVALID_ARGUMENT")])
def test_exports_stay_in_their_buckets(server, database, tmp_path, uri, status):
    server.bucket.mkdir(exist_ok=True)
    link = server.bucket / "link"
    if not link.exists():
        link.symlink_to(tmp_path)
    assert server.refused("POST", f"{database}:exportDocuments", {"outputUriPrefix": uri}) == status
    assert server.refused("POST", f"{database}:importDocuments", {"inputUriPrefix": uri}) == status


def test_snapshots_are_of_whole_minutes_of_the_last_hour(server, database):
    def export(moment):
        return server.refused("POST", f"{database}:exportDocuments", {"outputUriPrefix": "gs://exports/never", "snapshotTime": moment})

    now = time.time()
    assert export(time.strftime("%Y-%m-%dT%H:%M:30Z", time.gmtime(now - 600))) == "INVALID_ARGUMENT"
    assert export(time.strftime("%Y-%m-%dT%H:%M:00Z", time.gmtime(now - 7200))) == "FAILED_PRECONDITION"
    assert export(time.strftime("%Y-%m-%dT%H:%M:00Z", time.gmtime(now + 600))) == "FAILED_PRECONDITION"


def test_an_export_is_that_of_the_command(server, database, tmp_path):
    import subprocess

    from admin.served import BINARY

    server.write(database, "books/a", "books/a/pages/1", "films/b")
    server.until_done(server.good("POST", f"{database}:exportDocuments", {"outputUriPrefix": f"gs://exports/same/{database.split('/')[1]}"}))
    mine = server.bucket / "same" / database.split("/")[1]
    other = tmp_path / "command"
    subprocess.run([BINARY, "export", "--server", server.address, "--project", database.split("/")[1], "--format", "emulator", other],
                   check=True)
    files = sorted(path.relative_to(other) for path in other.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(mine) for path in mine.rglob("*") if path.is_file())
    for file in files:
        assert (mine / file).read_bytes() == (other / file).read_bytes(), file


def test_the_export_of_the_emulator(server, database):
    import json
    import urllib.request

    server.write(database, "books/a")
    project = database.split("/")[1]

    def export(directory):
        body = json.dumps({"database": database, "export_directory": str(directory), "export_name": f"emulator-{project}"}).encode()
        request = urllib.request.Request(
            f"http://{server.address}/emulator/v1/projects/{project}:export", data=body, headers={"Authorization": "Bearer owner"})
        return urllib.request.urlopen(request, timeout=30).status

    assert export(server.bucket) == 200
    assert list((server.bucket / f"emulator-{project}").glob("*.overall_export_metadata"))
    with pytest.raises(Exception, match="403"):
        export("/tmp")


@pytest.mark.parametrize("kill", [False, True])
def test_operations_survive_a_restart(tmp_path, kill):
    server = Server(tmp_path, "--project", "p")
    try:
        database = "projects/p/databases/(default)"
        server.write(database, *(f"books/{number:05}" for number in range(2_000)))
        index = {"queryScope": "COLLECTION", "fields": [{"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "n", "order": "ASCENDING"}]}
        built = server.good("POST", f"{database}/collectionGroups/books/indexes", index)
        deleted = server.good("POST", f"{database}:bulkDeleteDocuments", {"collectionIds": ["books"]})
        server.stop(kill)
        server.start()
        assert "response" in server.until_done(built)
        deleted = server.until_done(deleted)
        count = int(deleted["metadata"].get("progressDocuments", {}).get("completedWork", 0))
        if "error" in deleted:
            assert deleted["error"]["code"] == 10 and str(count) in deleted["error"]["message"]
        else:
            assert count == 2_000
        # Cancelling what is over has no effect.
        server.good("POST", deleted["name"] + ":cancel", {})
        assert server.good("GET", deleted["name"]) == deleted
    finally:
        server.stop()


def test_a_bulk_delete_spares_what_came_later(server, database):
    server.write(database, *(f"books/{number:04}" for number in range(1_500)))
    operation = server.good("POST", f"{database}:bulkDeleteDocuments", {"collectionIds": ["books"]})
    server.write(database, "books/1499", "books/new", n={"integerValue": "2"})
    operation = server.until_done(operation)
    kept = server.ids(database, "books")
    assert "new" in kept and set(kept) <= {"new", "1499"}
    assert int(operation["metadata"]["progressDocuments"]["completedWork"]) >= 1_499
