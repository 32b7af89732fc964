# SPDX-License-Identifier: Apache-2.0
"""The console as a person uses it."""
import json, re, time, urllib.parse
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from pages import books, edit, field, integer, row, save, text


def test_token_leaves_the_address(demo, watched):
    page = watched.open(demo.console.address)
    expect(page.get_by_text("Nothing here yet. Point an app at it:")).to_be_visible()
    assert "#t=" not in page.url and demo.console.token not in page.url
    assert page.evaluate("sessionStorage.getItem('hearth.token')") == demo.console.token
    page.reload()
    expect(page.get_by_text("Nothing here yet")).to_be_visible()


def test_without_a_token_the_page_asks_for_it(demo, watched):
    watched.tolerate("401")
    page = watched.open(demo.console.base + "/console/")
    expect(page.get_by_text("This page needs the address with the token.")).to_be_visible()
    page.get_by_label("Token or address").fill("wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Token or address")).to_have_value("")
    page.get_by_label("Token or address").fill(demo.console.address)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nothing here yet")).to_be_visible()


VALUES = [
    ("string", "plain \u202e text", text("plain \u202e text")), ("integer", "9223372036854775807", integer(2**63 - 1)), ("integer", "-9223372036854775808", integer(-2**63)),
    ("double", "-0.0", {"doubleValue": -0.0}), ("double", "NaN", {"doubleValue": "NaN"}), ("double", "-Infinity", {"doubleValue": "-Infinity"}), ("double", "1.0", {"doubleValue": 1}),
    ("double", "0.1", {"doubleValue": 0.1}), ("timestamp", "2026-11-22T10:30:00.123456+01:00", {"timestampValue": "2026-11-22T09:30:00.123456Z"}),
    ("timestamp", "0001-01-01T00:00:00Z", {"timestampValue": "0001-01-01T00:00:00Z"}), ("bytes", "00 01 ff", {"bytesValue": "AAH/"}),
    ("reference", "books/bk-1", {"referenceValue": "projects/demo/databases/(default)/documents/books/bk-1"}),
    ("vector", "1, -0.5, 2", {"mapValue": {"fields": {"__type__": text("__vector__"), "value": {"arrayValue": {"values": [{"doubleValue": 1}, {"doubleValue": -0.5}, {"doubleValue": 2}]}}}}}),
]


def test_each_type_is_added_and_read_back(demo, watched):
    demo.set("types/all", {"keep": {"timestampValue": "2020-01-01T00:00:00.000001Z"}})
    page = watched.open(demo.url(path="types/all"))
    for i, (kind, typed, _) in enumerate(VALUES):
        page.get_by_role("button", name="Add field").click()
        form = page.get_by_role("group", name="New field")
        form.get_by_label("Name of the field").fill(f"f{i:02}")
        form.get_by_label("Type of value").select_option(kind)
        form.get_by_label("value", exact=True).fill(typed)
        form.get_by_role("button", name="Add", exact=True).click()
        expect(field(page, f"f{i:02}")).to_be_visible()
    for name, kind in [("nothing", "null"), ("list", "array"), ("inner", "map"), ("place", "geopoint"), ("yes", "boolean")]:
        page.get_by_role("button", name="Add field").click()
        form = page.get_by_role("group", name="New field")
        form.get_by_label("Name of the field").fill(name)
        form.get_by_label("Type of value").select_option(kind)
        if kind == "geopoint":
            form.get_by_label("Latitude").fill("-37.5")
            form.get_by_label("Longitude").fill("180")
        if kind == "boolean":
            form.get_by_label("value", exact=True).select_option("true")
        form.get_by_role("button", name="Add", exact=True).click()
    save(page)
    stored = demo.fields("types/all")
    for i, (_, _, value) in enumerate(VALUES):
        assert json.dumps(stored[f"f{i:02}"]) == json.dumps(value)
    assert stored["nothing"] == {"nullValue": None} and stored["list"] == {"arrayValue": {}} and stored["inner"] == {"mapValue": {}}
    assert stored["place"] == {"geoPointValue": {"latitude": -37.5, "longitude": 180}} and stored["yes"] == {"booleanValue": True}
    assert stored["keep"] == {"timestampValue": "2020-01-01T00:00:00.000001Z"}


