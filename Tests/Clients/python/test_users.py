"""The official client as a user: an ID token of the server's own accounts decides, with the rules, what it may do."""

import itertools

import pytest
from google.api_core import exceptions
from google.cloud import firestore

from accounts import AccountServer, client
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
    match /rooms/{room} {
      allow read, write: if request.auth != null;
    }
    match /admin/{document} {
      allow read, write: if request.auth.token.admin == true;
    }
  }
}
"""
_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    rules = tmp_path_factory.mktemp("rules") / "firestore.rules"
    rules.write_text(RULES)
    server = AccountServer("--in-memory", "--rules", str(rules), "--auth-project", "demo-users")
    yield server
    stop(server.process)


@pytest.fixture
def sign_in(server, monkeypatch):
    """Signs a new user in anonymously: the client, and the user's account."""
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", server.address)
    project = f"demo-users-{next(_numbers)}"
    clients = []

    def sign_in(token=None, anonymous=False):
        account = None
        if token is None and not anonymous:
            account = server.call("signUp", returnSecureToken=True)[1]
            token = account["idToken"]
        clients.append(client(server.address, project, token))
        return clients[-1], account

    yield sign_in
    for db in clients:
        db.close()


def test_owners_read_and_write_and_others_do_not(sign_in):
    (alice, alice_account), (bob, bob_account) = sign_in(), sign_in()
    note = alice.document("notes/1")
    note.set({"owner": alice_account["localId"], "text": "mine"})
    assert note.get().to_dict()["text"] == "mine"
    note.update({"text": "changed"})
    for forbidden in (lambda: bob.document("notes/1").get(), lambda: bob.document("notes/1").update({"text": "x"}),
                      lambda: bob.document("notes/1").delete(), lambda: bob.document("notes/2").set({"owner": alice_account["localId"]})):
        with pytest.raises(exceptions.PermissionDenied):
            forbidden()
    batch = bob.batch()
    batch.set(bob.document("notes/3"), {"owner": bob_account["localId"]})
    batch.update(bob.document("notes/1"), {"text": "x"})
    with pytest.raises(exceptions.PermissionDenied):
        batch.commit()
    # Nothing of a refused batch is applied.
    bob.document("notes/3").set({"owner": bob_account["localId"], "text": "new"})
    assert bob.document("notes/3").get().to_dict()["text"] == "new"


def test_lists_are_proved_and_not_filtered(sign_in):
    alice, account = sign_in()
    alice.document("notes/1").set({"owner": account["localId"]})
    own = alice.collection("notes").where(filter=firestore.FieldFilter("owner", "==", account["localId"]))
    assert [note.id for note in own.stream()] == ["1"]
    assert own.count().get()[0][0].value == 1
    with pytest.raises(exceptions.PermissionDenied):
        list(alice.collection("notes").stream())


def test_without_a_token_rules_decide(sign_in):
    nobody, _ = sign_in(anonymous=True)
    with pytest.raises(exceptions.PermissionDenied):
        nobody.document("rooms/1").set({"a": 1})
    alice, _ = sign_in()
    alice.document("rooms/1").set({"a": 1})
    with pytest.raises(exceptions.PermissionDenied):
        nobody.document("rooms/1").get()


def test_a_transaction_and_a_listener_of_a_user(sign_in):
    alice, _ = sign_in()
    room = alice.document("rooms/1")
    room.set({"count": 1})
    listening = Listening(alice.collection("rooms"))
    try:
        listening.until({"1": {"count": 1}})

        @firestore.transactional
        def increment(transaction):
            transaction.update(room, {"count": room.get(transaction=transaction).to_dict()["count"] + 1})

        increment(alice.transaction())
        listening.until({"1": {"count": 2}})
    finally:
        listening.close()


def test_claims_of_the_token_decide(server, sign_in):
    _, user = server.call("signInWithCustomToken", token='{"uid": "root", "claims": {"admin": true}}', returnSecureToken=True)
    admin, _ = sign_in(user["idToken"])
    admin.document("admin/1").set({"a": 1})
    alice, _ = sign_in()
    with pytest.raises(exceptions.PermissionDenied):
        alice.document("admin/1").get()


def test_linking_keeps_the_user(server, sign_in):
    alice, account = sign_in()
    alice.document("rooms/1").set({"a": 1})
    assert server.call("update", idToken=account["idToken"], displayName="Alice")[0] == 200
    status, linked = server.call("signUp", idToken=account["idToken"], email="alice@example.com", password="secret1", returnSecureToken=True)
    assert status == 200 and linked["localId"] == account["localId"]


def test_the_token_of_a_disabled_user_is_refused(server, sign_in, monkeypatch):
    import firebase_admin
    from firebase_admin import auth

    alice, account = sign_in()
    alice.document("rooms/1").set({"a": 1})
    monkeypatch.setenv("FIREBASE_AUTH_EMULATOR_HOST", server.accounts)
    app = firebase_admin.initialize_app(options={"projectId": "demo-users"}, name=f"users-{next(_numbers)}")
    try:
        auth.update_user(account["localId"], disabled=True, app=app)
    finally:
        firebase_admin.delete_app(app)
    with pytest.raises(exceptions.Unauthenticated):
        alice.document("rooms/1").set({"a": 2})
