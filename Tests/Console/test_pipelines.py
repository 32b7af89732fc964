# SPDX-License-Identifier: Apache-2.0
"""Pipelines in the console: typed, run, corrected, and asked about before they change documents."""
import json, re, time, urllib.parse
import pytest
from playwright.sync_api import expect
from pages import axe, books, integer, row, text
from served import PATIENCE


@pytest.fixture
def shelf(demo):
    books(demo)
    return demo


@pytest.fixture
def page(shelf, watched):
    """The query page, changed to a pipeline as a person does it."""
    page = watched.open(shelf.url("query"))
    expect(page.get_by_label("Collection", exact=True)).to_have_value("books")
    page.get_by_role("button", name="Pipeline").click()
    expect(area(page)).to_be_focused()
    return page


def area(page):
    return page.get_by_role("textbox", name="Pipeline")


def type_pipeline(page, typed):
    """By keyboard, over what is there."""
    area(page).focus()
    page.keyboard.press("Control+a")
    page.keyboard.type(typed)


def heads(page):
    return page.get_by_role("columnheader").all_inner_texts()


def caret_is_before(page, rest):
    """Waits until the caret is in front of this, up to the end of the text."""
    end = time.monotonic() + PATIENCE
    while (found := area(page).evaluate("(a) => a.value.slice(a.selectionStart)")) != rest:
        assert time.monotonic() < end, f"the caret is before {found!r}"
        time.sleep(0.02)
    expect(area(page)).to_be_focused()


def test_a_pipeline_is_typed_and_run_with_the_keyboard(page):
    # There is a text to begin with, which has not been run.
    expect(area(page)).to_have_value("collection(/books)\nlimit(100)")
    expect(page.get_by_role("grid")).to_have_count(0)
    type_pipeline(page, "collection(/books)\nwhere(greater_than(n, 27))  # the last ones\nselect(title, n)\nsort(n desc)")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="2 rows")).to_be_visible()
    assert heads(page) == ["n", "title"]
    expect(page.locator(".grid-row").first).to_contain_text("29")
    expect(page.get_by_role("region", name="Explanation")).to_contain_text("collection(/books)")
    expect(page.get_by_role("region", name="Explanation")).to_contain_text("documents read")
    # The address has the text.
    page.reload()
    expect(page.get_by_role("heading", name="2 rows")).to_be_visible()
    expect(area(page)).to_have_value(re.compile("^collection.*\nsort\\(n desc\\)$", re.S))
    type_pipeline(page, "collection(/books)\naggregate(count() as n)")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("heading", name="1 row", exact=True)).to_be_visible()
    expect(page.locator(".grid-row")).to_contain_text("30")
    page.go_back()
    expect(page.get_by_role("heading", name="2 rows")).to_be_visible()


def test_rows_are_opened_if_they_are_documents(page, shelf):
    shelf.set("books/bk-001/notes/n1", {"t": text("below")})
    type_pipeline(page, "collection(/books)\nwhere(equal(n, 1))\nselect(title)")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="1 row", exact=True)).to_be_visible()
    assert heads(page) == ["title"]
    address = page.url
    page.locator(".grid-row").click()
    page.get_by_role("grid").press("Enter")
    assert page.url == address
    # Documents of several collections are shown with their paths.
    type_pipeline(page, "database()\nwhere(or(equal(n, 1), exists(t)))")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="2 rows")).to_be_visible()
    row(page, "books/bk-001/notes/n1").click()
    expect(page.locator(".panel .field", has_text="below")).to_be_visible()