def test_each_type_is_edited_in_place(demo, watched):
    before = {"s": text("a"), "i": integer(1), "d": {"doubleValue": 1.5}, "t": {"timestampValue": "2020-01-01T00:00:00.123456Z"}, "b": {"booleanValue": False},
              "y": {"bytesValue": "AA=="}, "g": {"geoPointValue": {"latitude": 1, "longitude": 2}}, "r": {"referenceValue": f"{demo.root}/a/b"}}
    demo.set("types/edit", before)
    page = watched.open(demo.url(path="types/edit"))
    for name, typed in [("s", "b\nc"), ("i", "9007199254740993"), ("d", "-0"), ("t", "2021-12-31T23:59:59.999999Z"), ("y", "base64:AQI="), ("r", "c/d")]:
        cell = field(page, name).locator(".value-cell")
        if name == "r":
            field(page, name).focus()
            page.keyboard.press("Enter")
        else:
            cell.click()
        page.get_by_label(f"Value of {name}").fill(typed)
        page.keyboard.press("Enter")
    field(page, "g").locator(".value-cell").click()
    page.get_by_label("Latitude").fill("-0.0")
    page.keyboard.press("Enter")
    field(page, "b").locator(".value-cell").click()
    save(page)
    stored = demo.fields("types/edit")
    assert stored["s"] == text("b\nc") and stored["i"] == integer(9007199254740993) and json.dumps(stored["d"]) == '{"doubleValue": -0.0}'
    assert stored["t"] == {"timestampValue": "2021-12-31T23:59:59.999999Z"} and stored["y"] == {"bytesValue": "AQI="} and stored["b"] == {"booleanValue": True}
    assert json.dumps(stored["g"]["geoPointValue"]["latitude"]) == "-0.0" and stored["r"] == {"referenceValue": f"{demo.root}/c/d"}


def test_references_are_completed(demo, watched):
    books(demo, 20)
    demo.set("r/x", {"r": {"referenceValue": f"{demo.root}/a/b"}})
    page = watched.open(demo.url(path="r/x"))
    field(page, "r").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Value of r").fill("bo")
    expect(page.locator("datalist option")).to_have_count(1)
    page.get_by_label("Value of r").fill("books/bk-01")
    expect(page.locator("datalist option")).to_have_count(10)
    page.get_by_label("Value of r").fill("books/bk-011")
    page.keyboard.press("Enter")
    save(page)
    assert demo.fields("r/x") == {"r": {"referenceValue": f"{demo.root}/books/bk-011"}}


def test_tab_goes_on(demo, watched):
    demo.set("types/tab", {"a": text("1"), "b": text("2"), "c": {"booleanValue": True}})
    page = watched.open(demo.url(path="types/tab"))
    field(page, "a").locator(".value-cell").click()
    page.keyboard.type("first")
    page.keyboard.press("Tab")
    page.keyboard.type("second")
    page.keyboard.press("Tab")
    expect(field(page, "c")).to_be_focused()
    page.keyboard.press("Enter")
    save(page)
    assert demo.fields("types/tab") == {"a": text("first"), "b": text("second"), "c": {"booleanValue": False}}


def test_read_only(demo, watched):
    books(demo)
    page = watched.open("about:blank")
    page.route("**/console/api/server", lambda route: route.fulfill(json={**route.fetch().json(), "readOnly": True}))
    page.goto(demo.url(path="books/bk-001"))
    expect(field(page, "title")).to_be_visible()
    field(page, "title").locator(".value-cell").click()
    page.keyboard.press("Delete")
    assert page.get_by_role("button", name=re.compile("New|Add|Save|Delete|Create")).count() == 0
    assert page.locator(".panel textarea, .panel input").count() == 0
    page.goto(demo.url("transfer"))
    expect(page.get_by_role("heading", name="Export", exact=True)).to_be_visible()
    assert page.get_by_role("heading", name="Import", exact=True).count() == 0
    assert demo.get("books/bk-001") is not None


def test_wrong_text_is_refused_at_the_field(demo, watched):
    demo.set("types/x", {"i": integer(1)})
    page = watched.open(demo.url(path="types/x"))
    field(page, "i").locator(".value-cell").click()
    page.get_by_label("Value of i").fill("9223372036854775808")
    page.keyboard.press("Enter")
    expect(page.locator(".edit .problem")).to_contain_text("64 bits")
    page.keyboard.press("Escape")
    expect(field(page, "i").locator(".value-cell")).to_have_text("1")


