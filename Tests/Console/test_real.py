# SPDX-License-Identifier: Apache-2.0
"""The console and its server, beside other clients, with what goes wrong in life."""
import base64, json, math, os, re, stat, struct, threading, time, urllib.parse
import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.vector import Vector
from playwright.sync_api import expect
from pages import books, edit, field, integer, is_live, is_saved, row, save, text
from served import CHROMIUM, FULL, PATIENCE, write_key

bits = lambda number: struct.pack(">d", number).hex()


# Values

DOUBLES = ["-0.0", "NaN", "-Infinity", "5e-324", "1.7976931348623157e+308", "1.0"] + (["Infinity", "2.2250738585072014e-308", "0.1", "1e21", "1e-7", "123456789012345680.0"] if FULL else [])
TYPED = {
    **{f"double{i:02}": ("double", typed, float(typed)) for i, typed in enumerate(DOUBLES)},
    "empty": ("string", "", ""), "odd": ("string", "\u202eabc\u0000\u200b\ufeff\U0001F600 <b>é\u0301", "\u202eabc\u0000\u200b\ufeff\U0001F600 <b>é\u0301"),
    "lines": ("string", "a\n\n\tb", "a\n\n\tb"), "most": ("integer", "9223372036854775807", 2**63 - 1), "least": ("integer", "-9223372036854775808", -(2**63)),
    "above": ("integer", "9007199254740993", 9007199254740993), "early": ("timestamp", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
    "late": ("timestamp", "9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999Z"), "nine": ("timestamp", "2026-11-22T10:30:00.123456789+01:00", "2026-11-22T09:30:00.123456Z"),
    "bytes": ("bytes", "base64:" + base64.b64encode(bytes(range(256))).decode(), bytes(range(256))), "none": ("bytes", "", b""),
    "vector": ("vector", "1, -0.0, 2.5, 1e-300", Vector([1.0, -0.0, 2.5, 1e-300])),
}
NAMES = ["a.b", "`", "\\", "ünï", "\U0001F600", "constructor", "__proto", "0", " ", "x" * 1499] if FULL else ["a.`\\", "\U0001F600", "constructor", " ", "x" * 1499]


def same(a, b):
    if isinstance(a, float) and isinstance(b, float):
        return (math.isnan(a) and math.isnan(b)) or bits(a) == bits(b)
    if isinstance(a, Vector):
        return [bits(x) for x in a] == [bits(x) for x in b]
    return type(a) is type(b) and a == b


def add(page, name, kind, typed):
    page.get_by_role("button", name="Add field").last.click()
    form = page.get_by_role("group", name="New field")
    form.get_by_label("Name of the field").fill(name)
    form.get_by_label("Type of value").select_option(kind)
    if kind == "geopoint":
        form.get_by_label("Latitude").fill(typed[0])
        form.get_by_label("Longitude").fill(typed[1])
    elif kind == "boolean":
        form.get_by_label("value", exact=True).select_option(typed)
    elif typed is not None:
        form.get_by_label("value", exact=True).fill(typed)
    form.get_by_role("button", name="Add", exact=True).click()


def test_what_is_typed_is_what_the_official_client_reads(fresh, watched, monkeypatch):
    fresh.set("types/all", {"untouched": {"doubleValue": "NaN"}})
    page = watched.open(fresh.url(path="types/all"))
    for name, (kind, typed, _) in TYPED.items():
        add(page, name, kind, typed)
    for name in NAMES:
        add(page, name, "string", name)
    for name, kind in [("nothing", "null"), ("list", "array"), ("inner", "map")]:
        add(page, name, kind, None)
    add(page, "place", "geopoint", ("-37.5", "180"))
    add(page, "yes", "boolean", "true")
    add(page, "reference", "reference", "books/bk-1")
    save(page)
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", fresh.console.server)
    client = firestore.Client(project=fresh.project)
    read = client.document("types/all").get().to_dict()
    for name, (kind, _, value) in TYPED.items():
        # Python's times end at microseconds, and begin with years of one digit.
        found = fresh.fields("types/all")[name]["timestampValue"] if kind == "timestamp" else read[name]
        assert same(found, value), (name, found, value)
    assert all(read[name] == name for name in NAMES)
    assert read["place"] == firestore.GeoPoint(-37.5, 180) and read["yes"] is True and read["reference"].path == "books/bk-1"
    assert read["nothing"] is None and read["list"] == [] and read["inner"] == {} and math.isnan(read["untouched"])

    # The other way: what another client writes is shown live, and goes back untouched beside an edited field.
    before = fresh.fields("types/all")
    client.document("types/all").update({"empty": "no more"})
    expect(field(page, "empty").locator(".value-cell")).to_contain_text("no more")
    edit(page, "lines", "edited")
    save(page)
    client.close()
    after = fresh.fields("types/all")
    assert json.dumps({**before, "empty": text("no more"), "lines": text("edited")}, sort_keys=True) == json.dumps(after, sort_keys=True)


def test_every_type_is_edited_in_production(production, watched):
    database = production.project("typed")
    before = {"s": text("a"), "i": integer(1), "d": {"doubleValue": 1.5}, "t": {"timestampValue": "2020-01-01T00:00:00.123456Z"}, "b": {"booleanValue": False},
              "y": {"bytesValue": "AA=="}, "g": {"geoPointValue": {"latitude": 1, "longitude": 2}}, "r": {"referenceValue": f"{database.root}/a/b"},
              "l": {"arrayValue": {"values": [integer(1), {"mapValue": {"fields": {"x": text("deep")}}}]}}, "keep": {"doubleValue": "-0.0"}}
    database.set("types/edit", before)
    page = watched.open(database.url(path="types/edit"))
    for name, typed in [("s", "b\nc"), ("i", "9007199254740993"), ("d", "-0"), ("t", "2021-12-31T23:59:59.999999Z"), ("y", "base64:AQI=")]:
        edit(page, name, typed)
    field(page, "r").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Value of r").fill("c/d")
    page.keyboard.press("Enter")
    field(page, "g").locator(".value-cell").click()
    page.get_by_label("Latitude").fill("-0.0")
    page.get_by_label("Longitude").fill("-180")
    page.keyboard.press("Enter")
    field(page, "b").locator(".value-cell").click()
    for name in ["l", "1"]:
        field(page, name).locator(".value-cell").click()
    edit(page, "x", "deeper")
    save(page)
    stored = database.fields("types/edit")
    assert stored["s"] == text("b\nc") and stored["i"] == integer(9007199254740993) and stored["t"] == {"timestampValue": "2021-12-31T23:59:59.999999Z"}
    assert stored["y"] == {"bytesValue": "AQI="} and stored["b"] == {"booleanValue": True} and stored["r"] == {"referenceValue": f"{database.root}/c/d"}
    assert bits(float(stored["d"]["doubleValue"])) == bits(-0.0) == bits(float(stored["keep"]["doubleValue"]))
    assert bits(float(stored["g"]["geoPointValue"]["latitude"])) == bits(-0.0) and stored["g"]["geoPointValue"]["longitude"] == -180
    assert stored["l"] == {"arrayValue": {"values": [integer(1), {"mapValue": {"fields": {"x": text("deeper")}}}]}}


def test_a_document_of_a_mebibyte(fresh, watched):
    large = "ü" * 500_000
    fresh.set("large/x", {"big": text(large), "n": integer(1)})
    page = watched.open(fresh.url(path="large/x"))
    edit(page, "n", "2")
    # Saved by what differs alone.
    with page.expect_request("**:commit") as request:
        save(page)
    assert len(request.value.post_data) < 500
    assert fresh.fields("large/x") == {"big": text(large), "n": integer(2)}
    # Over the limit: the server's sentence, and nothing is lost.
    watched.tolerate("400")
    edit(page, "n", "3")
    add(page, "more", "string", "x" * 60_000)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".toast.error")).to_contain_text("1048576")
    expect(field(page, "n").locator(".value-cell")).to_have_text("3")


