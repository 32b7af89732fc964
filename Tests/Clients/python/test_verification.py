# SPDX-License-Identifier: Apache-2.0
"""What docs/operations/accounts.md shows for other servers: its code verifies tokens and session cookies of a server in production."""

import json
import pathlib
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request

import jwt
import pytest

from accounts import ProductionServer
from conftest import stop

pytestmark = pytest.mark.one_server("it starts a server of its own, with accounts")

RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents { match /{document=**} { allow read, write: if false; } }
}
"""
PAGE = (pathlib.Path(__file__).resolve().parents[3] / "docs/operations/accounts.md").read_text()


def code(language):
    return re.search(rf"```{language}\n(.*?)```", PAGE, re.S)[1]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = ProductionServer(tmp_path_factory.mktemp("production"), RULES)
    yield server
    stop(server.process)


@pytest.fixture(scope="module")
def tokens(server):
    """An ID token and a session cookie of one user."""
    status, account = server.call("signUp", email="ada@example.com", password="secret1", returnSecureToken=True)
    assert status == 200
    request = urllib.request.Request(
        f"http://{server.accounts}/v1/projects/{server.PROJECT}:createSessionCookie",
        json.dumps({"idToken": account["idToken"], "validDuration": "432000"}).encode(), {"authorization": f"Bearer {server.key}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return account, account["idToken"], json.load(answer)["sessionCookie"]


def test_the_lines_for_python_verify_tokens_and_cookies(server, tokens):
    account, token, cookie = tokens
    # The issuer is an address that only the operator's proxy answers.
    page = {}
    text = code("python").replace('f"{AUTH}/.well-known', f'"http://{server.accounts}/.well-known').replace("my-app", server.PROJECT)
    exec(text, page)
    assert page["user"](token)["sub"] == account["localId"]
    claims = page["user"](cookie, page["AUTH"] + "/session")
    assert claims["sub"] == account["localId"] and claims["exp"] > time.time() + 431_000
    for wrong, issuer in [(cookie, page["AUTH"]), (token, page["AUTH"] + "/session"), (token[:-4] + "AAAA", page["AUTH"]),
                          (jwt.encode(claims, None, algorithm="none", headers={"kid": jwt.get_unverified_header(token)["kid"]}), page["AUTH"])]:
        with pytest.raises(jwt.InvalidTokenError):
            page["user"](wrong, issuer)


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_the_lines_for_node_verify_tokens_and_cookies(server, tokens, tmp_path):
    account, token, cookie = tokens
    text = code("js").replace("`${auth}/.well-known", f"`http://{server.accounts}/.well-known").replace("my-app", server.PROJECT)
    changed = token[:-4] + "AAAA"
    (tmp_path / "verify.mjs").write_text(text + f"""
const refused = (...given) => {{ try {{ user(...given); return false; }} catch {{ return true; }} }};
console.log(JSON.stringify([user("{token}").sub, user("{cookie}", auth + "/session").sub, refused("{cookie}"), refused("{changed}"), refused("{token}", auth + "/session")]));
""")
    run = subprocess.run(["node", str(tmp_path / "verify.mjs")], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == [account["localId"]] * 2 + [True] * 3


def test_a_session_cookie_is_no_token_of_the_databases(server, tokens):
    _, token, cookie = tokens
    for credentials, status in [(token, 403), (cookie, 401)]:
        request = urllib.request.Request(
            f"http://{server.address}/v1/projects/{server.PROJECT}/databases/(default)/documents/rooms/a", headers={"authorization": f"Bearer {credentials}"})
        with pytest.raises(urllib.error.HTTPError) as error:
            urllib.request.urlopen(request, timeout=30)
        assert error.value.code == status