def test_maps_arrays_and_odd_names(demo, watched):
    demo.set("odd/x", {"m": {"mapValue": {"fields": {"a.b": text("1"), "`": text("2"), "\U0001F600": text("3"), "constructor": text("4")}}}, "l": {"arrayValue": {"values": [integer(1), integer(2)]}}})
    page = watched.open(demo.url(path="odd/x"))
    field(page, "m").locator(".value-cell").click()
    field(page, "a.b").locator(".value-cell").click()
    page.get_by_label("Value of a.b").fill("changed")
    page.keyboard.press("Enter")
    field(page, "l").focus()
    page.keyboard.press("ArrowRight")
    field(page, "0").focus()
    page.keyboard.press("Alt+ArrowDown")
    save(page)
    assert demo.fields("odd/x") == {"m": {"mapValue": {"fields": {"a.b": text("changed"), "`": text("2"), "\U0001F600": text("3"), "constructor": text("4")}}},
                                    "l": {"arrayValue": {"values": [integer(2), integer(1)]}}}


def test_a_large_document_is_saved_by_its_changes(demo, watched):
    large = "x" * 900_000
    demo.set("large/x", {"big": text(large), "n": integer(1), "\U0001F600": text("name")})
    page = watched.open(demo.url(path="large/x"))
    field(page, "n").locator(".value-cell").click()
    page.get_by_label("Value of n").fill("2")
    page.keyboard.press("Enter")
    with page.expect_request("**:commit") as request:
        save(page)
    assert len(request.value.post_data) < 500
    assert demo.fields("large/x") == {"big": text(large), "n": integer(2), "\U0001F600": text("name")}


def test_computed_values(demo, watched):
    demo.set("c/x", {"n": integer(5), "at": {"timestampValue": "2020-01-01T00:00:00Z"}})
    page = watched.open(demo.url(path="c/x"))
    for name, kind in [("n", "increment"), ("at", "serverTime")]:
        field(page, name).hover()
        page.get_by_label(f"Menu of {name}").click()
        page.get_by_role("menuitem", name="Compute when saved…").click()
        page.locator("dialog").get_by_label("Value", exact=True).select_option(kind)
        page.get_by_role("button", name="Use").click()
    save(page)
    stored = demo.fields("c/x")
    assert stored["n"] == integer(6) and stored["at"]["timestampValue"] > "2025"


def test_json_view(demo, watched):
    demo.set("j/x", {"at": {"timestampValue": "2020-01-01T00:00:00Z"}, "n": integer(1)})
    page = watched.open(demo.url(path="j/x"))
    page.get_by_role("button", name="JSON").click()
    area = page.get_by_label("Document as typed JSON")
    area.fill('{"at": "2021-01-01T00:00:00Z", "n": 1.0,\n "x": oops}')
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".panel .problem")).to_contain_text("Line 2, column 7")
    area.fill('{"at": "2021-01-01T00:00:00Z", "n": 1.0}')
    save(page)
    assert demo.fields("j/x") == {"at": {"timestampValue": "2021-01-01T00:00:00Z"}, "n": {"doubleValue": 1}}


def test_two_editors(demo, watched):
    watched.tolerate("400")
    demo.set("two/x", {"a": text("1"), "b": text("1"), "c": text("1")})
    page = watched.open(demo.url(path="two/x"))
    # Paused, so that the other editor is not seen before the save.
    page.keyboard.press(".")
    expect(page.get_by_role("button", name="Paused")).to_be_visible()
    for name in "ab":
        field(page, name).locator(".value-cell").click()
        page.get_by_label(f"Value of {name}").fill("mine")
        page.keyboard.press("Enter")
    demo.set("two/x", {"a": text("theirs"), "b": text("theirs"), "c": text("theirs")})
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("heading", name="The document has changed")).to_be_visible()
    page.get_by_label("a: theirs").check()
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.locator(".toast", has_text="Saved.")).to_be_visible()
    assert demo.fields("two/x") == {"a": text("theirs"), "b": text("mine"), "c": text("theirs")}