# Two editors, and a server that goes

def test_two_people_edit_one_document(fresh, watched):
    watched.tolerate("400")
    fresh.set("two/x", {"a": text("1"), "b": text("1"), "c": text("1")})
    mine, theirs = (watched.open(fresh.url(path="two/x")) for _ in range(2))
    edit(mine, "a", "mine")
    edit(mine, "b", "mine")
    edit(theirs, "b", "theirs")
    edit(theirs, "c", "theirs")
    save(theirs)
    # Marked immediately, and nothing that was typed is touched.
    expect(mine.locator(".mark-theirs")).to_have_count(2)
    expect(mine.get_by_text("Changed elsewhere")).to_be_visible()
    expect(field(mine, "b").locator(".value-cell")).to_have_text('"mine"')
    mine.get_by_role("button", name="Save", exact=True).click()
    expect(mine.get_by_role("heading", name="The document has changed")).to_be_visible()
    mine.get_by_label("b: theirs").check()
    mine.get_by_role("dialog").get_by_role("button", name="Save").click()
    is_saved(mine)
    expect(field(theirs, "a").locator(".value-cell")).to_have_text('"mine"')
    assert fresh.fields("two/x") == {"a": text("mine"), "b": text("theirs"), "c": text("theirs")}
    # Deleted under the editor: it is created again only if asked for.
    edit(mine, "a", "again")
    theirs.get_by_role("button", name="Document", exact=True).click()
    theirs.get_by_role("menuitem", name="Delete document").click()
    expect(mine.get_by_text("Deleted elsewhere")).to_be_visible()
    mine.get_by_role("button", name="Save", exact=True).click()
    mine.get_by_role("dialog").get_by_role("button", name="Create again").click()
    is_saved(mine)
    assert fresh.fields("two/x")["a"] == text("again")