def test_a_mistake_is_shown_beside_the_text_with_the_caret_there(page):
    problem = page.locator(".code .problem")
    # While it is typed nothing moves.
    type_pipeline(page, "collection(/books)\nfilter(true)\nlimit(1)")
    expect(problem).to_contain_text("Line 2 there is no stage “filter”")
    caret_is_before(page, "")
    page.keyboard.press("Control+Enter")
    caret_is_before(page, "filter(true)\nlimit(1)")
    expect(page.locator(".results .grid")).to_have_count(0)
    # What is known only to the database, and columns behind characters of two units.
    type_pipeline(page, 'collection(/books)\n  where(nothing(n))')
    page.get_by_role("button", name="Run").click()
    expect(problem).to_contain_text("stage 2 (where): there is no function “nothing”")
    caret_is_before(page, "where(nothing(n))")
    type_pipeline(page, 'collection(/books)\nselect("😀" as a, "é" as b, 1)')
    page.get_by_role("button", name="Run").click()
    expect(problem).to_contain_text("alias")
    caret_is_before(page, "1)")
    # A click goes there again.
    page.keyboard.press("Control+Home")
    problem.get_by_role("button").click()
    caret_is_before(page, "1)")
    axe(page, "a mistake in a pipeline")
    type_pipeline(page, "collection(/books)\nlimit(1)")
    expect(problem).to_be_empty()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="1 row", exact=True)).to_be_visible()


def test_an_error_of_a_row_is_shown_instead_of_results(page, watched):
    watched.tolerate("400")
    type_pipeline(page, 'collection(/books)\nselect(error("boom") as x)')
    page.keyboard.press("Control+Enter")
    expect(page.locator(".failure")).to_contain_text("boom")
    expect(page.locator(".failure")).to_contain_text("INVALID_ARGUMENT")


def test_documents_are_changed_only_after_a_question_that_names_their_number(page, shelf):
    type_pipeline(page, "collection(/books)\nwhere(less_than(n, 12))\ndelete()")
    page.keyboard.press("Control+Enter")
    question = page.get_by_role("dialog")
    expect(question).to_contain_text("The stage delete is for 12 documents.")
    axe(page, "the question of a pipeline")
    question.get_by_role("button", name="Cancel").click()
    expect(question).to_have_count(0)
    assert shelf.get("books/bk-000")
    page.get_by_role("button", name="Run").click()
    question.get_by_role("button", name="Run").click()
    expect(page.locator(".grid-row")).to_contain_text("12")
    assert heads(page) == ["documents_modified"]
    assert shelf.get("books/bk-011") is None and shelf.get("books/bk-012")
    # The address has the pipeline; loading it again changes nothing and asks nothing.
    shelf.set("books/bk-000", {"n": integer(0)})
    with page.expect_response("**/console/api/pipeline*"):
        page.reload()
    expect(area(page)).to_have_value(re.compile("delete"))
    expect(question).to_have_count(0)
    assert shelf.get("books/bk-000")
    page.get_by_role("button", name="Run").click()
    expect(question).to_contain_text("for 1 document.")


def test_many_documents_are_changed_only_with_a_word_that_is_typed(page, shelf):
    shelf.commit(*[{"update": {"name": f"{shelf.root}/many/m{i}", "fields": {"n": integer(i)}}} for i in range(101)])
    type_pipeline(page, 'collection(/many)\nupdate("new" as state)')
    page.keyboard.press("Control+Enter")
    question = page.get_by_role("dialog")
    expect(question).to_contain_text("101 documents")
    question.get_by_role("button", name="Run").click()
    expect(question.get_by_role("alert")).to_contain_text("not “update”")
    question.get_by_label("Type update to confirm").fill("update")
    page.keyboard.press("Enter")
    expect(page.locator(".grid-row")).to_contain_text("101")
    assert shelf.fields("many/m100") == {"n": integer(100), "state": text("new")}


def test_a_long_result_is_cut(page):
    type_pipeline(page, "")
    area(page).fill(f"literals({{a: [{', '.join(map(str, range(1200)))}]}})\nunnest(a as x)\nselect(x)")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="The first 1,000 rows")).to_be_visible()
    page.get_by_role("grid").press("End")
    expect(page.locator(".grid-row").last).to_contain_text("999")


