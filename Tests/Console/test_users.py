# SPDX-License-Identifier: Apache-2.0
"""The page of users, in front of a server with accounts; and the sign-in windows of such a server."""
import base64, http.server, json, re, threading, urllib.error, urllib.parse, urllib.request
import pytest
from playwright.sync_api import expect
from pages import axe, row

PROJECT = "demo-users"


class Accounts:
    """The port of `--auth`, as apps reach it."""

    def __init__(self, served):
        self.served = served
        found = re.search(r"accounts on (\S+) ", served.log())
        self.base = f"http://{found[1]}"

    def call(self, method, body, **headers):
        request = urllib.request.Request(f"{self.base}/v1/accounts:{method}?key=k", json.dumps(body).encode(), {"content-type": "application/json", **headers})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return json.load(error)

    def make(self, users, project=PROJECT):
        request = urllib.request.Request(f"{self.base}/v1/projects/{project}/accounts:batchCreate", json.dumps({"users": users}).encode(), {"authorization": "Bearer owner"})
        urllib.request.urlopen(request, timeout=60).read()

    def emails(self, project):
        request = urllib.request.Request(f"{self.base}/v1/projects/{project}/accounts:batchGet", headers={"authorization": "Bearer owner"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return [user["email"] for user in json.load(answer).get("users", [])]

    def sign_up(self, name):
        return self.call("signUp", {"email": f"{name}@example.com", "password": "secret1", "displayName": name})

    def sign_in(self, name, password="secret1"):
        return self.call("signInWithPassword", {"email": f"{name}@example.com", "password": password})


@pytest.fixture
def accounts(serve):
    return Accounts(serve("--development", "--in-memory", "--auth", "0", "--auth-project", PROJECT))


def open_users(accounts, watched, **options):
    page = watched.open(accounts.served.project(PROJECT).url("users"), **options)
    return page


def test_users_are_listed_searched_and_read(accounts, watched):
    for name in ["ada", "bob", "cleo"]:
        accounts.sign_up(name)
    page = open_users(accounts, watched)
    expect(page.get_by_text("3 users")).to_be_visible()
    expect(row(page, "ada@example.com")).to_be_visible()
    axe(page, "users")
    page.get_by_label("Search").fill("BO")
    expect(page.get_by_text("1 found, 3 users in all")).to_be_visible()
    expect(row(page, "ada@example.com")).to_have_count(0)
    row(page, "bob@example.com").click()
    expect(page.locator(".panel")).to_contain_text("not verified")
    axe(page, "a user")
    page.get_by_label("Search").fill("nobody")
    expect(page.get_by_text("No user is found.")).to_be_visible()
    assert "search=nobody" in page.url


def test_a_user_is_created_and_signs_in(accounts, watched):
    page = open_users(accounts, watched)
    expect(page.get_by_text("No users yet.")).to_be_visible()
    page.get_by_role("button", name="New user").click()
    axe(page, "the dialog of a new user")
    page.get_by_label("E-mail address").fill("ada@example.com")
    page.get_by_label("Password").fill("short")
    page.get_by_role("button", name="Create", exact=True).click()
    expect(page.get_by_text("A password has at least 6 characters.")).to_be_visible()
    page.get_by_label("Password").fill("secret1")
    page.get_by_role("button", name="Create", exact=True).click()
    expect(row(page, "ada@example.com")).to_be_visible()
    assert accounts.sign_in("ada")["idToken"]


def test_disable_claims_password_and_delete(accounts, watched):
    watched.tolerate("400")
    accounts.sign_up("ada")
    page = open_users(accounts, watched)
    row(page, "ada@example.com").click()
    page.get_by_role("button", name="Disable").click()
    page.locator("dialog").get_by_role("button", name="Disable").click()
    expect(page.get_by_role("button", name="Enable")).to_be_visible()
    assert accounts.sign_in("ada")["error"]["message"] == "USER_DISABLED"
    page.get_by_role("button", name="Enable").click()
    expect(page.get_by_role("button", name="Disable")).to_be_visible()
    page.get_by_role("button", name="Claims").click()
    page.get_by_label("Claims, as JSON").fill("[1]")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Claims are a JSON object.")).to_be_visible()
    page.get_by_label("Claims, as JSON").fill('{"role": "editor"}')
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".panel pre")).to_contain_text('"role": "editor"')
    payload = accounts.sign_in("ada")["idToken"].split(".")[1]
    assert b'"role":"editor"' in base64.urlsafe_b64decode(payload + "==")
    page.get_by_role("button", name="Set password").click()
    page.get_by_label("New password").fill("secret2")
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.locator(".toast", has_text="The password is set.")).to_be_visible()
    assert accounts.sign_in("ada", "secret2")["idToken"]
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_label("Name", exact=True).fill("Ada Lovelace")
    page.get_by_label("The address is verified").check()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".panel")).to_contain_text("Ada Lovelace")
    expect(page.locator(".panel")).to_contain_text("example.com, verified")
    page.get_by_role("button", name="Reset link").click()
    expect(page.locator("dialog pre")).to_contain_text("mode=resetPassword")
    axe(page, "the link that resets a password")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Delete", exact=True).click()
    page.locator("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("No users yet.")).to_be_visible()
    assert accounts.sign_in("ada", "secret2")["error"]["message"] == "EMAIL_NOT_FOUND"


def test_codes_are_shown_in_development(accounts, watched):
    accounts.sign_up("ada")
    accounts.call("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "ada@example.com"})
    page = open_users(accounts, watched)
    page.get_by_role("button", name="Codes").click()
    expect(page.locator("dialog")).to_contain_text("Reset of a password")
    expect(page.locator("dialog")).to_contain_text("ada@example.com")
    axe(page, "codes")


def test_many_users_are_loaded_as_the_table_is_scrolled(accounts, watched):
    users = [{"localId": f"u{i:03}", "email": f"u{i:03}@example.com"} for i in range(120)]
    accounts.make(users)
    page = open_users(accounts, watched)
    expect(page.get_by_text("120 users")).to_be_visible()
    expect(row(page, "u000@example.com")).to_be_visible()
    grid = page.get_by_role("grid", name="Users")
    grid.focus()
    for rows in (100, 120):
        grid.evaluate("(e) => { e.scrollTop = e.scrollHeight; }")
        expect(grid).to_have_attribute("aria-rowcount", str(rows + 1))
    page.keyboard.press("End")
    grid.evaluate("(e) => { e.scrollTop = e.scrollHeight; }")
    expect(row(page, "u119@example.com")).to_be_visible()


def test_a_user_far_down_is_shown_as_it_is_after_a_change(accounts, watched):
    accounts.make([{"localId": f"u{i:03}", "email": f"u{i:03}@example.com"} for i in range(70)])
    page = open_users(accounts, watched)
    grid = page.get_by_role("grid", name="Users")
    expect(grid).to_have_attribute("aria-rowcount", "51")
    grid.evaluate("(e) => { e.scrollTop = e.scrollHeight; }")
    expect(grid).to_have_attribute("aria-rowcount", "71")
    grid.evaluate("(e) => { e.scrollTop = e.scrollHeight; }")
    row(page, "u069@example.com").click()
    page.get_by_role("button", name="Disable").click()
    page.locator("dialog").get_by_role("button", name="Disable").click()
    expect(page.locator(".panel")).to_contain_text("disabled")
    expect(page.get_by_role("button", name="Enable")).to_be_visible()


def test_a_tall_window_is_filled_without_scrolling(accounts, watched):
    accounts.make([{"localId": f"u{i:03}", "email": f"u{i:03}@example.com"} for i in range(120)])
    page = open_users(accounts, watched, viewport={"width": 1280, "height": 2600})
    expect(page.get_by_role("grid", name="Users")).to_have_attribute("aria-rowcount", "121")


OTHERS = "demo-others"


@pytest.fixture
def namesakes(accounts, watched):
    """The page of one project, with a way to that of another, where a user has the same id. The page is not loaded again."""
    accounts.make([{"localId": "u1", "email": "here@example.com"}])
    accounts.make([{"localId": "u1", "email": "there@example.com"}], OTHERS)
    page = watched.open(accounts.served.project(OTHERS).url("users"))
    expect(row(page, "there@example.com")).to_be_visible()
    page.evaluate("(url) => { history.pushState(null, '', url); dispatchEvent(new PopStateEvent('popstate')); }", f"/console/users/{PROJECT}/(default)")
    expect(row(page, "here@example.com")).to_be_visible()
    row(page, "here@example.com").click()
    expect(page.locator(".panel")).to_contain_text("here@example.com")
    return page


def test_another_project_has_other_users(accounts, namesakes):
    page = namesakes
    # Until the others are there, nothing of the first is.
    page.route("**/console/api/users?*", lambda route: None)
    page.go_back()
    expect(page.locator(".panel")).to_have_count(0)
    expect(page.locator(".grid-row")).to_have_count(0)
    # The held request continues.
    page.unroute("**/console/api/users?*")
    expect(row(page, "there@example.com")).to_be_visible()
    expect(row(page, "here@example.com")).to_have_count(0)


def test_what_is_confirmed_is_done_in_the_project_it_was_asked_in(accounts, namesakes):
    page = namesakes
    page.get_by_role("button", name="Delete", exact=True).click()
    page.go_back()
    expect(page.locator(".grid-row", has_text="there@example.com")).to_have_count(1)
    page.locator("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator(".toast", has_text="Deleted.")).to_be_visible()
    assert accounts.emails(PROJECT) == [] and accounts.emails(OTHERS) == ["there@example.com"]


def test_a_read_only_console_changes_nothing(serve, watched):
    accounts = Accounts(serve("--development", "--in-memory", "--auth", "0", "--auth-project", PROJECT, "--console-read-only"))
    accounts.sign_up("ada")
    page = open_users(accounts, watched)
    row(page, "ada@example.com").click()
    expect(page.locator(".panel")).to_contain_text("enabled")
    for name in ["New user", "Disable", "Delete", "Claims", "Set password", "Edit"]:
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)


def test_a_server_without_accounts_says_so(fresh, watched):
    page = watched.open(fresh.url("users"))
    expect(page.get_by_text("This server keeps no accounts.")).to_be_visible()
    expect(page.get_by_text("hearth serve --auth")).to_be_visible()
    axe(page, "no accounts")


# Sign-in windows. The web SDK and Google's script for frames are on other machines; these stand in for what both do.

GAPI = """
(() => {
  const handlers = {};
  const inFrame = parent !== window;
  const answered = new Map();
  let last = 0;
  addEventListener('message', ({ data, source }) => {
    if (data?.stub === 'ask') {
      const answer = handlers[data.name]?.(data.body);
      source.postMessage({ stub: 'answer', id: data.id, answer: [answer] }, '*');
    }
    if (data?.stub === 'answer') answered.get(data.id)?.(data.answer);
  });
  const channel = (target) => ({
    register: (name, handler) => { handlers[name] = handler; },
    send: (name, body, done) => {
      last += 1;
      answered.set(last, done);
      target.postMessage({ stub: 'ask', name, body, id: last }, '*');
    },
  });
  window.gapi = {
    load: (name, done) => done(),
    iframes: { CROSS_ORIGIN_IFRAMES_FILTER: {}, getContext: () => ({ getParentIframe: () => channel(parent) }), channel },
  };
})();
"""

APP = """<!doctype html><title>App</title><iframe id="frame" src="%(frame)s"></iframe><script src="https://apis.google.com/js/api.js"></script>
<script>
window.events = [];
const frame = document.getElementById('frame');
window.channel = gapi.iframes.channel(frame.contentWindow);
channel.register('authEvent', ({ authEvent }) => { events.push(authEvent); return { status: 'ACK' }; });
</script>"""


class App:
    """A page on another port with the frame of the accounts, as the web SDK makes it."""

    def __init__(self, accounts, watched):
        self.accounts = accounts
        self.base = accounts.base.replace("127.0.0.1", "localhost")
        frame = f"{self.base}/emulator/auth/iframe?" + urllib.parse.urlencode({"apiKey": "k", "appName": "[DEFAULT]", "v": "12.0.0"})
        page = (APP % {"frame": frame}).encode()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("content-type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *_):
                pass

        # A server, because browsers let pages from nowhere not show frames of this machine.
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://localhost:{self.server.server_port}/"
        self.context = watched.context()
        watched.tolerate("foreign request", "favicon")
        self.context.route("https://apis.google.com/**", lambda route: route.fulfill(content_type="text/javascript", body=GAPI))
        self.page = self.context.new_page()
        self.page.goto(self.url)

    def handler(self, kind, **more):
        query = {"apiKey": "k", "appName": "[DEFAULT]", "authType": kind, "redirectUrl": self.url, "v": "12.0.0", "eventId": "77", "providerId": "google.com", **more}
        return f"{self.base}/emulator/auth/handler?" + urllib.parse.urlencode(query)

    def popup(self, **more):
        with self.page.expect_popup() as opened:
            self.page.evaluate("(url) => { window.popup = open(url, 'sign-in', 'width=500,height=600'); }", self.handler("signInViaPopup", **more))
        return opened.value

    def event(self, type):
        self.page.wait_for_function("(type) => events.some((event) => event.type === type)", arg=type)
        return self.page.evaluate("(type) => events.find((event) => event.type === type)", type)

    def exchange(self, event):
        return self.accounts.call("signInWithIdp", {"requestUri": event["urlResponse"], "sessionId": event["sessionId"], "returnSecureToken": True})


@pytest.fixture
def app(accounts, watched):
    app = App(accounts, watched)
    yield app
    app.server.shutdown()
    app.server.server_close()


def test_a_sign_in_window_answers_the_page_that_opened_it(app):
    popup = app.popup()
    expect(popup.get_by_role("heading")).to_have_text("Sign in with google.com")
    axe(popup, "the sign-in window")
    popup.get_by_label("E-mail address").fill("ada@example.com")
    popup.get_by_label("Name").fill("Ada <b>")
    with popup.expect_event("close"):
        popup.get_by_role("button", name="Sign in with a new account").click()
    event = app.event("signInViaPopup")
    assert event["eventId"] == "77" and event["error"] is None and event["tenantId"] is None
    first = app.exchange(event)
    assert first["isNewUser"] and first["email"] == "ada@example.com" and first["displayName"] == "Ada <b>"
    # The account can be chosen the next time.
    app.page.evaluate("events.length = 0")
    popup = app.popup(eventId="78")
    popup.get_by_role("button", name="ada@example.com").click()
    again = app.exchange(app.event("signInViaPopup"))
    assert again["localId"] == first["localId"] and not again["isNewUser"]


def test_a_redirect_comes_back_with_the_answer(app):
    assert app.event("unknown")["error"]["code"] == "auth/no-auth-event"
    assert app.page.evaluate("new Promise((done) => channel.send('webStorageSupport', {}, done))") == [{"status": "ACK", "webStorageSupport": True}]
    app.page.goto(app.handler("signInViaRedirect"))
    app.page.get_by_label("E-mail address").fill("ada@example.com")
    app.page.get_by_role("button", name="Sign in with a new account").click()
    app.page.wait_for_url(app.url)
    assert app.exchange(app.event("signInViaRedirect"))["email"] == "ada@example.com"
    # Once.
    app.page.reload()
    app.event("unknown")


@pytest.mark.parametrize("more, says", [({"providerId": "saml.corp"}, "SAML is not available"), ({"providerId": "phone"}, "phone number is not available"), ({"tid": "t"}, "no tenants"),
                                        ({"providerId": ""}, "not complete"), ({"authType": "signInViaRedirect", "redirectUrl": "javascript:alert(1)"}, "no page to go back to")])
def test_a_window_that_cannot_sign_in_says_why(app, more, says):
    app.page.goto(app.handler("signInViaPopup", **more))
    expect(app.page.get_by_role("alert")).to_contain_text(says)