def test_changes_elsewhere_are_marked_and_never_over_the_input(demo, watched):
    demo.set("live/x", {"a": text("1"), "b": text("1")})
    page = watched.open(demo.url(path="live/x"))
    expect(field(page, "b")).to_be_visible()
    time.sleep(0.5)
    demo.set("live/x", {"a": text("1"), "b": text("2")})
    expect(field(page, "b").locator(".value-cell")).to_have_text('"2"')
    field(page, "a").locator(".value-cell").click()
    page.get_by_label("Value of a").fill("typing")
    demo.set("live/x", {"a": text("other"), "b": text("2")})
    expect(field(page, "a").locator(".mark-theirs")).to_be_visible()
    expect(page.get_by_label("Value of a")).to_have_value("typing")


def test_rows_change_arrive_and_go(demo, watched):
    books(demo)
    page = watched.open(demo.url(path="books"))
    expect(row(page, "bk-000")).to_be_visible()
    time.sleep(0.6)
    demo.set("books/bk-003", {"title": text("changed"), "n": integer(3)})
    expect(row(page, "bk-003")).to_contain_text("changed")
    demo.set("books/bk-000a", {"title": text("new")})
    expect(page.get_by_role("button", name="1 new ↑")).to_be_visible()
    demo.commit({"delete": f"{demo.root}/books/bk-004"})
    expect(row(page, "bk-004")).to_have_class(re.compile("gone"))
    page.get_by_role("button", name="1 new ↑").click()
    expect(row(page, "bk-000a")).to_be_visible()


def test_a_row_that_is_pushed_out_is_not_struck(demo, watched):
    books(demo, 60)
    query = urllib.parse.quote(json.dumps({"orderBy": [{"field": {"fieldPath": "n"}, "direction": "DESCENDING"}]}))
    page = watched.open(demo.url(path="books", query=f"?q={query}"))
    expect(row(page, "bk-059")).to_be_visible()
    time.sleep(1)
    demo.set("books/top", {"n": integer(1000)})
    expect(page.get_by_role("button", name="1 new ↑")).to_be_visible()
    time.sleep(0.5)
    assert page.locator(".grid-row.gone").count() == 0
    demo.set("books/bk-058", {"n": integer(-1)})
    time.sleep(0.5)
    page.get_by_role("button", name="1 new ↑").click()
    expect(page.locator(".grid-row").first).to_contain_text("top")
    assert row(page, "bk-058").count() == 0


def test_a_storm_of_writes(demo, watched):
    books(demo)
    page = watched.open(demo.url(path="books"))
    expect(row(page, "bk-000")).to_be_visible()
    time.sleep(0.5)
    page.evaluate("""() => {
      globalThis.frames_ = []; let last = performance.now();
      const tick = (now) => { frames_.push(now - last); last = now; requestAnimationFrame(tick); };
      requestAnimationFrame(tick);
    }""")
    began, rounds = time.time(), 100
    for i in range(rounds):
        demo.commit(*[{"update": {"name": f"{demo.root}/books/bk-{j:03}", "fields": {"title": text(f"round {i}"), "n": integer(j)}}} for j in range(20)])
    seconds = time.time() - began
    expect(row(page, "bk-019")).to_contain_text(f"round {rounds - 1}")
    frames = sorted(page.evaluate("frames_"))
    print(f"\n{rounds * 20 / seconds:.0f} writes/s into visible rows: frames p50 {frames[len(frames) // 2]:.1f} ms, p99 {frames[int(len(frames) * 0.99)]:.1f} ms, worst {frames[-1]:.1f} ms")


def test_delete_and_undo(demo, watched):
    books(demo)
    before = demo.fields("books/bk-001")
    page = watched.open(demo.url(path="books/bk-001"))
    expect(field(page, "title")).to_be_visible()
    page.keyboard.press("Delete")
    expect(page.locator(".toast", has_text="deleted")).to_be_visible()
    assert demo.get("books/bk-001") is None
    page.get_by_role("button", name="Undo").click()
    expect(row(page, "bk-001")).not_to_have_class(re.compile("gone"))
    for _ in range(50):
        if demo.get("books/bk-001"):
            break
        time.sleep(0.1)
    assert demo.fields("books/bk-001") == before