def test_a_form_stays_while_others_write(fresh, watched):
    fresh.set("form/x", {"a": text("1")})
    watched.tolerate("400")
    page = watched.open(fresh.url(path="form/x"))
    is_live(page)
    page.get_by_role("button", name="Add field").click()
    page.get_by_label("Name of the field").fill("typed")
    fresh.set("form/x", {"a": text("2")})
    expect(row(page, "x")).to_contain_text("2")
    expect(page.get_by_label("Name of the field")).to_have_value("typed")
    page.get_by_role("group", name="New field").get_by_label("value", exact=True).fill("v")
    page.get_by_role("group", name="New field").get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    is_saved(page)
    assert fresh.fields("form/x") == {"a": text("2"), "typed": text("v")}


def test_the_server_is_killed_and_comes_back(serve, tmp_path, watched):
    watched.tolerate("ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_EMPTY_RESPONSE", "net::", "network error", "503")
    key = tmp_path / "console.key"
    write_key(key)
    served = serve("--development", "--data", str(tmp_path / "data"), "--console-token", str(key))
    database = served.project("demo")
    books(database)
    page = watched.open(database.url(path="books/bk-003"))
    is_live(page)
    edit(page, "title", "typed before")
    served.kill()
    expect(page.get_by_text("The server does not answer. What you see")).to_be_visible()
    expect(row(page, "bk-003")).to_be_visible()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(field(page, "title").locator(".value-cell")).to_have_text('"typed before"')
    page.screenshot(path=".build/screenshots/server-gone.png")
    served.start()
    expect(page.get_by_text("The server does not answer. What you see")).to_be_hidden()
    is_live(page)
    save(page)
    assert database.fields("books/bk-003")["title"] == text("typed before")
    database.set("books/bk-005", {"title": text("after the start")})
    expect(row(page, "bk-005")).to_contain_text("after the start")


def test_another_server_at_the_same_address(serve, watched):
    watched.tolerate("net::", "401", "network error", "503")
    served = serve("--development", "--in-memory")
    database = served.project("demo")
    books(database)
    page = watched.open(database.url(path="books"))
    is_live(page)
    served.kill()
    expect(page.get_by_text("The server does not answer. What you see")).to_be_visible()
    served.start()
    expect(page.get_by_text("This page needs the address with the token.")).to_be_visible()
    books(database)
    page.get_by_label("Token or address").fill(served.address)
    page.keyboard.press("Enter")
    expect(row(page, "bk-000")).to_be_visible()


# What is hostile

HOSTILE = ["<img src=x onerror=alert(1)>", "'\"><script>alert(1)", "\u202egnirts\u202c", "a?b#c&d=e%2F%", "..", "...", "{{x}}${x}", "javascript:alert(1)", "x.js", "index.html", "\U0001F600", " ",
           "constructor", "__x", "x__", "_", "%00", "\u0001", "\\", "a\nb", "é" * 750, "-" * 1500]


def test_hostile_names_everywhere(fresh, watched):
    ids = [id for id in HOSTILE if id not in ("..", ".")]
    fresh.commit(*[{"update": {"name": f"{fresh.root}/{collection}/{id}", "fields": {id[:700]: text(id), "toString": text("p")}}} for id in ids for collection in ("hostile", id)])
    page = watched.open(fresh.url(path="hostile"))
    page.on("dialog", lambda d: watched.problems.append("a dialog of the browser: " + d.message))
    expect(page.locator("#left .collections li")).to_have_count(len(ids) + 1)
    for id in ids if FULL else ids[:5] + ids[-2:]:
        page.goto(fresh.url(path=f"{id}/{id}", token=False))
        expect(page.locator(".panel .field")).to_have_count(2)
        page.evaluate("document.querySelector('.panel .field').focus()")
    for id in ids[:6] if FULL else ids[1:4]:
        # As a person goes: from the list, to the row, and back.
        page.goto(fresh.url(path="hostile", token=False))
        expect(page.locator(".grid-row")).to_have_count(len(ids))
        page.locator("#left .collections a").and_(page.get_by_title(id, exact=True)).click()
        page.locator(".grid-row").first.click()
        expect(page.locator(".panel .field")).to_have_count(2)
        edit(page, "toString", "edited")
        save(page)
        found = fresh.call("POST", f"/v1/{fresh.root}:batchGet", {"documents": [f"{fresh.root}/{id}/{id}"]})[0]["found"]["fields"]
        assert found == {id: text(id), "toString": text("edited")}
        page.go_back()
        expect(page.locator(".panel .field")).to_have_count(0)
    assert page.locator("#main img, #left img, #main script").count() == 0
    page.goto(fresh.url("query", token=False))
    expect(page.get_by_label("Collection", exact=True)).to_be_visible()
    page.goto(fresh.url("transfer", token=False))
    expect(page.get_by_role("heading", name="Export", exact=True)).to_be_visible()


