"""The official server library of Firebase Authentication, firebase-admin, against the accounts of a server."""

import base64
import datetime
import itertools

import firebase_admin
import pytest
from firebase_admin import auth, exceptions

from accounts import AccountServer
from conftest import stop

pytestmark = pytest.mark.one_server("it starts a server of its own, with accounts")

_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def server():
    server = AccountServer("--in-memory", "--auth-project", "demo-main")
    yield server
    stop(server.process)


@pytest.fixture
def app(server, monkeypatch):
    """An administrator of the default project, without accounts."""
    monkeypatch.setenv("FIREBASE_AUTH_EMULATOR_HOST", server.accounts)
    app = firebase_admin.initialize_app(options={"projectId": "demo-main"}, name=f"app-{next(_numbers)}")
    auth.delete_users([user.uid for user in auth.list_users(app=app).iterate_all()], app=app) if auth.list_users(app=app).users else None
    yield app
    firebase_admin.delete_app(app)


def test_create_get_update_and_delete(app):
    made = auth.create_user(
        uid="alice", email="Alice@Example.com", password="secret1", display_name="Alice", phone_number="+15555550100",
        photo_url="https://example.com/alice.png", app=app)
    assert (made.uid, made.email, made.display_name, made.email_verified, made.disabled) == ("alice", "alice@example.com", "Alice", False, False)
    for user in (auth.get_user("alice", app=app), auth.get_user_by_email("alice@example.com", app=app),
                 auth.get_user_by_phone_number("+15555550100", app=app)):
        assert user.uid == "alice" and user.photo_url == "https://example.com/alice.png"
        assert {provider.provider_id for provider in user.provider_data} == {"password", "phone"}
        assert user.user_metadata.creation_timestamp > 1_700_000_000_000
    changed = auth.update_user("alice", display_name=auth.DELETE_ATTRIBUTE, phone_number=auth.DELETE_ATTRIBUTE, email_verified=True, app=app)
    assert changed.display_name is None and changed.phone_number is None and changed.email_verified
    assert auth.update_user("alice", disabled=True, app=app).disabled
    auth.delete_user("alice", app=app)
    with pytest.raises(auth.UserNotFoundError):
        auth.get_user("alice", app=app)
    with pytest.raises(auth.UserNotFoundError):
        auth.delete_user("alice", app=app)


def test_errors_equal_those_that_the_library_defines(app):
    auth.create_user(uid="bob", email="bob@example.com", phone_number="+15555550101", app=app)
    with pytest.raises(auth.EmailAlreadyExistsError):
        auth.create_user(email="bob@example.com", app=app)
    with pytest.raises(auth.UidAlreadyExistsError):
        auth.create_user(uid="bob", app=app)
    with pytest.raises(auth.PhoneNumberAlreadyExistsError):
        auth.create_user(phone_number="+15555550101", app=app)
    with pytest.raises(auth.UserNotFoundError):
        auth.update_user("nobody", display_name="x", app=app)
    with pytest.raises(auth.UserNotFoundError):
        auth.get_user_by_email("nobody@example.com", app=app)


def test_list_is_paged_and_complete(app):
    uids = {f"user-{number:03}" for number in range(25)}
    for uid in uids:
        auth.create_user(uid=uid, app=app)
    page = auth.list_users(max_results=10, app=app)
    assert len(page.users) == 10 and page.has_next_page
    assert {user.uid for user in page.iterate_all()} == uids
    found = auth.get_users([auth.UidIdentifier("user-001"), auth.UidIdentifier("nobody"), auth.UidIdentifier("user-002")], app=app)
    assert {user.uid for user in found.users} == {"user-001", "user-002"} and [entry.uid for entry in found.not_found] == ["nobody"]
    result = auth.delete_users(sorted(uids), app=app)
    assert result.success_count == 25 and result.failure_count == 0 and not auth.list_users(app=app).users


def test_import(app):
    users = [
        auth.ImportUserRecord(uid="one", email="one@example.com", custom_claims={"role": "editor"}),
        auth.ImportUserRecord(uid="two", email="one@example.com"),
        auth.ImportUserRecord(uid="three", provider_data=[auth.UserProvider("123", provider_id="google.com", email="three@example.com")]),
    ]
    result = auth.import_users(users, app=app)
    assert result.success_count == 2 and [error.index for error in result.errors] == [1]
    assert auth.get_user("one", app=app).custom_claims == {"role": "editor"}
    found = auth.get_users([auth.ProviderIdentifier("google.com", "123")], app=app)
    assert [user.uid for user in found.users] == ["three"]


def test_custom_token_is_exchanged_and_verified(app, server):
    token = auth.create_custom_token("carol", {"premium": True}, app=app).decode()
    status, signed_in = server.call("signInWithCustomToken", token=token, returnSecureToken=True)
    assert status == 200 and signed_in["isNewUser"]
    claims = auth.verify_id_token(signed_in["idToken"], app=app)
    assert (claims["uid"], claims["premium"], claims["firebase"]["sign_in_provider"]) == ("carol", True, "custom")
    # A refreshed token carries the claims of the custom one.
    status, refreshed = server.post(
        "securetoken.googleapis.com/v1/token", f"grant_type=refresh_token&refresh_token={signed_in['refreshToken']}", form=True)
    assert status == 200 and auth.verify_id_token(refreshed["id_token"], app=app)["premium"]
    assert auth.get_user("carol", app=app).uid == "carol"