def test_save_and_undo(demo, watched):
    demo.set("u/x", {"a": text("1")})
    page = watched.open(demo.url(path="u/x"))
    field(page, "a").locator(".value-cell").click()
    page.get_by_label("Value of a").fill("2")
    page.keyboard.press("Control+s")
    expect(page.locator(".toast", has_text="Saved.")).to_be_visible()
    assert demo.fields("u/x") == {"a": text("2")}
    page.get_by_role("button", name="Undo").click()
    expect(field(page, "a").locator(".value-cell")).to_have_text('"1"')
    assert demo.fields("u/x") == {"a": text("1")}


def test_documents_that_do_not_exist(demo, watched):
    demo.set("users/ghost/orders/o1", {"n": integer(1)})
    page = watched.open(demo.url(path="users"))
    expect(row(page, "ghost")).to_contain_text("does not exist")
    row(page, "ghost").click()
    expect(page.get_by_text("This document does not exist.")).to_be_visible()
    page.get_by_role("link", name="orders").click()
    expect(row(page, "o1")).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Create it").click()
    expect(page.get_by_text("No fields.")).to_be_visible()
    assert demo.get("users/ghost") is not None


def test_a_collection_is_deleted_with_everything_below(demo, watched):
    books(demo, 120)
    for path in ["books/bk-001/chapters/c1", "books/ghost/chapters/c2", "books/__id7__/chapters/c3", "books2/x"]:
        demo.set(path, {"n": integer(1)})
    page = watched.open(demo.url(path="books"))
    expect(row(page, "bk-000")).to_be_visible()
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("menuitem", name="Delete collection…").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator(".problem", has_text="The text is not “books”.")).to_be_visible()
    page.get_by_label("Type books to confirm").fill("books")
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator(".toast", has_text="documents deleted.")).to_be_visible()
    assert demo.call("POST", f"/v1/{demo.root}:listCollectionIds", {})["collectionIds"] == ["books2"]


def test_a_new_tab_has_the_token(demo, watched):
    books(demo)
    page = watched.open(demo.url(path="books"))
    expect(row(page, "bk-000")).to_be_visible()
    other = page.context.new_page()
    other.goto(demo.url(path="books").split("#")[0])
    expect(row(other, "bk-000")).to_be_visible()


HOSTILE = ["<img src=x onerror=alert(1)>", "'\"><script>alert(1)", "\u202egnirts", "a?b#c&d=e%2F", "{{x}}", "javascript:alert(1)", "x.js", "\U0001F600", " ", "constructor"]


def test_hostile_ids(demo, watched):
    for id in HOSTILE:
        demo.commit({"update": {"name": f"{demo.root}/{id}/{id}", "fields": {id: text(id), "toString": text("p")}}}, {"update": {"name": f"{demo.root}/hostile/{id}", "fields": {id: text(id)}}})
    page = watched.open(demo.url(path="hostile"))
    page.on("dialog", lambda d: watched.problems.append("a dialog of the browser: " + d.message))
    for id in HOSTILE:
        page.goto(demo.url(path=f"hostile/{id}"))
        expect(page.locator(".panel .field")).to_have_count(1)
        page.reload()
        expect(page.locator(".panel .field")).to_have_count(1)
    page.goto(demo.url(path=f"{HOSTILE[0]}/{HOSTILE[0]}"))
    expect(page.locator(".panel .field")).to_have_count(2)
    assert page.locator("#main img, #left img, #main script").count() == 0


