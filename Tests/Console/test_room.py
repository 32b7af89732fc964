# SPDX-License-Identifier: Apache-2.0
"""What is shown has room, and is there at once."""
import re
from playwright.sync_api import expect
from pages import books, edit, field, integer, is_live, is_saved, row, save, text

headers = lambda page: page.locator(".grid-header .ellipsis").all_text_contents()
WIDE = {"viewport": {"width": 1440, "height": 900}}


def is_whole(page, locator):
    """Whether an element is inside of the page, and nothing in it is cut off."""
    box = locator.bounding_box()
    inside = box["x"] >= 0 and box["x"] + box["width"] <= page.viewport_size["width"] + 1
    return inside and locator.evaluate("(e) => e.scrollWidth <= e.clientWidth + 1")


def test_json_and_pipeline_editors_are_as_wide_as_their_place(demo, watched):
    demo.set("books/x", {"title": text("a")})
    page = watched.open(demo.url(path="books/x"), **WIDE)
    page.get_by_role("button", name="JSON", exact=True).click()
    widths = "(e) => [e.querySelector('textarea').getBoundingClientRect().width, e.getBoundingClientRect().width]"
    expect(page.locator(".panel .source.json textarea")).to_be_visible()
    area, place = page.locator(".panel .source.json").evaluate(widths)
    assert area >= place - 2
    page.goto(demo.url("query", query="?p=collection(/books)", token=False))
    expect(page.locator(".query .source.json textarea")).to_be_visible()
    area, place = page.locator(".query .source.json").evaluate(widths)
    assert area >= place - 2
    # A long line scrolls its place, and the text area is as wide as the line.
    page.locator(".query .source.json textarea").fill("collection(/books)\n" + "where(equal(n, 1)) " * 40)
    area, place = page.locator(".query .source.json").evaluate(widths)
    assert area > place


def test_a_field_that_is_new_gets_its_column_at_once(demo, watched):
    books(demo, 3)
    page = watched.open(demo.url(path="books/bk-001"), **WIDE)
    expect(field(page, "title")).to_be_visible()
    is_live(page)
    assert headers(page) == ["id", "n", "title"]
    # Saved here,
    page.get_by_role("button", name="Add field").click()
    page.get_by_label("Name of the field").fill("here")
    page.get_by_label("value", exact=True).fill("x")
    save(page)
    expect(page.locator(".grid-header", has_text=re.compile("^here$"))).to_be_visible()
    # and written by another client.
    demo.set("books/bk-002", {"title": text("b"), "n": integer(2), "there": text("y")})
    expect(page.locator(".grid-header", has_text=re.compile("^there$"))).to_be_visible()
    assert headers(page) == ["id", "n", "title", "here", "there"]
    # Beside columns that a person has chosen, too; and they are there when the page is opened again.
    page.locator(".grid-header", has_text=re.compile("^here$")).click()
    page.get_by_role("menuitem", name="Hide").click()
    demo.set("books/bk-000", {"title": text("a"), "n": integer(0), "later": text("z")})
    expect(page.locator(".grid-header", has_text=re.compile("^later$"))).to_be_visible()
    assert headers(page) == ["id", "n", "title", "there", "later"]
    page.reload()
    expect(page.locator(".grid-header", has_text=re.compile("^later$"))).to_be_visible()
    assert headers(page) == ["id", "n", "title", "there", "later"]


def test_the_id_of_a_document_is_told_from_a_field_of_that_name(fresh, watched):
    fresh.set("books/x", {"id": integer(7)})
    page = watched.open(fresh.url(path="books"))
    expect(row(page, "x")).to_be_visible()
    assert headers(page) == ["document id", "id"]


def test_saved_goes_when_the_next_save_fails(demo, watched):
    demo.set("books/x", {"n": integer(1)})
    page = watched.open(demo.url(path="books/x"))
    edit(page, "n", "2")
    save(page)
    watched.tolerate("400")
    page.route("**:commit", lambda route: route.fulfill(status=400, content_type="application/json", body='{"error": {"code": 400, "message": "not today", "status": "INVALID_ARGUMENT"}}'))
    edit(page, "n", "3")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".toast.error", has_text="not today")).to_be_visible()
    expect(page.locator(".toast", has_text="Saved.")).to_have_count(0)
    # What cannot be read is not saved either.
    page.unroute("**:commit")
    page.get_by_role("button", name="Save", exact=True).click()
    is_saved(page)
    page.get_by_role("button", name="JSON", exact=True).click()
    page.get_by_label("Document as typed JSON").fill("{")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".panel .problem").first).not_to_be_empty()
    expect(page.locator(".toast", has_text="Saved.")).to_have_count(0)