def test_invalid_names_are_rejected_at_the_field(fresh, watched):
    fresh.set("c/x", {"a": text("1")})
    page = watched.open(fresh.url(path="c", query="?new=1"))
    for id in ["a/b", "..", ".", "__x__", "é" * 751, ""]:
        page.get_by_label("Document id").fill(id)
        expect(page.locator(".id-row .problem")).not_to_have_text("")
    page.get_by_label("Document id").fill("é" * 750)
    expect(page.locator(".id-row .problem")).to_have_text("")


def test_foreign_hosts_and_origins_are_rejected(console, fresh):
    fresh.set("c/x", {"a": text("1")})
    token = {"Authorization": f"Bearer {console.token}"}
    path = f"/v1/{fresh.root}:commit"
    write = {"writes": [{"update": {"name": f"{fresh.root}/c/x", "fields": {"a": text("foreign")}}}]}
    for headers in [{"Host": "evil.example"}, {"Host": f"evil.example:{console.port}"}]:
        for method, target in [("GET", "/console/"), ("GET", "/console/main.js"), ("GET", "/console/api/server"), ("POST", path), ("GET", "/")]:
            assert console.send(method, target, write if method == "POST" else None, {**token, **headers})[0] == 421, (headers, target)
    for origin in ["https://evil.example", "null", f"http://127.0.0.1:{console.port + 1}", "http://127.0.0.1"]:
        assert console.send("GET", "/console/api/server", None, {**token, "Origin": origin})[0] == 403, origin
    assert console.send("POST", path, write, {**token, "Origin": "https://evil.example", "Content-Type": "text/plain"})[0] == 403
    for site in ["cross-site", "same-site"]:
        assert console.send("GET", "/console/api/server", None, {**token, "Sec-Fetch-Site": site})[0] == 403
    for headers in [{}, {"Cookie": f"token={console.token}"}, {"Authorization": f"Basic {base64.b64encode(f'owner:{console.token}'.encode()).decode()}"},
                    {"Authorization": "Bearer owner"}, {"Authorization": f"Bearer {console.token[:-1]}"}, {"X-Token": console.token}]:
        assert console.send("GET", "/console/api/server", None, headers)[0] == 401, headers
        assert console.send("GET", f"/console/api/server?t={console.token}&access_token={console.token}", None, headers)[0] == 401
    assert console.send("GET", "/console/api/server", None, {**token, "Origin": console.base, "Sec-Fetch-Site": "same-origin"})[0] == 200
    status, headers, _ = console.send("GET", "/console/", None, {"Origin": "http://localhost:1"})
    assert status == 200 and "Access-Control-Allow-Origin" not in headers and "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert fresh.fields("c/x") == {"a": text("1")}


def test_pages_of_others_reach_nothing(console, fresh, watched, tmp_path):
    """Pages of a foreign name (rebound to this machine), and of another port of it, in a real browser that knows the token."""
    watched.tolerate("evil.example", "localhost", "CORS", "net::", "421", "403", "foreign request", "frame-ancestors")
    fresh.set("c/x", {"a": text("1")})
    page = watched.context().new_page()
    answer = page.goto(f"http://evil.example:{console.port}/console/#t={console.token}")
    assert answer.status == 421 and "Hearth" not in page.title()
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    class Empty(BaseHTTPRequestHandler):
        log_message = lambda *_: None

        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", "0")
            self.end_headers()

    other = ThreadingHTTPServer(("127.0.0.1", 0), Empty)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    try:
        attempt = """async ([url, token, name]) => {
          const tried = async (path, options) => {
            try { const r = await fetch(url + path, options); return r.type === 'opaque' ? 'opaque' : `${r.status}`; } catch { return 'failed'; }
          };
          const headers = { Authorization: 'Bearer ' + token };
          const body = JSON.stringify({ writes: [{ delete: name }] });
          const commit = '/v1/' + name.split('/documents/')[0] + '/documents:commit';
          return [await tried('/console/api/server', { headers }), await tried('/console/api/server'), await tried('/console/api/rules?database=x', { method: 'PUT', body: '{}', mode: 'no-cors' }),
                  await tried('/console/api/import?database=x', { method: 'POST', body, mode: 'no-cors' }), await tried('/console/', { headers })];
        }"""
        for origin in [f"http://evil.example:{other.server_port}", f"http://localhost:{other.server_port}"]:
            page.goto(origin)
            found = page.evaluate(attempt, [console.base, console.token, f"{fresh.root}/c/x"])
            assert set(found) <= {"failed", "opaque"}, (origin, found)
            # The console is in no frame of theirs.
            page.evaluate("(url) => { const f = document.createElement('iframe'); f.src = url; document.body.append(f); return new Promise((r) => { f.onload = r; }); }", console.base + "/console/")
            assert page.frames[-1].evaluate("document.querySelector('#main')") is None if page.frames[-1].url.startswith(console.base) else True
        # A foreign page writes nothing, whatever it sends.
        page.goto(f"http://evil.example:{other.server_port}")
        page.evaluate("""async ([url, name]) => {
          const body = JSON.stringify({ writes: [{ delete: name }] });
          await fetch(url + '/v1/' + name.split('/documents/')[0] + '/documents:commit', { method: 'POST', body, mode: 'no-cors' }).catch(() => {});
        }""", [console.base, f"{fresh.root}/c/x"])
        assert fresh.fields("c/x") == {"a": text("1")}
    finally:
        other.shutdown()