def test_keyboard_only_from_start_to_a_saved_document(demo, watched):
    books(demo)
    page = watched.open(demo.console.address)
    expect(row(page, "bk-000")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("books")
    page.keyboard.press("Enter")
    page.keyboard.press("n")
    expect(page.get_by_label("Name of the field")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Control+a")
    page.keyboard.type("by-keyboard")
    page.keyboard.press("Tab")
    page.keyboard.type("title")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("Typed")
    page.keyboard.press("Enter")
    expect(field(page, "title")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Control+a")
    page.keyboard.type("Typed again")
    page.keyboard.press("Enter")
    page.keyboard.press("Control+s")
    expect(page.locator(".toast", has_text="Saved.")).to_be_visible()
    assert demo.fields("books/by-keyboard") == {"title": text("Typed again")}
    assert page.url.endswith("/books/by-keyboard")


def test_table_by_keyboard(demo, watched):
    books(demo)
    page = watched.open(demo.url(path="books"))
    page.get_by_role("grid").focus()
    for key in ["ArrowDown", "ArrowDown", "Space", "ArrowDown", "Space"]:
        page.keyboard.press(key)
    expect(page.get_by_text("2 selected")).to_be_visible()
    page.keyboard.press("Delete")
    page.get_by_role("button", name="Delete 2 documents").click()
    expect(page.get_by_text("2 documents deleted.").last).to_be_visible()
    assert demo.get("books/bk-002") is None and demo.get("books/bk-003") is None
    page.get_by_role("button", name="Undo").click()
    expect(row(page, "bk-003")).not_to_have_class(re.compile("gone"))
    page.get_by_role("grid").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".panel h2")).to_be_visible()
    page.keyboard.press("]")
    page.keyboard.press("[")


def test_sort_filter_and_columns_are_in_the_url(demo, watched):
    books(demo)
    page = watched.open(demo.url(path="books"))
    page.get_by_role("columnheader", name="n", exact=True).click()
    page.get_by_role("menuitemradio", name="Sort descending").click()
    expect(page.locator(".grid-row").first).to_contain_text("bk-029")
    page.get_by_role("button", name="Filter").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Field", exact=True).fill("n")
    dialog.get_by_label("Operator").select_option("<")
    dialog.get_by_label("Type of value").select_option("integer")
    dialog.get_by_label("value", exact=True).fill("5")
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Show").click()
    expect(page.locator(".grid-row").first).to_contain_text("bk-004")
    expect(page.locator(".chip").first).to_contain_text("n < 5")
    page.reload()
    expect(page.locator(".grid-row")).to_have_count(5)
    page.go_back()
    expect(page.locator(".grid-row").first).to_contain_text("bk-029")


def test_query_builder(demo, watched):
    books(demo)
    page = watched.open(demo.url("query"))
    expect(page.get_by_label("Collection", exact=True)).to_have_value("books")
    page.get_by_role("button", name="Add condition").click()
    page.get_by_label("Field", exact=True).fill("n")
    page.get_by_label("Operator").select_option(">=")
    page.get_by_label("Type of value").select_option("integer")
    page.get_by_label("value", exact=True).fill("27")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="3 results")).to_be_visible()
    expect(page.locator(".explain")).to_contain_text("Read 30 documents for 3 results: an index on n ASC would read 3.")
    expect(page.locator(".code pre")).to_contain_text('.whereField("n", isGreaterThanOrEqualTo: 27)')
    page.get_by_role("button", name="REST").click()
    assert json.loads(page.locator(".code pre").inner_text())["structuredQuery"]["where"]["fieldFilter"]["op"] == "GREATER_THAN_OR_EQUAL"
    page.reload()
    expect(page.get_by_role("heading", name="3 results")).to_be_visible()
    page.get_by_role("button", name="Paste").click()
    page.get_by_role("textbox", name="REST JSON").fill('{"structuredAggregationQuery": {"structuredQuery": {"from": [{"collectionId": "books"}]}, "aggregations": [{"alias": "sum", "sum": {"field": {"fieldPath": "n"}}}]}}')
    page.get_by_role("button", name="Use").click()
    page.get_by_role("button", name="Run").click()
    expect(page.locator(".facts")).to_contain_text("435")


def test_illegal_queries_show_the_message_of_the_server(demo, watched):
    books(demo)
    watched.tolerate("400")
    query = {"structuredQuery": {"from": [{"collectionId": "books"}], "where": {"fieldFilter": {"field": {"fieldPath": "n"}, "op": "IN", "value": {"arrayValue": {}}}}}}
    page = watched.open(demo.url("query", query="?q=" + urllib.parse.quote(json.dumps(query))))
    expect(page.locator(".failure")).to_contain_text("INVALID_ARGUMENT")


