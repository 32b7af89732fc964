"""Accounts, keys and rules in an archive, as operators and users meet them."""

import json
import re
import secrets
import shutil
import subprocess
import urllib.error
import urllib.request

import pytest

from archive.served import PROJECT, Server, hearth

RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /{document=**} { allow read, write: if request.auth != null; }
  }
}
"""


class AccountServer(Server):
    """A server in production, with accounts."""

    def start(self):
        super().start()
        self.accounts = re.search(r"accounts on (\S+) ", self.line).group(1)
        return self

    def post(self, path, body):
        form = isinstance(body, str)
        request = urllib.request.Request(
            f"http://{self.accounts}/{path}?key=fake", data=body.encode() if form else json.dumps(body).encode(),
            headers={"content-type": "application/x-www-form-urlencoded" if form else "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def sign_up(self, email):
        body = {"email": email, "password": "secret1", "returnSecureToken": True}
        status, account = self.post("identitytoolkit.googleapis.com/v1/accounts:signUp", body)
        assert status == 200, account
        return account

    def refresh(self, account):
        body = f"grant_type=refresh_token&refresh_token={account['refreshToken']}"
        return self.post("securetoken.googleapis.com/v1/token", body)

    def read(self, token):
        """A call with an ID token."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/v1/projects/{PROJECT}/databases/(default)/documents/written",
            headers={"authorization": f"Bearer {token}"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code


@pytest.fixture
def place(tmp_path):
    (tmp_path / "archive").mkdir()
    (tmp_path / "app.rules").write_text(RULES)
    for name, content in [("admin.key", secrets.token_urlsafe(32)), ("archive.key", secrets.token_hex(32))]:
        (tmp_path / name).touch(mode=0o600)
        (tmp_path / name).write_text(content + "\n")
    return tmp_path


def server(place, data, *options):
    return AccountServer(
        str(place / data), str(place / "archive"), "--rules", str(place / "app.rules"), "--admin-key-file", str(place / "admin.key"),
        "--auth", "0", "--auth-project", PROJECT, "--auth-url", "https://auth.example.com", "--auth-providers", "password", *options)


def test_users_of_a_lost_machine_stay_signed_in(place):
    # OT-18
    key = ["--archive-key", str(place / "archive.key")]
    archive = str(place / "archive")
    first = server(place, "data", *key).start()
    ann = first.sign_up("ann@example.com")
    assert first.read(ann["idToken"]) == 200
    first.stop()
    # A server that starts archives what there is; this one is not ended cleanly.
    first.start()
    listed = hearth("archive", "list", archive, *key).stdout
    assert f"accounts of project {PROJECT}" in listed and "configuration of the server" in listed
    first.kill()
    shutil.rmtree(place / "data")
    restored = hearth("restore", archive, "--all", "--data", str(place / "new"), *key).stdout
    assert "accounts.sqlite, signing-key.pem" in restored and "admin.key, app.rules" in restored, restored
    assert (place / "new" / "hearth.configuration" / "admin.key").read_text() == (place / "admin.key").read_text()
    assert (place / "new" / "hearth.configuration" / "app.rules").read_text() == RULES
    second = server(place, "new", *key).start()
    assert second.read(ann["idToken"]) == 200
    status, refreshed = second.refresh(ann)
    assert status == 200, refreshed
    assert second.read(refreshed["id_token"]) == 200
    second.sign_up("bob@example.com")
    second.stop()
    assert f"accounts of project {PROJECT}: sound" in hearth("archive", "verify", archive, *key).stdout
    # Not over what is there.
    again = hearth("restore", archive, "--all", "--replace", "--data", str(place / "new"), *key).stdout
    assert f"the accounts of project {PROJECT} stay as they are" in again


def test_an_archive_that_is_not_encrypted_has_no_keys(place):
    archive = str(place / "archive")
    first = server(place, "data").start()
    ann = first.sign_up("ann@example.com")
    first.stop()
    assert not (place / "archive" / "+configuration").exists()
    standby = hearth("follow", archive, "--data", str(place / "standby"), "--once").stdout
    assert f"accounts of project {PROJECT}: as of" in standby
    shutil.rmtree(place / "data")
    second = server(place, "standby").start()
    # Signed with a key that is lost.
    assert second.read(ann["idToken"]) == 401
    status, refreshed = second.refresh(ann)
    assert status == 200, refreshed
    assert second.read(refreshed["id_token"]) == 200
    second.stop()


def test_accounts_of_one_project_are_restored_with_it(place):
    archive = str(place / "archive")
    first = server(place, "data").start()
    first.sign_up("ann@example.com")
    first.stop()
    restored = hearth("restore", archive, "--all", "--project", PROJECT, "--data", str(place / "new")).stdout
    assert f"restored the accounts of project {PROJECT}" in restored
    renamed = hearth("restore", archive, "--all", "--as-project", "demo-other", "--data", str(place / "other")).stdout
    assert "are not restored: their users belong to that project" in renamed
    planned = hearth("restore", archive, "--all", "--dry-run", "--data", str(place / "planned")).stdout
    assert f"accounts of project {PROJECT}" in planned and not (place / "planned" / "hearth.accounts").exists()