# PL-32, PL-217
def test_rows_that_no_document_could_be(page):
    deep = "1"
    for level in range(62):
        deep = f'{{"m": {deep}}}'
    area(page).fill(f'literals({{nested: [[1, [2]], [[]]], empty: {{"": "x"}}, "": "unnamed", deep: {deep}, "a.b": -0.0, n: NaN}})')
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="1 row", exact=True)).to_be_visible()
    assert sorted(heads(page)) == sorted(["``", "`a.b`", "deep", "empty", "n", "nested"])
    cells = dict(zip(heads(page), page.locator(".grid-row").get_by_role("gridcell").all_inner_texts()))
    assert cells == {"``": '"unnamed"', "`a.b`": "-0.0", "deep": "{m}", "empty": "{}", "n": "NaN", "nested": "[2]"}


def test_the_body_of_a_request_is_taken(page):
    stages = [{"name": "collection", "args": [{"referenceValue": "/books"}]}, {"name": "limit", "args": [{"integerValue": "3"}]}]
    area(page).fill(json.dumps({"structuredPipeline": {"pipeline": {"stages": stages}}}))
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="3 rows")).to_be_visible()
    expect(area(page)).to_have_value("collection(/books)\nlimit(3)")
    area(page).fill('{"stages": [')
    page.keyboard.press("Control+Enter")
    expect(page.locator(".code .problem")).to_contain_text("malformed")


def test_the_builder_keeps_its_query(page):
    page.get_by_role("button", name="Builder").click()
    page.get_by_label("Limit").fill("7")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("heading", name="7 results")).to_be_visible()
    page.get_by_role("button", name="Pipeline").click()
    expect(page.get_by_role("grid")).to_have_count(0)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="30 rows")).to_be_visible()
    page.get_by_role("button", name="Builder").click()
    expect(page.get_by_label("Limit")).to_have_value("7")
    expect(page.get_by_role("grid")).to_have_count(0)
    page.go_back()
    expect(page.get_by_role("heading", name="30 rows")).to_be_visible()
    axe(page, "rows of a pipeline")


def test_a_pipeline_of_an_app_is_shown_and_run_again(shelf, watched):
    page = watched.open(shelf.url("requests"))
    stages = [{"name": "collection", "args": [{"referenceValue": "/books"}]},
              {"name": "where", "args": [{"functionValue": {"name": "less_than", "args": [{"fieldReferenceValue": "n"}, integer(2)]}}]}]
    shelf.call("POST", f"/v1/{shelf.root}:executePipeline", {"structuredPipeline": {"pipeline": {"stages": stages}}})
    found = page.locator(".grid-row", has_text="ExecutePipeline").first
    expect(found).to_contain_text("collection(/books) where(less_than(n, 2))")
    found.click()
    page.get_by_role("button", name="Run in Query").click()
    expect(page.get_by_role("heading", name="2 rows")).to_be_visible()
    expect(area(page)).to_have_value("collection(/books)\nwhere(less_than(n, 2))")


def test_rules_judge_a_pipeline_of_another_caller(production, watched):
    watched.tolerate("403")
    database = production.project("demo")
    database.set("books/b1", {"n": integer(1)})
    pipeline = urllib.parse.quote("collection(/books)\nlimit(5)")
    page = watched.open(database.url("query", query=f"?p={pipeline}"))
    expect(page.get_by_role("heading", name="1 row", exact=True)).to_be_visible()
    page.get_by_label("View as").click()
    page.get_by_role("menuitemradio", name="Not signed in").click()
    page.get_by_role("button", name="Run").click()
    expect(page.locator(".failure")).to_contain_text("PERMISSION_DENIED")
    page.get_by_label("View as").click()
    page.get_by_role("menuitemradio", name="A user").click()
    page.get_by_label("User id").fill("ada")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("heading", name="1 row", exact=True)).to_be_visible()
    # Explanations count documents: they are for administrators.
    expect(page.get_by_role("region", name="Explanation")).to_have_count(0)
