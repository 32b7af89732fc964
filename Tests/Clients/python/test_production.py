"""The official libraries against a server in production: tokens are verified, and what the emulators believe is refused."""

import base64
import itertools
import json
import time
import urllib.error
import urllib.request

import firebase_admin
import pytest
from firebase_admin import _utils, auth
from firebase_admin import exceptions as admin_exceptions
from google.api_core import exceptions
from google.cloud import firestore

from accounts import ProductionServer, client
from conftest import Listening, stop

pytestmark = pytest.mark.one_server("it starts a server of its own, with accounts")

RULES = """
rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /notes/{note} {
      allow create: if request.auth.uid == request.resource.data.owner;
      allow read, update, delete: if request.auth.uid == resource.data.owner;
    }
    match /rooms/{room} { allow read, write: if request.auth != null; }
  }
}
"""
_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = ProductionServer(tmp_path_factory.mktemp("production"), RULES)
    yield server
    stop(server.process)


@pytest.fixture
def connect(server, monkeypatch):
    """A client that sends a token, or none."""
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", server.address)
    clients = []

    def connect(token=None):
        clients.append(client(server.address, server.PROJECT, token))
        return clients[-1]

    yield connect
    for db in clients:
        db.close()


@pytest.fixture
def sign_up(server, connect):
    """Signs a new user up: the client, and the account."""

    def sign_up(**fields):
        status, account = server.call("signUp", returnSecureToken=True, **fields)
        assert status == 200, account
        return connect(account["idToken"]), account

    return sign_up


def _segment(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def _claims(token):
    payload = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))


def test_a_user_is_granted_and_refused_as_the_rules_say(sign_up, connect):
    (alice, alice_account), (bob, _) = sign_up(), sign_up()
    note = alice.document("notes/owned")
    note.set({"owner": alice_account["localId"], "text": "mine"})
    assert note.get().to_dict()["text"] == "mine"
    own = alice.collection("notes").where(filter=firestore.FieldFilter("owner", "==", alice_account["localId"]))
    assert [found.id for found in own.stream()] == ["owned"]
    nobody = connect()
    for forbidden in (lambda: bob.document("notes/owned").get(), lambda: bob.document("notes/owned").delete(),
                      lambda: nobody.document("notes/owned").get(), lambda: list(alice.collection("notes").stream())):
        with pytest.raises(exceptions.PermissionDenied) as denial:
            forbidden()
        # Why is for the log.
        assert "owner" not in str(denial.value) and "L" not in denial.value.message


def test_a_listener_of_a_user(sign_up):
    (alice, _), (bob, _) = sign_up(), sign_up()
    room = alice.document("rooms/listened")
    room.set({"count": 1})
    listening = Listening(bob.collection("rooms"))
    try:
        listening.until({"listened": {"count": 1}})
        room.update({"count": 2})
        listening.until({"listened": {"count": 2}})
    finally:
        listening.close()
    room.delete()


def test_tokens_that_prove_nothing_are_refused(server, sign_up, connect):
    alice, account = sign_up()
    alice.document("rooms/forged").set({"a": 1})
    token = account["idToken"]
    claims = _claims(token)
    header, payload, signature = token.split(".")
    forged = {
        "owner": "owner",
        "unsigned": f"{_segment({'alg': 'none', 'typ': 'JWT'})}.{payload}.",
        "unsigned, of the emulator": "{}.{}.".format(
            _segment({"alg": "none", "typ": "JWT"}),
            _segment({"iss": f"https://securetoken.google.com/{server.PROJECT}", "aud": server.PROJECT, "sub": "x", "user_id": "x",
                      "iat": int(time.time()), "exp": int(time.time()) + 3600})),
        "of another user": f"{header}.{_segment({**claims, 'sub': 'x', 'user_id': 'x'})}.{signature}",
        "a custom token": '{"uid": "x"}',
        "of no kind": "x",
    }
    for name, wrong in forged.items():
        with pytest.raises(exceptions.Unauthenticated):
            connect(wrong).document("rooms/forged").get()
            pytest.fail(name)
        with pytest.raises(exceptions.Unauthenticated):
            connect(wrong).document("rooms/forged").set({"a": 2})
    assert alice.document("rooms/forged").get().to_dict() == {"a": 1}
    # With the key the client is the administrator whom rules do not concern.
    assert connect(server.key).document("rooms/forged").get().to_dict() == {"a": 1}
    assert [room.id for room in connect(server.key).collection("rooms").stream()] == ["forged"]