# Much

def test_a_large_collection(serve, watched, tmp_path, capsys):
    """First rows, and the page's memory while it is scrolled: a million documents with HEARTH_FULL, for a minute."""
    total, seconds = (1_000_000, 60) if FULL else (3_000, 0)
    served = serve("--development", "--data", str(tmp_path / "data"), "--durability", "relaxed")
    database = served.project("many")
    for i in range(0, total, 500):
        database.commit(*[{"update": {"name": f"{database.root}/many/d{j:07}", "fields": {"n": integer(j), "s": text(f"row {j}")}}} for j in range(i, i + 500)])
    page = watched.open(database.url(path="many"))
    first = []
    for _ in range(5 if FULL else 1):
        page.reload()
        first.append(page.evaluate("new Promise((resolve) => { const look = () => document.querySelector('.grid-row') ? resolve(performance.now()) : requestAnimationFrame(look); look(); })"))
    grid = page.get_by_role("grid")
    session = page.context.new_cdp_session(page)

    def heap():
        session.send("HeapProfiler.collectGarbage")
        return session.send("Runtime.getHeapUsage")["usedSize"] / 1e6

    sizes, began, position = [heap()], time.monotonic(), 0
    while position < 2_500 or time.monotonic() < began + seconds:
        last = page.evaluate("""async () => {
          const grid = document.querySelector('.grid');
          for (let i = 0; i < 20; i += 1) {
            grid.scrollTop = grid.scrollHeight;
            await new Promise((r) => requestAnimationFrame(() => setTimeout(r, 10)));
          }
          return [...document.querySelectorAll('.grid-row')].at(-1).textContent;
        }""")
        position = int(re.search(r"d(\d{7})", last)[1])
        sizes.append(heap())
    assert page.locator(".grid-row").count() < 100
    kept = sizes[len(sizes) // 4:]
    with capsys.disabled():
        print(f"\n{total} documents: first rows after {min(first):.0f} ms (of {len(first)}); scrolled to {position} in {time.monotonic() - began:.0f} s; "
              f"heap {sizes[0]:.1f} MB, then {min(kept):.1f} to {max(kept):.1f} MB, {sizes[-1]:.1f} MB at the end")
    assert max(kept) < min(kept) + 8
    grid.focus()
    page.keyboard.press("End")
    expect(row(page, f"d{total - 1:07}")).to_be_visible()
    page.keyboard.press("PageUp")
    page.keyboard.press("Home")
    expect(row(page, "d0000000")).to_be_visible()
    page.get_by_role("button", name="Count").click()
    expect(page.get_by_text("100k+ documents" if FULL else "3,000 documents").first).to_be_visible()


HIDDEN = """(() => {
  let isHidden = location.search.includes('hidden');
  Object.defineProperty(document, 'hidden', { get: () => isHidden });
  Object.defineProperty(document, 'visibilityState', { get: () => (isHidden ? 'hidden' : 'visible') });
  globalThis.hide = (value) => { isHidden = value; document.dispatchEvent(new Event('visibilitychange')); };
})()"""


def test_ten_tabs(fresh, watched):
    """Ten tabs of one window (in the quick size seven), of which one is seen. Browsers have six connections for all of them."""
    books(fresh)
    context = watched.context()
    context.add_init_script(HIDDEN)
    first = context.new_page()
    first.goto(fresh.url(path="books/bk-001"))
    is_live(first)
    # Opened behind it, and never looked at.
    tabs = [context.new_page() for _ in range(9 if FULL else 6)]
    for tab in tabs:
        tab.goto(fresh.url(path="books", query="?hidden=1"))
    for tab in tabs:
        expect(row(tab, "bk-000")).to_be_visible()
    fresh.set("books/bk-002", {"title": text("while ten are open")})
    expect(row(first, "bk-002")).to_contain_text("while ten are open")
    edit(first, "title", "saved beside nine others")
    save(first)
    # Another one is looked at: it receives what it has missed.
    first.evaluate("hide(true)")
    tabs[-1].evaluate("hide(false)")
    is_live(tabs[-1])
    expect(row(tabs[-1], "bk-002")).to_contain_text("while ten are open")
    expect(row(tabs[-1], "bk-001")).to_contain_text("saved beside nine others")


# Every page

def test_requests_of_others_are_seen(fresh, watched, monkeypatch):
    page = watched.open(fresh.url("requests"))
    is_live(page)
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", fresh.console.server)
    client = firestore.Client(project=fresh.project)
    client.document("seen/one").set({"secret": "of the test"})
    assert client.document("seen/one").get().exists
    entry = page.locator(".grid-row", has_text="seen/one").filter(has_text="Commit").first
    expect(entry).to_contain_text("grpc")
    entry.click()
    expect(page.locator(".panel")).to_contain_text("of the test")
    # A stream that is open, and ends while it is looked at.
    watch = client.collection("seen").on_snapshot(lambda *_: None)
    page.locator(".grid-row", has_text="Listen").first.click()
    expect(page.locator(".panel .facts")).to_contain_text("open")
    watch.unsubscribe()
    expect(page.locator(".panel .facts")).not_to_contain_text("open")
    client.close()


def test_indexes_of_the_server(fresh, watched):
    books(fresh)
    query = {"structuredQuery": {"from": [{"collectionId": "books"}], "where": {"fieldFilter": {"field": {"fieldPath": "title"}, "op": "EQUAL", "value": text("Book 3")}}, "orderBy": [{"field": {"fieldPath": "n"}}]}}
    fresh.call("POST", f"/v1/{fresh.root}:runQuery", query)
    page = watched.open(fresh.url("indexes"))
    page.get_by_role("button", name="New index").click()
    page.get_by_label("Collection id").fill("books")
    page.get_by_label("Field", exact=True).first.fill("n")
    page.get_by_role("button", name="Create", exact=True).last.click()
    expect(page.get_by_role("cell", name="n ↑", exact=True).first).to_be_visible()
    expect(page.get_by_text("30", exact=True).first).to_be_visible()
    page.get_by_label("Delete the index on n ↑").click()
    expect(page.get_by_label("Delete the index on n ↑")).to_have_count(0)


def test_usage(fresh, watched):
    books(fresh)
    page = watched.open(fresh.url("usage"))
    expect(page.locator(".sparkline polyline").first).to_be_attached()
    expect(page.get_by_text(fresh.project).first).to_be_visible()


def test_files_go_in_and_out(fresh, watched, tmp_path):
    before = {"d": {"doubleValue": -0.0}, "t": {"timestampValue": "2026-11-22T09:30:00.123456Z"}, "y": {"bytesValue": "AAH/"}, "big": integer(2**63 - 1), "r": {"referenceValue": f"{fresh.root}/a/b"}}
    fresh.set("out/a", before)
    fresh.set("out/a/below/b", {"n": integer(1)})
    page = watched.open(fresh.url("transfer"))
    page.evaluate("globalThis.showSaveFilePicker = undefined")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export", exact=True).click()
    file = tmp_path / "out.jsonl"
    download.value.save_as(file)
    assert len(file.read_text().splitlines()) == 2
    fresh.commit({"delete": f"{fresh.root}/out/a"}, {"delete": f"{fresh.root}/out/a/below/b"})
    fresh.set("out/a", {"n": integer(7)})
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_role("button", name="Try without writing").click()
    expect(page.get_by_text("2 documents would be written.")).to_be_visible()
    expect(page.get_by_text("1 exist already and would be replaced:")).to_be_visible()
    assert fresh.fields("out/a") == {"n": integer(7)}
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("2 documents imported.").first).to_be_visible()
    assert json.dumps(fresh.fields("out/a"), sort_keys=True) == json.dumps(before, sort_keys=True) and fresh.fields("out/a/below/b") == {"n": integer(1)}
    # A spreadsheet, with the types that were guessed.
    csv = tmp_path / "people.csv"
    csv.write_text("id,name,people\nx,Ada,3\ny,Bob,4\n")
    page.get_by_label("File", exact=True).set_input_files(csv)
    page.get_by_label("Into collection").fill("people")
    page.get_by_label("Field with the id").fill("id")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text(re.compile("types .*people:int"))).to_be_visible()
    assert len(fresh.call("GET", f"/v1/{fresh.root}/people")["documents"]) == 2


