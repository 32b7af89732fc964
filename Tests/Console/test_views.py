# SPDX-License-Identifier: Apache-2.0
"""Whom the console is for, how to begin, and what stands around the pages."""
import re, urllib.parse
from playwright.sync_api import expect
from pages import axe, books, field, integer, is_live, is_saved, row, save, text

RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{d}/documents {
    match /books/{b} {
      allow read: if request.auth.uid == 'alice';
    }
  }
}
"""


def rule(database, rules=RULES):
    database.console.send("PUT", f"/console/api/rules?database={urllib.parse.quote(database.name)}", {"content": rules}, {"Authorization": f"Bearer {database.console.token}"})


def view_as(page, choice, id=None):
    page.get_by_role("button", name="View as").click()
    page.get_by_role("menuitemradio", name=choice).click()
    if id:
        page.get_by_label("User id").fill(id)
        page.get_by_role("button", name="View", exact=True).click()


def test_view_as_survives_a_reload_and_denial_says_why_in_lines(fresh, watched):
    watched.tolerate("403")
    books(fresh, 2)
    rule(fresh)
    page = watched.open(fresh.url(path="books"))
    expect(page.get_by_text("2 shown")).to_be_visible()
    view_as(page, "Not signed in")
    failure = page.locator(".grid-place .failure")
    expect(failure.locator(".title")).to_have_text("Missing or insufficient permissions.")
    # Nothing says what is not shown, and each line of the trace is a line.
    expect(page.get_by_text("2 shown")).to_have_count(0)
    trace = failure.locator("pre").inner_text().splitlines()
    assert trace[0].startswith("list books: denied") and any("request.auth = null" in line for line in trace[1:]), trace
    page.reload()
    expect(page.get_by_role("button", name="View as")).to_contain_text("Not signed in")
    expect(failure.locator(".title")).to_be_visible()
    expect(page.get_by_text("shown")).to_have_count(0)
    view_as(page, "A user…", "alice")
    expect(page.get_by_text("2 shown")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="View as")).to_contain_text("alice")
    expect(page.get_by_text("2 shown")).to_be_visible()
    view_as(page, "Administrator")
    page.reload()
    expect(page.get_by_text("2 shown")).to_be_visible()
    expect(page.get_by_role("button", name="View as")).to_contain_text("Administrator")


def test_a_collection_can_be_made_from_everywhere(fresh, watched):
    books(fresh)
    page = watched.open(fresh.url("usage"))
    dialog = page.get_by_role("dialog", name="New collection")
    # By the beginning of the command, on a page without data.
    page.locator(".path").click()
    page.keyboard.type("new col")
    expect(page.get_by_role("option")).to_have_text(["New collection"])
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_label("Collection id")).to_be_focused()
    expect(dialog.locator(".problem")).to_have_text("")
    assert "/usage/" in page.url and page.locator(".path").input_value() == ""
    page.keyboard.press("Enter")
    expect(dialog.locator(".problem")).to_have_text("An id has at least one character.")
    page.keyboard.press("Escape")
    # By the list, and by the button, which is always there, by mouse and by key.
    page.locator(".path").click()
    page.keyboard.type("new")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    expect(dialog.locator(".problem")).to_have_text("")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="New collection").focus()
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    expect(dialog.locator(".problem")).to_have_text("")
    dialog.get_by_label("Collection id").fill("shops")
    dialog.get_by_role("button", name="Continue").click()
    page.get_by_label("Name of the field").fill("name")
    page.get_by_role("group", name="New field").get_by_label("value", exact=True).fill("Corner")
    save(page)
    expect(page.get_by_role("link", name="shops")).to_be_visible()
    assert "/shops/" in page.url


def test_the_first_screen_has_three_ways_to_connect_and_begins_a_collection(serve, watched):
    served = serve("--development", "--in-memory")
    page = watched.open(served.address, bypass_csp=True, reduced_motion="reduce", permissions=["clipboard-read", "clipboard-write"])
    host, port = served.server.split(":")
    lines = [f"export FIRESTORE_EMULATOR_HOST={served.server}", f"connectFirestoreEmulator(db, '{host}', {port});",
             f'Firestore.firestore().useEmulator(withHost: "{host}", port: {port})']
    expect(page.locator(".way pre")).to_have_text(lines)
    for way, line in zip(page.locator(".way").all(), lines):
        way.get_by_role("button", name=re.compile("^Copy the line")).click()
        expect(page.locator(".toast", has_text="Line copied.").last).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()") == line
    axe(page, "the first screen")
    # What belongs to an empty page stands in its middle.
    for element in page.locator(".empty > *").all():
        box, whole = element.bounding_box(), page.locator("main").bounding_box()
        assert abs(box["x"] + box["width"] / 2 - whole["x"] - whole["width"] / 2) < 3, element.inner_text()
    page.get_by_role("button", name="New collection").click()
    page.get_by_label("Collection id").fill("cities")
    expect(page.get_by_label("Project")).to_have_value("demo")
    page.keyboard.press("Enter")
    page.get_by_label("Name of the field").fill("name")
    page.get_by_role("group", name="New field").get_by_label("value", exact=True).fill("Kyoto")
    save(page)
    assert len(served.project("demo").call("GET", f"/v1/{served.project('demo').root}/cities")["documents"]) == 1


def test_an_unknown_address_says_not_found(fresh, watched):
    books(fresh)
    page = watched.open(fresh.url("nothing", path="a/b"))
    expect(page.get_by_text("Not found", exact=True)).to_be_visible()
    expect(page.locator(".empty")).to_contain_text("/console/nothing/")
    page.get_by_role("button", name="Open the data").click()
    expect(row(page, "bk-000")).to_be_visible()


def test_rules_with_errors_cannot_be_activated(fresh, watched):
    fresh.set("books/x", {"n": integer(1)})
    page = watched.open(fresh.url("rules"))
    area = page.get_by_label("Rules", exact=True)
    expect(area).to_have_value(re.compile("rules_version"))
    put = page.get_by_role("button", name="Put in force")
    area.fill(RULES.replace("'alice'", "alice +"))
    # Neither before they are checked nor afterwards.
    expect(put).to_be_disabled()
    expect(page.locator(".issue").first).to_be_visible()
    expect(put).to_be_disabled()
    area.fill(RULES)
    expect(put).to_be_enabled()
    page.get_by_role("button", name="Discard").click()


def test_columns_are_as_wide_as_their_content(fresh, watched):
    fresh.set("wide/x", {"long": text("A title of some length that is read at once"), "n": integer(1), "at": {"timestampValue": "2020-01-01T00:00:00.123456Z"}})
    # The policy forbids what is asked of the page again and again.
    page = watched.open(fresh.url(path="wide"), viewport={"width": 1600, "height": 800}, bypass_csp=True)
    expect(row(page, "x")).to_be_visible()
    assert page.evaluate("[...document.querySelectorAll('.grid-cell .ellipsis')].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent)") == []
    assert page.get_by_role("columnheader", name="n", exact=True).bounding_box()["width"] < 80
    # Those of this database: requests of other tests may have paths of any length.
    page.goto(fresh.url("requests", query="?" + urllib.parse.urlencode({"database": f"{fresh.project}/(default)"}), token=False))
    expect(page.locator(".grid-row").first).to_be_visible()
    page.wait_for_function("[...document.querySelectorAll('.grid-cell .ellipsis')].every((e) => e.scrollWidth <= e.clientWidth)")


def test_metrics_have_a_scale_and_names(fresh, watched):
    books(fresh)
    page = watched.open(fresh.url("usage"))
    for name in ["Duration, p50", "Duration, p99"]:
        expect(page.get_by_text(name, exact=True)).to_be_visible()
    # The largest value at the top, and the time below.
    tile = page.locator(".tile", has_text="Memory")
    expect(tile.locator(".scale").first).to_have_text(re.compile(r"MB$"))
    expect(tile.locator(".scale").last).to_contain_text("now")
    expect(tile.get_by_role("img")).to_have_attribute("aria-label", re.compile("Memory over time, at most .* MB"))


def test_json_is_coloured(fresh, watched):
    fresh.set("j/x", {"s": text('a "quoted": 1'), "n": integer(7), "b": {"booleanValue": True}})
    page = watched.open(fresh.url(path="j/x"))
    page.get_by_role("button", name="JSON").click()
    for kind, word in [("text", '"a \\"quoted\\": 1"'), ("number", "7"), ("boolean", "true"), ("name", '"s"')]:
        expect(page.locator(f".panel .k-{kind}", has_text=word).first).to_have_text(word)
    area = page.get_by_label("Document as typed JSON")
    area.fill('{"n": 8}')
    expect(page.locator(".panel .k-number")).to_have_text("8")
    # The layer of colours stands exactly under the text.
    boxes = [page.locator(f".json {part}").bounding_box() for part in ("pre", "textarea")]
    assert boxes[0]["x"] == boxes[1]["x"] and boxes[0]["y"] == boxes[1]["y"]
    save(page)
    assert fresh.fields("j/x") == {"n": integer(8)}


def test_no_native_lists_and_file_inputs_are_shown(fresh, watched):
    fresh.set("c/x", {"y": {"bytesValue": "AA=="}, "r": {"referenceValue": f"{fresh.root}/a/b"}})
    page = watched.open(fresh.url(path="c/x"))
    field(page, "y").locator(".value-cell").click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="From a file…").click()
    chooser.value.set_files({"name": "b", "mimeType": "application/octet-stream", "buffer": b"\x01\xff"})
    expect(page.get_by_label("Value of y")).to_have_value("01 ff")
    page.get_by_label("Value of y").press("Enter")
    save(page)
    assert fresh.fields("c/x")["y"] == {"bytesValue": "Af8="}
    assert page.locator("datalist, input[type=file]:visible").count() == 0
    page.goto(fresh.url("transfer", token=False))
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a file…").click()
    chooser.value.set_files({"name": "in.jsonl", "mimeType": "text/plain", "buffer": b'{"path": "c/y", "fields": {"n": 7}}\n'})
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("1 document imported.").first).to_be_visible()
    assert page.locator("datalist, input[type=file]:visible").count() == 0
