# SPDX-License-Identifier: Apache-2.0
"""Each write and each target of a stream is a row of its own."""
import base64, json, queue, urllib.parse
import grpc
import pytest
from google.cloud.firestore_v1.services.firestore import FirestoreClient
from google.cloud.firestore_v1.services.firestore.transports import FirestoreGrpcTransport
from playwright.sync_api import expect
from pages import axe, is_live, text

RULES = "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{d}/documents {\n    match /own/{id} { allow read, write: if id == request.auth.uid; }\n  }\n}\n"
TOKEN = ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in ({"alg": "none"}, {"sub": "ada", "user_id": "ada"})) + "."


@pytest.fixture
def streamed(serve):
    """A server of its own: the page shows the calls of all databases."""
    return serve("--development", "--in-memory", "--console-values").project("streams")


def secured(database):
    database.set("own/ada", {"n": text("1")})
    database.console.send("PUT", f"/console/api/rules?database={urllib.parse.quote(database.name)}", {"content": RULES}, {"Authorization": f"Bearer {database.console.token}"})


def write(database, id):
    return {"update": {"name": f"{database.root}/own/{id}", "fields": {"n": {"string_value": "2"}}}}


class Stream:
    """A stream of the official client's library, as ada."""

    def __init__(self, database, method, *first):
        self.channel = grpc.insecure_channel(database.console.server)
        self.requests = queue.Queue()
        for request in first:
            self.requests.put(request)
        client = FirestoreClient(transport=FirestoreGrpcTransport(channel=self.channel))
        self.answers = getattr(client, method)(iter(self.requests.get, None), metadata=[("authorization", f"Bearer {TOKEN}"), ("google-cloud-resource-prefix", database.name)])

    def send(self, request):
        self.requests.put(request)

    def close(self):
        self.requests.put(None)
        self.answers.cancel()
        self.channel.close()


def filtered(page, outcome):
    page.get_by_label("Outcome").select_option(outcome)


def rows(page, path):
    return page.locator(".grid-row", has=page.get_by_text(path, exact=True))


def test_a_denied_write_after_a_granted_one_on_the_same_stream(streamed, watched):
    secured(streamed)
    page = watched.open(streamed.url("requests"), bypass_csp=True, reduced_motion="reduce")
    is_live(page)
    stream = Stream(streamed, "write", {"database": streamed.name})
    token = next(stream.answers).stream_token
    stream.send({"stream_token": token, "writes": [write(streamed, "ada")]})
    token = next(stream.answers).stream_token
    stream.send({"stream_token": token, "writes": [write(streamed, "bob")]})
    try:
        next(stream.answers)
        raise AssertionError("the write was granted")
    except Exception as error:
        assert "PERMISSION_DENIED" in str(error) or "permissions" in str(error).lower(), error
    stream.close()
    written = page.locator(".grid-row", has_text="Write")
    expect(rows(page, "own/ada").and_(written)).to_contain_text("OK")
    expect(rows(page, "own/bob")).to_contain_text("PERMISSION_DENIED")
    expect(rows(page, "own/bob")).to_contain_text("ada")
    filtered(page, "failed")
    expect(page.locator(".grid-row")).to_have_count(1)
    filtered(page, "PERMISSION_DENIED")
    rows(page, "own/bob").click()
    trace = page.locator(".trace").first
    expect(trace).to_contain_text("create own/bob")
    expect(trace).to_contain_text("Denied")
    expect(trace).to_contain_text("request.auth.uid")
    expect(page.locator(".panel .facts")).to_contain_text("own/bob")
    axe(page, "a denied write of a stream")


def test_a_denied_target_beside_a_granted_one_and_a_client_that_goes(streamed, watched):
    secured(streamed)
    page = watched.open(streamed.url("requests"))
    is_live(page)
    target = lambda id, name: {"database": streamed.name, "add_target": {"target_id": id, "documents": {"documents": [f"{streamed.root}/own/{name}"]}}}
    stream = Stream(streamed, "listen", target(2, "ada"), target(4, "bob"))
    for answer in stream.answers:
        if answer.target_change.cause.code:
            break
    open_row = page.locator(".grid-row", has_text="Listen").and_(rows(page, "own/ada"))
    expect(open_row).to_contain_text("open")
    expect(open_row).to_contain_text("ada")
    expect(rows(page, "own/bob")).to_contain_text("PERMISSION_DENIED")
    # A tab that is closed is no failure.
    stream.close()
    expect(open_row).to_contain_text("closed")
    expect(open_row.locator(".danger-text")).to_have_count(0)
    # As many outcomes as before, but another one: it can be selected.
    filtered(page, "closed")
    expect(open_row).to_have_count(1)
    filtered(page, "failed")
    expect(page.locator(".grid-row")).to_have_count(1)
    rows(page, "own/bob").click()
    expect(page.locator(".trace").first).to_contain_text("get own/bob")


def test_the_writes_of_a_web_app(streamed, watched):
    """WebChannel, as browsers speak it: the handshake opens the session, and writes follow by POST."""
    secured(streamed)
    page = watched.open(streamed.url("requests"))
    is_live(page)
    channel = "/google.firestore.v1.Firestore/Write/channel?database=" + urllib.parse.quote(streamed.name, safe="") + "&VER=8&CVER=22"
    form = lambda offset, *maps, **more: urllib.parse.urlencode({**more, "count": len(maps), "ofs": offset, **{f"req{i}___data__": json.dumps(m) for i, m in enumerate(maps)}}).encode()
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    headers = f"X-Goog-Api-Client:gl-js/\r\nContent-Type:text/plain\r\nX-Firebase-GMPID:x\r\nAuthorization:Bearer {TOKEN}\r\n"
    status, _, body = streamed.console.send("POST", channel + "&RID=1&X-HTTP-Session-Id=gsessionid&t=1", form(0, {"database": streamed.name}, headers=headers), kind)
    assert status == 200, body
    session = json.loads(body.decode().split("\n", 1)[1])[0][1][1]
    import threading
    answers = threading.Thread(target=lambda: streamed.console.send("GET", channel + f"&RID=rpc&SID={session}&AID=0&CI=1&TYPE=xmlhttp&t=1"), daemon=True)
    answers.start()
    for number, id in enumerate(["ada", "bob"]):
        fields = {"n": text("2")}
        write = {"streamToken": "", "writes": [{"update": {"name": f"{streamed.root}/own/{id}", "fields": fields}}]}
        status, _, body = streamed.console.send("POST", channel + f"&SID={session}&RID={number + 2}&AID=1&t=1", form(number + 1, write), kind)
        assert status == 200, body
    expect(rows(page, "own/bob")).to_contain_text("PERMISSION_DENIED")
    expect(rows(page, "own/bob")).to_contain_text("webchannel")
    expect(rows(page, "own/ada").and_(page.locator(".grid-row", has_text="webchannel"))).to_contain_text("OK")