def test_custom_claims_are_in_the_next_token(app, server):
    _, up = server.call("signUp", email="dan@example.com", password="secret1", returnSecureToken=True)
    uid = up["localId"]
    assert "admin" not in auth.verify_id_token(up["idToken"], app=app)
    auth.set_custom_user_claims(uid, {"admin": True, "level": 3}, app=app)
    status, signed_in = server.call("signInWithPassword", email="dan@example.com", password="secret1", returnSecureToken=True)
    claims = auth.verify_id_token(signed_in["idToken"], app=app)
    assert status == 200 and claims["admin"] and claims["level"] == 3 and claims["email"] == "dan@example.com"
    with pytest.raises((ValueError, exceptions.FirebaseError)):
        auth.set_custom_user_claims(uid, {"sub": "other"}, app=app)
    auth.set_custom_user_claims(uid, None, app=app)
    assert not auth.get_user(uid, app=app).custom_claims


def test_revoked_sessions_end(app, server):
    _, up = server.call("signUp", returnSecureToken=True)
    assert auth.verify_id_token(up["idToken"], app=app, check_revoked=True)["uid"] == up["localId"]
    # Both have seconds: a token of this very second is still accepted, as by the emulator.
    import time
    time.sleep(1.1)
    auth.revoke_refresh_tokens(up["localId"], app=app)
    with pytest.raises(auth.RevokedIdTokenError):
        auth.verify_id_token(up["idToken"], app=app, check_revoked=True)
    status, error = server.post(
        "securetoken.googleapis.com/v1/token", f"grant_type=refresh_token&refresh_token={up['refreshToken']}", form=True)
    assert status == 400 and error["error"]["message"] in ("INVALID_REFRESH_TOKEN", "TOKEN_EXPIRED")
    assert server.call("lookup", idToken=up["idToken"])[0] == 400


def test_disabled_users_cannot_sign_in(app, server):
    auth.create_user(uid="eve", email="eve@example.com", password="secret1", app=app)
    status, signed_in = server.call("signInWithPassword", email="eve@example.com", password="secret1", returnSecureToken=True)
    assert status == 200
    auth.update_user("eve", disabled=True, app=app)
    assert server.call("signInWithPassword", email="eve@example.com", password="secret1")[1]["error"]["message"] == "USER_DISABLED"
    with pytest.raises(auth.UserDisabledError):
        auth.verify_id_token(signed_in["idToken"], app=app, check_revoked=True)


def test_links(app, server):
    auth.create_user(uid="fay", email="fay@example.com", password="secret1", app=app)
    link = auth.generate_password_reset_link("fay@example.com", app=app)
    assert link.startswith(f"http://{server.accounts}/emulator/action?mode=resetPassword")
    code = link.split("oobCode=")[1].split("&")[0]
    assert server.call("resetPassword", oobCode=code, newPassword="secret2")[1]["email"] == "fay@example.com"
    assert server.call("signInWithPassword", email="fay@example.com", password="secret2")[0] == 200
    assert "mode=verifyEmail" in auth.generate_email_verification_link("fay@example.com", app=app)
    settings = auth.ActionCodeSettings(url="http://localhost/done", handle_code_in_app=True)
    link = auth.generate_sign_in_with_email_link("new@example.com", settings, app=app)
    code = link.split("oobCode=")[1].split("&")[0]
    status, signed_in = server.call("signInWithEmailLink", email="new@example.com", oobCode=code)
    assert status == 200 and signed_in["isNewUser"]


def test_projects_are_apart(app, server, monkeypatch):
    monkeypatch.setenv("FIREBASE_AUTH_EMULATOR_HOST", server.accounts)
    other = firebase_admin.initialize_app(options={"projectId": "demo-other"}, name=f"app-{next(_numbers)}")
    try:
        auth.create_user(uid="gus", email="gus@example.com", display_name="main", app=app)
        auth.create_user(uid="gus", email="gus@example.com", display_name="other", app=other)
        auth.delete_user("gus", app=app)
        assert auth.get_user("gus", app=other).display_name == "other"
    finally:
        firebase_admin.delete_app(other)


def test_session_cookies(app, server):
    status, account = server.call("signUp", email="cookie@example.com", password="secret1", returnSecureToken=True)
    assert status == 200
    cookie = auth.create_session_cookie(account["idToken"], datetime.timedelta(days=5), app=app)
    assert auth.verify_session_cookie(cookie, app=app)["uid"] == account["localId"]
    with pytest.raises(auth.InvalidSessionCookieError):
        auth.verify_session_cookie(account["idToken"], app=app)


def test_passwords_of_firebase_are_imported(app, server):
    decode = base64.b64decode
    user = auth.ImportUserRecord(
        uid="from-firebase", email="from-firebase@example.com", password_salt=decode("42xEC+ixf3L2lw=="),
        password_hash=decode("lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="))
    key = decode("jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==")
    hashing = auth.UserImportHash.scrypt(key, rounds=8, memory_cost=14, salt_separator=decode("Bw=="))
    assert auth.import_users([user], hash_alg=hashing, app=app).failure_count == 0
    status, account = server.call("signInWithPassword", email="from-firebase@example.com", password="user1password", returnSecureToken=True)
    assert status == 200 and account["localId"] == "from-firebase"