def test_databases(console, watched):
    one, two = console.project("first-of-two"), console.project("second-of-two")
    one.set("only-here/x", {"n": integer(1)})
    two.set("only-there/x", {"n": integer(1)})
    page = watched.open(one.url())
    expect(page.get_by_role("link", name="only-here")).to_be_visible()
    page.get_by_role("button", name="Database").click()
    page.get_by_role("menuitemradio", name="second-of-two").click()
    expect(page.get_by_role("link", name="only-there")).to_be_visible()
    expect(page.get_by_role("link", name="only-here")).to_have_count(0)
    page.get_by_role("button", name="Database").click()
    page.get_by_role("menuitem", name="Another database…").click()
    page.get_by_label("Project").fill("third")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_text("Nothing here yet.")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("link", name="only-there")).to_be_visible()


def test_rules_denials_and_trying_again(fresh, watched):
    watched.tolerate("403")
    fresh.set("books/b1", {"owner": text("alice"), "title": text("Emma")})
    rules = "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{d}/documents {\n    match /books/{b} {\n      allow read: if request.auth.uid == 'nobody';\n    }\n  }\n}\n"
    page = watched.open(fresh.url("rules"))
    area = page.get_by_label("Rules", exact=True)
    expect(area).to_have_value(re.compile("rules_version"))
    area.fill(rules.replace("'nobody'", "nobody +"))
    expect(page.locator(".issue").first).to_be_visible()
    expect(page.locator(".numbers .bad")).to_have_count(1)
    page.locator(".issue").first.click()
    area.fill(rules)
    expect(page.locator(".issue")).to_have_count(0)
    page.get_by_role("button", name="Put in force").click()
    expect(page.get_by_text("The rules are in force.").last).to_be_visible()
    # An app is denied: the page says why, with the values.
    token = ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in ({"alg": "none"}, {"sub": "alice", "user_id": "alice"})) + "."
    status, _, _ = fresh.console.send("GET", f"/v1/{fresh.root}/books/b1", None, {"Authorization": f"Bearer {token}"})
    assert status == 403
    page.keyboard.press("Escape")
    page.goto(fresh.url("requests", token=False))
    page.locator(".grid-row", has_text="PERMISSION_DENIED").filter(has_text="books/b1").first.click()
    expect(page.locator(".trace").first).to_contain_text("request.auth.uid")
    expect(page.locator(".trace").first).to_contain_text("alice")
    page.screenshot(path=".build/screenshots/denial.png")
    # Under other rules it would have been granted.
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("With the rules and the data of now:")).to_be_visible()
    page.get_by_role("button", name="Edit the rules").click()
    expect(page.get_by_label("Rules", exact=True)).to_have_value(rules)
    page.get_by_label("Rules", exact=True).fill(rules.replace("nobody", "alice"))
    page.get_by_role("button", name=re.compile("Request .* again")).click()
    expect(page.locator(".trace").last).to_contain_text("granted", ignore_case=True)
    page.get_by_role("button", name="Discard", exact=True).click()
    # The console sees what alice sees.
    page.goto(fresh.url(path="books", token=False))
    page.get_by_role("button", name="View as").click()
    page.get_by_role("menuitemradio", name="A user…").click()
    page.get_by_label("User id").fill("alice")
    page.get_by_role("button", name="View", exact=True).click()
    expect(page.locator(".failure, .toast.error").first).to_be_visible()