def test_requests_and_why_they_were_denied(demo, watched):
    watched.tolerate("403")
    books(demo)
    rules = "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents { match /books/{b} { allow read: if request.auth.uid == 'alice'; } } }"
    demo.call("PUT", "/emulator/v1/projects/demo:securityRules", {"rules": {"files": [{"name": "r", "content": rules}]}})
    try:
        page = watched.open(demo.url(path="books"))
        expect(row(page, "bk-000")).to_be_visible()
        page.get_by_role("button", name="View as").click()
        page.get_by_role("menuitemradio", name="Not signed in").click()
        expect(page.locator(".failure, .toast.error").first).to_be_visible()
        page.get_by_role("button", name="View as").click()
        page.get_by_role("menuitemradio", name="A user…").click()
        page.get_by_label("User id").fill("alice")
        page.get_by_role("button", name="View", exact=True).click()
        expect(row(page, "bk-000")).to_be_visible()
        page.keyboard.press("g")
        page.keyboard.press("r")
        page.locator(".grid-row", has_text="PERMISSION_DENIED").filter(has_text="books").first.click()
        expect(page.locator(".trace")).to_contain_text("request.auth.uid")
        page.get_by_label("Outcome").select_option("failed")
        assert "code=failed" in page.url
    finally:
        demo.call("PUT", "/emulator/v1/projects/demo:securityRules", {"rules": {"files": [{"name": "OPEN_RULES", "content": "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents { match /{x=**} { allow read, write; } } }"}]}})


def test_rules(demo, watched):
    page = watched.open(demo.url("rules"))
    area = page.get_by_label("Rules", exact=True)
    expect(area).to_have_value(re.compile("rules_version"))
    before = area.input_value()
    area.fill("rules_version = '2';\nservice cloud.firestore {\n  match /databases/{d}/documents {\n    match /{x=**} { allow read: if tru; }\n  }\n}\n")
    expect(page.locator(".issue").first).to_be_visible()
    expect(page.locator(".numbers .bad")).to_have_count(1)
    area.fill(before + "\n")
    expect(page.locator(".issue")).to_have_count(0)
    page.get_by_role("button", name="Put in force").click()
    expect(page.get_by_text("The rules are in force.").last).to_be_visible()


def test_indexes(demo, watched):
    books(demo)
    page = watched.open(demo.url("indexes"))
    page.get_by_role("button", name="New index").click()
    page.get_by_label("Collection id").fill("books")
    page.get_by_label("Field", exact=True).first.fill("n")
    page.get_by_role("button", name="Create", exact=True).last.click()
    expect(page.get_by_role("cell", name="n ↑", exact=True)).to_be_visible()
    page.get_by_label("Delete the index on n ↑").click()
    expect(page.get_by_role("cell", name="n ↑", exact=True)).to_have_count(0)


def test_import_and_export(demo, watched, tmp_path):
    books(demo, 3)
    page = watched.open(demo.url("transfer"))
    file = tmp_path / "in.jsonl"
    file.write_text('{"path": "books/bk-000", "fields": {"n": 7}}\n{"path": "shops/s1", "fields": {"n": 1.5}}\n')
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_role("button", name="Try without writing").click()
    expect(page.get_by_text("2 documents would be written.")).to_be_visible()
    expect(page.get_by_text("1 exist already and would be replaced:")).to_be_visible()
    assert demo.get("shops/s1") is None
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("2 documents imported.").first).to_be_visible()
    assert demo.fields("shops/s1") == {"n": {"doubleValue": 1.5}}
    page.evaluate("delete globalThis.showSaveFilePicker; globalThis.showSaveFilePicker = undefined")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export", exact=True).click()
    assert len(download.value.path().read_text().splitlines()) == 4


def test_server_gone_and_back(demo, watched):
    watched.tolerate("ERR_INTERNET_DISCONNECTED")
    watched.tolerate("net::")
    books(demo)
    page = watched.open(demo.url(path="books"))
    expect(row(page, "bk-000")).to_be_visible()
    page.context.set_offline(True)
    page.get_by_role("button", name="Count").click()
    expect(page.get_by_text("The server does not answer. What you see")).to_be_visible()
    expect(row(page, "bk-000")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("The server does not answer. What you see")).to_be_hidden(timeout=20000)