def test_requests_are_filtered_by_database(console, fresh, watched):
    other = console.project(f"{fresh.project}-b")
    page = watched.open(fresh.url("requests"), **WIDE)
    is_live(page)
    for database in [fresh, other]:
        database.set("books/x", {"n": integer(1)})
    places = [f"{database.project}/(default)" for database in [fresh, other]]
    for place in places:
        expect(page.locator(".grid-row", has_text=place).first).to_be_visible()
    page.get_by_label("Database", exact=True).last.select_option(places[0])
    expect(page.locator(".grid-row", has_text=places[1])).to_have_count(0)
    expect(page.locator(".grid-row", has_text=places[0]).first).to_be_visible()
    page.reload()
    expect(page.locator(".grid-row", has_text=places[0]).first).to_be_visible()
    expect(page.locator(".grid-row", has_text=places[1])).to_have_count(0)


def test_nothing_is_cut_off_at_1440_pixels_with_the_panel_open(demo, watched):
    demo.set("books/x", {"title": text("The Left Hand of Darkness"), "n": integer(1), "at": {"timestampValue": "2026-01-01T00:00:00.123456Z"},
                         "place": {"geoPointValue": {"latitude": 37.7749, "longitude": -122.4194}}})
    page = watched.open(demo.url(path="books/x"), **WIDE)
    expect(field(page, "title")).to_be_visible()
    assert is_whole(page, page.locator("#top"))
    bars = page.locator(".bar, .panel-head")
    for i in range(bars.count()):
        assert is_whole(page, bars.nth(i)), bars.nth(i).inner_text()
    for cell in page.locator(".panel .field :is(.value-cell, .name-cell), .panel .field :is(.value-cell, .name-cell) *").all():
        assert is_whole(page, cell), cell.inner_text()
    place = page.locator(".grid-place").first.bounding_box()
    for cell in page.locator(".grid-header, .grid-row >> nth=0 >> .grid-cell").all():
        box = cell.bounding_box()
        assert box["x"] + box["width"] <= place["x"] + place["width"] + 1, cell.inner_text()
    page.get_by_role("button", name="Add field").click()
    box = page.get_by_label("value", exact=True).bounding_box()
    assert box["width"] >= 200
    assert is_whole(page, page.locator(".add-form"))
    for kind in ["timestamp", "geopoint", "reference", "bytes", "array", "map", "vector", "double"]:
        if page.get_by_label("Type of value").locator(f"option[value={kind}]").count():
            page.get_by_label("Type of value").select_option(kind)
            assert is_whole(page, page.locator(".add-form")), kind


def test_requests_beside_the_panel_are_whole_at_1440_pixels(fresh, watched):
    page = watched.open(fresh.url("requests"), **WIDE)
    is_live(page)
    fresh.set("books/" + "x" * 40, {"n": integer(1)})
    line = page.locator(".grid-row", has_text="x" * 40).first
    line.click(position={"x": 30, "y": 10})
    expect(page.locator(".panel")).to_be_visible()
    place = page.locator(".grid-place").first.bounding_box()
    for cell in page.locator(".grid-header, .grid-row >> nth=0 >> .grid-cell").all():
        box = cell.bounding_box()
        assert box["x"] + box["width"] <= place["x"] + place["width"] + 1, cell.inner_text()
    before = page.locator(".grid-header").count()
    page.keyboard.press("Escape")
    expect(page.locator(".grid-header")).to_have_count(10)
    assert before < 10


def test_put_in_force_is_disabled_beside_an_error(fresh, watched):
    page = watched.open(fresh.url("rules"))
    area = page.get_by_label("Rules", exact=True)
    good = "service cloud.firestore { match /databases/{d}/documents { match /books/{b} { allow read; } } }"
    area.fill(good.replace("match /books", "matchh /books"))
    button = page.get_by_role("button", name="Put in force")
    expect(page.locator(".issue", has_text="Error").first).to_be_visible()
    expect(button).to_be_disabled()
    colours = "(e) => [getComputedStyle(e).backgroundColor, getComputedStyle(e).color].join()"
    disabled = button.evaluate(colours)
    area.fill(good)
    expect(button).to_be_enabled()
    # It looks it, too.
    assert disabled != button.evaluate(colours)
