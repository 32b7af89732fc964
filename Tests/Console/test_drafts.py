# SPDX-License-Identifier: Apache-2.0
"""What is typed in a document is part of it, whether it was added or not."""
import re
from playwright.sync_api import expect
from pages import books, edit, field, integer, is_saved, row, save, text

form = lambda page: page.get_by_role("group", name=re.compile("New (field|element)"))


def test_a_field_that_was_typed_and_not_added_is_saved(demo, watched):
    page = watched.open(demo.url(path="books", query="?new=1"))
    page.get_by_label("Document id").fill("typed")
    form(page).get_by_label("Name of the field").fill("title")
    form(page).get_by_label("value", exact=True).fill("Emma")
    save(page)
    assert demo.fields("books/typed") == {"title": text("Emma")}
    # Beside fields that are there, by keyboard.
    page.get_by_role("button", name="Add field").click()
    page.keyboard.type("n")
    page.keyboard.press("Tab")
    page.keyboard.type("int")
    page.keyboard.press("Tab")
    page.keyboard.type("7")
    expect(page.get_by_text("1 change", exact=True)).to_be_visible()
    page.keyboard.press("Control+s")
    is_saved(page)
    assert demo.fields("books/typed") == {"title": text("Emma"), "n": integer(7)}


def test_save_says_why_what_was_typed_is_not_a_field(demo, watched):
    demo.set("books/x", {"a": text("1")})
    page = watched.open(demo.url(path="books/x"))
    page.get_by_role("button", name="Add field").click()
    form(page).get_by_label("value", exact=True).fill("without a name")
    for name, problem in [("", "A field has a name."), ("a", "There is a field of this name."), ("__x__", "reserved")]:
        form(page).get_by_label("Name of the field").fill(name)
        page.get_by_role("button", name="Save", exact=True).click()
        expect(form(page).get_by_role("alert")).to_contain_text(problem)
        expect(form(page).get_by_label("value", exact=True)).to_have_value("without a name")
    form(page).get_by_label("Name of the field").fill("b")
    form(page).get_by_label("Type of value").select_option("integer")
    form(page).get_by_label("value", exact=True).fill("seven")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(form(page).get_by_role("alert")).to_contain_text("An integer")
    assert demo.fields("books/x") == {"a": text("1")}
    # An empty form is nothing.
    page.get_by_role("button", name="Do not add").click()
    page.get_by_role("button", name="Add field").click()
    edit(page, "a", "2")
    save(page)
    assert demo.fields("books/x") == {"a": text("2")}


def test_what_is_typed_survives_what_else_is_done_to_the_document(demo, watched):
    demo.set("books/x", {"ok": {"booleanValue": True}, "m": {"mapValue": {"fields": {"inner": integer(1)}}}})
    page = watched.open(demo.url(path="books/x"))
    page.get_by_role("button", name="Add field").click()
    form(page).get_by_label("Name of the field").fill("kept")
    field(page, "ok").locator(".value-cell").click()
    field(page, "m").locator(".value-cell").click()
    expect(field(page, "inner")).to_be_visible()
    expect(form(page).get_by_label("Name of the field")).to_have_value("kept")
    # The other view of the document has it, too.
    page.get_by_role("button", name="JSON").click()
    expect(page.get_by_label("Document as typed JSON")).to_have_value(re.compile('"kept": ""'))
    save(page)
    assert demo.fields("books/x")["kept"] == text("") and demo.fields("books/x")["ok"] == {"booleanValue": False}


def test_leaving_asks_about_what_is_typed(demo, watched):
    books(demo)
    page = watched.open(demo.url(path="books/bk-001"))
    page.get_by_role("button", name="Add field").click()
    form(page).get_by_label("Name of the field").fill("typed")
    row(page, "bk-002").click()
    expect(page.get_by_role("heading", name="Discard the changes?")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(form(page).get_by_label("Name of the field")).to_have_value("typed")
    # So does a reload, by the browser's own question.
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.reload()
    expect(field(page, "title")).to_be_visible()
    assert asked == ["beforeunload"]


def test_the_type_of_a_new_field_is_that_of_its_siblings(demo, watched):
    books(demo, 3)
    demo.set("books/list", {"title": text("x"), "marks": {"arrayValue": {"values": [{"doubleValue": 1.5}, {"doubleValue": 2.5}, text("x")]}}})
    page = watched.open(demo.url(path="books", query="?new=1"))
    expect(row(page, "bk-001")).to_be_visible()
    name, kind = form(page).get_by_label("Name of the field"), form(page).get_by_label("Type of value")
    # Known fields are offered; one that is chosen brings its type.
    name.press_sequentially("n")
    expect(kind).to_have_value("integer")
    name.press_sequentially("ew")
    expect(kind).to_have_value("string")
    expect(form(page).get_by_label("value", exact=True)).to_have_value("")
    name.fill("ti")
    expect(page.locator(".suggestions").get_by_role("option")).to_have_text(["title"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(name).to_have_value("title")
    expect(kind).to_have_value("string")
    # A chosen type stays.
    kind.select_option("double")
    name.fill("n")
    expect(kind).to_have_value("double")
    # Type and value are one row, in which the value has room; the name stands above them.
    boxes = [locator.bounding_box() for locator in (kind, form(page).get_by_label("value", exact=True))]
    assert abs(boxes[0]["y"] - boxes[1]["y"]) < 8 and boxes[1]["width"] >= 200
    assert name.bounding_box()["y"] < boxes[0]["y"]
    panel = page.locator(".panel").bounding_box()
    assert form(page).bounding_box()["width"] > panel["width"] - 40
    page.get_by_role("button", name="Do not add").click()
    page.goto(demo.url(path="books/list", token=False))
    field(page, "marks").hover()
    page.get_by_label("Menu of marks").click()
    page.get_by_role("menuitem", name="Add element").click()
    expect(form(page).get_by_label("Type of value")).to_have_value("double")
    form(page).get_by_label("value", exact=True).fill("3.5")
    save(page)
    assert demo.fields("books/list")["marks"]["arrayValue"]["values"][-1] == {"doubleValue": 3.5}


def test_save_is_one_click_from_an_open_input(demo, watched):
    demo.set("books/x", {"a": text("1"), "b": text("1")})
    page = watched.open(demo.url(path="books/x"))
    edit(page, "b", "2")
    field(page, "a").locator(".value-cell").click()
    page.get_by_label("Value of a").fill("typed")
    # By mouse, while the input has the focus.
    save(page)
    assert demo.fields("books/x") == {"a": text("typed"), "b": text("2")}