# Whole ways

def test_from_the_command_to_a_saved_document_by_keyboard(serve, watched, tmp_path):
    served = serve("--development", "--data", str(tmp_path / "data"), "--project", "demo")
    database = served.project("demo")
    page = watched.open(served.address)
    expect(page.locator("main").get_by_role("button", name="New collection")).to_be_visible()
    # Tab only, as without a mouse: to the button, through the dialog, into the form.
    for _ in range(40):
        if page.evaluate("document.activeElement.textContent") == "New collection":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.type("cities")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Name of the field")).to_be_focused()
    page.keyboard.type("name")
    page.keyboard.press("Enter")
    page.keyboard.type("Kyoto")
    page.keyboard.press("Enter")
    expect(field(page, "name")).to_be_focused()
    page.keyboard.press("Control+s")
    is_saved(page)
    answer = database.call("GET", f"/v1/{database.root}/cities")["documents"]
    assert [d["fields"] for d in answer] == [{"name": text("Kyoto")}]
    assert page.url.endswith("/cities/" + answer[0]["name"].rsplit("/", 1)[1])


@pytest.mark.parametrize("place", ["data directory", "runtime directory"])
def test_the_browser_is_opened_without_a_token_in_the_list_of_processes(serve, browser, tmp_path, place):
    served = serve("--development", *(["--data", str(tmp_path / "data")] if place == "data directory" else ["--in-memory"]))
    seen = tmp_path / "seen"
    program = tmp_path / "browser"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {seen}.arguments\nstat -c "%a %u" "$1" > {seen}.mode\ncat "$1" > {seen}.html\n'
                       f'cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | grep -ac "{served.token[:20]}" > {seen}.processes\nexit 0\n'.replace(served.token[:20], "$(sed -n 's/.*#t=\\(.\\{20\\}\\).*/\\1/p' \"$1\" | head -1)"))
    program.chmod(0o755)
    answer = served.command(BROWSER=str(program))
    assert answer.returncode == 0 and served.token not in answer.stdout + answer.stderr, answer.stderr
    file = (tmp_path / "seen.arguments").read_text().strip()
    assert file.endswith(".html") and served.token not in file and not os.path.exists(file)
    assert (tmp_path / "seen.mode").read_text().split() == ["600", str(os.getuid())]
    page = browser.new_context().new_page()
    copy = tmp_path / "opened.html"
    copy.write_text((tmp_path / "seen.html").read_text())
    page.goto(copy.as_uri())
    page.wait_for_url(served.base + "/console/**")
    expect(page.get_by_text("Nothing here yet.")).to_be_visible()
    assert served.token not in page.url
    page.context.close()
    assert served.token not in served.log()
    folder = (tmp_path / "data") if place == "data directory" else next(p for p in served.folder.iterdir() if p.is_dir())
    written = next(folder.glob("*.console"))
    assert stat.S_IMODE(written.stat().st_mode) == 0o600
    served.stop()
    assert not written.exists()