def test_what_the_emulators_do_without_proof_is_refused(server):
    for method, port, path in (
            ("DELETE", server.address, f"emulator/v1/projects/{server.PROJECT}/databases/(default)/documents"),
            ("PUT", server.address, f"emulator/v1/projects/{server.PROJECT}:securityRules"),
            ("DELETE", server.accounts, f"emulator/v1/projects/{server.PROJECT}/accounts"),
            ("GET", server.accounts, f"emulator/v1/projects/{server.PROJECT}/oobCodes")):
        for token in (None, "owner"):
            headers = {"authorization": f"Bearer {token}"} if token else {}
            request = urllib.request.Request(f"http://{port}/{path}", data=b"{}" if method == "PUT" else None, headers=headers, method=method)
            with pytest.raises(urllib.error.HTTPError) as refusal:
                urllib.request.urlopen(request, timeout=30)
            assert refusal.value.code in (401, 403, 404), (method, path, token, refusal.value.code)
    # A custom token needs the operator's keys.
    status, answer = server.call("signInWithCustomToken", token='{"uid": "root"}', returnSecureToken=True)
    assert status == 400, answer


def _admin(server):
    return firebase_admin.initialize_app(options={"projectId": server.PROJECT}, name=f"production-{next(_numbers)}")


def test_firebase_admin_needs_the_key(server, sign_up, monkeypatch):
    monkeypatch.setenv("FIREBASE_AUTH_EMULATOR_HOST", server.accounts)
    app = _admin(server)
    try:
        # It presents itself as the emulator's owner.
        with pytest.raises(admin_exceptions.FirebaseError):
            auth.create_user(uid="intruder", app=app)
        with pytest.raises(admin_exceptions.FirebaseError):
            auth.list_users(app=app)
    finally:
        firebase_admin.delete_app(app)


def test_firebase_admin_with_the_key_ends_tokens(server, sign_up, connect, monkeypatch):
    monkeypatch.setenv("FIREBASE_AUTH_EMULATOR_HOST", server.accounts)
    start = _utils.EmulatorAdminCredentials.__init__

    def with_key(self):
        start(self)
        self.token = server.key

    monkeypatch.setattr(_utils.EmulatorAdminCredentials, "__init__", with_key)
    app = _admin(server)
    try:
        made = auth.create_user(email="carol@example.com", password="secret1", app=app)
        assert auth.get_user_by_email("carol@example.com", app=app).uid == made.uid
        status, account = server.call("signInWithPassword", email="carol@example.com", password="secret1", returnSecureToken=True)
        assert status == 200 and account["localId"] == made.uid
        carol = connect(account["idToken"])
        carol.document("rooms/carol").set({"a": 1})
        for end in (lambda uid: auth.update_user(uid, disabled=True, app=app), lambda uid: auth.delete_user(uid, app=app),
                    lambda uid: auth.revoke_refresh_tokens(uid, app=app), lambda uid: auth.update_user(uid, password="another1", app=app)):
            user, account = sign_up()
            user.document("rooms/ended").set({"a": 1})
            end(account["localId"])
            with pytest.raises(exceptions.Unauthenticated):
                user.document("rooms/ended").get()
        # Others are not concerned.
        assert carol.document("rooms/carol").get().to_dict() == {"a": 1}
    finally:
        firebase_admin.delete_app(app)