def test_unsaved_changes_are_not_lost(demo, watched):
    books(demo)
    page = watched.open(demo.url(path="books/bk-001"))
    field(page, "title").locator(".value-cell").click()
    page.get_by_label("Value of title").fill("mine")
    page.keyboard.press("Enter")
    row(page, "bk-002").click()
    expect(page.get_by_role("heading", name="Discard the changes?")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    assert page.url.endswith("bk-001")
    row(page, "bk-002").click()
    page.get_by_role("button", name="Discard", exact=True).last.click()
    expect(page.locator(".panel h2")).to_have_text("bk-002")


def axe(page, what):
    violations = Axe().run(page).response["violations"]
    assert violations == [], what + ": " + "; ".join(f"{v['id']}: {[n['html'][:160] for n in v['nodes'][:3]]}" for v in violations)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility(demo, watched, scheme):
    books(demo)
    demo.set("types/all", {"s": text("a"), "i": integer(1), "d": {"doubleValue": 1.5}, "t": {"timestampValue": "2020-01-01T00:00:00Z"}, "b": {"booleanValue": False}, "y": {"bytesValue": "AA=="},
                           "g": {"geoPointValue": {"latitude": 1, "longitude": 2}}, "r": {"referenceValue": f"{demo.root}/a/b"}, "n": {"nullValue": None}, "l": {"arrayValue": {"values": [integer(1)]}}})
    page = watched.open(demo.url(path="types/all"), color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    expect(field(page, "s")).to_be_visible()
    axe(page, "a document")
    for name in ["t", "y", "g", "s"]:
        field(page, name).locator(".value-cell").click()
        page.wait_for_selector(".edit")
        axe(page, f"editing {name}")
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Add field").click()
    axe(page, "adding a field")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="JSON").click()
    axe(page, "JSON")
    page.get_by_role("button", name="Fields").click()
    for label, title in [("Filter", "Filter"), ("Columns", "Columns")]:
        page.get_by_role("button", name=label, exact=True).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        axe(page, f"dialog {title}")
        page.keyboard.press("Escape")
    page.get_by_label("Settings").click()
    axe(page, "a menu")
    page.get_by_role("menuitem", name="Keys").click()
    axe(page, "dialog of keys")
    page.keyboard.press("Escape")
    page.get_by_label("View as").click()
    page.get_by_role("menuitemradio", name="A user…").click()
    axe(page, "dialog of view as")
    page.keyboard.press("Escape")
    for name in ["query", "requests", "indexes", "usage", "transfer", "rules"]:
        page.goto(demo.url(name))
        page.wait_for_selector("h1")
        time.sleep(0.5)
        axe(page, name)
    page.goto(demo.url("indexes"))
    page.get_by_role("button", name="New index").click()
    axe(page, "dialog of a new index")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width, height", [(360, 640), (320, 256)], ids=["phone", "zoom-400"])
def test_readable_when_narrow(demo, watched, scheme, width, height):
    books(demo)
    page = watched.open(demo.url(path="books"), viewport={"width": width, "height": height}, color_scheme=scheme)
    expect(row(page, "bk-000")).to_be_visible()
    page.get_by_role("button", name="Menu", exact=True).click()
    expect(page.get_by_role("link", name="Requests")).to_be_visible()
    for name in ["query", "requests", "indexes", "usage", "transfer", "rules"]:
        page.goto(demo.url(name))
        page.wait_for_selector("h1")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
    page.goto(demo.url(path="books/bk-001"))
    expect(field(page, "title")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # No button is cut, no head is broken into letters, and the results of a query can be read.
    page.goto(demo.url("rules"))
    area = page.get_by_label("Rules", exact=True)
    expect(area).to_have_value(re.compile("rules_version"))
    area.fill(area.input_value() + "\n")
    expect(page.get_by_role("button", name="Put in force")).to_be_visible()
    assert page.evaluate("Math.max(...[...document.querySelectorAll('#top button')].map((b) => b.getBoundingClientRect().right))") <= width
    area.fill(area.input_value()[:-1])
    index = {"collectionGroup": "books", "queryScope": "COLLECTION", "fields": [{"fieldPath": "n", "order": "ASCENDING"}]}
    demo.console.send("POST", f"/console/api/indexes?database={demo.name}", {"index": index}, {"Authorization": f"Bearer {demo.console.token}"})
    page.goto(demo.url("indexes"))
    expect(page.get_by_role("columnheader").first).to_be_visible()
    assert page.get_by_role("columnheader").first.bounding_box()["height"] < 60
    page.goto(demo.url("query"))
    page.get_by_role("button", name="Run").click()
    page.locator(".grid-row").nth(2).scroll_into_view_if_needed()
    assert page.locator(".results").bounding_box()["height"] >= height * 0.6