def test_a_console_that_only_reads(serve, watched, tmp_path):
    served = serve("--development", "--in-memory", "--console-read-only")
    database = served.project("demo")
    books(database)
    token = {"Authorization": f"Bearer {served.token}"}
    write = {"writes": [{"delete": f"{database.root}/books/bk-001"}]}
    for path in [f"/v1/{database.root}:commit", f"/v1/{database.root}:batchWrite", f"/console/api/import?database={database.name}&format=jsonl"]:
        assert served.send("POST", path, write, token)[0] == 403, path
    assert served.send("DELETE", f"/v1/{database.root}/books/bk-001".replace("(", "%28").replace(")", "%29"), None, token)[0] == 403
    assert served.send("PUT", f"/console/api/rules?database={database.name}", {"content": "rules_version = '2';"}, token)[0] == 403
    assert served.send("POST", f"/console/api/indexes?database={database.name}", {"index": {}}, token)[0] == 403
    page = watched.open(database.url(path="books/bk-001"))
    expect(field(page, "title")).to_be_visible()
    field(page, "title").locator(".value-cell").click()
    page.keyboard.press("Delete")
    assert page.get_by_role("button", name=re.compile("New|Add|Save|Delete|Create")).count() == 0
    for name in ["transfer", "indexes", "rules", "query"]:
        page.goto(database.url(name, token=False))
        expect(page.locator("h1")).to_be_visible()
        expect(page.get_by_role("button", name=re.compile("^(Import|New|Create|Put in force)"))).to_have_count(0)
    assert database.get("books/bk-001") is not None


def test_behind_a_proxy(serve, watched, tmp_path):
    key = tmp_path / "console.key"
    token = write_key(key)
    rules = tmp_path / "firestore.rules"
    rules.write_text("rules_version = '2'; service cloud.firestore { match /databases/{d}/documents { match /{x=**} { allow read: if false; } } }")
    served = serve("--data", str(tmp_path / "data"), "--rules", str(rules), "--trusted-proxy", "127.0.0.1", "--console-token", str(key))
    proxy = Proxy(served.port)
    try:
        page = watched.open(f"{proxy.base}/console/data/demo/(default)/books#t={token}")
        expect(page.get_by_text("This collection has no documents.")).to_be_visible()
        is_live(page)
        page.get_by_role("button", name="New document").first.click()
        add_first(page, "title", "through a proxy")
        save(page)
        expect(page.locator(".grid-row")).to_have_count(1)
        # Live through the proxy, which must not hold answers back.
        other = watched.open(page.url + f"#t={token}")
        is_live(other)
        edit(page, "title", "seen at once")
        save(page)
        expect(field(other, "title").locator(".value-cell")).to_have_text('"seen at once"')
    finally:
        proxy.stop()


def add_first(page, name, value):
    form = page.get_by_role("group", name="New field")
    form.get_by_label("Name of the field").fill(name)
    form.get_by_label("value", exact=True).fill(value)
    form.get_by_role("button", name="Add", exact=True).click()


class Proxy:
    """A reverse proxy, as bytes: it adds the identity of the caller to requests, and passes answers on as they come."""

    def __init__(self, port):
        import socket
        self.target = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.base = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        import socket
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.target))
            threading.Thread(target=self.forward, args=(client, server), daemon=True).start()
            threading.Thread(target=self.copy, args=(server, client), daemon=True).start()

    def copy(self, source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except OSError:
            pass
        finally:
            for end in (source, target):
                try:
                    end.shutdown(2)
                except OSError:
                    pass

    def forward(self, client, server):
        """Requests of a browser begin with a line and headers; bodies follow by their length."""
        stream = client.makefile("rb")
        try:
            while line := stream.readline():
                head, length = [line, b"X-Forwarded-For: 203.0.113.7\r\n"], 0
                while (header := stream.readline()) not in (b"\r\n", b""):
                    if header.lower().startswith(b"content-length:"):
                        length = int(header.split(b":")[1])
                    head.append(header)
                server.sendall(b"".join(head) + b"\r\n" + stream.read(length))
        except OSError:
            pass
        finally:
            try:
                server.shutdown(1)
            except OSError:
                pass

    def stop(self):
        self.listener.close()
