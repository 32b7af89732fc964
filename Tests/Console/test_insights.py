# SPDX-License-Identifier: Apache-2.0
"""The page of insights: calls by what they ask for, documents that are written most, and an index that would help."""
import pytest
from playwright.sync_api import expect
from pages import axe, books, integer


@pytest.fixture
def shop(serve, tmp_path):
    """What takes a millisecond is slow, and no index is made by itself."""
    served = serve("--development", "--in-memory", "--project", "shop", "--indexes", "manual", "--slow", "1ms")
    database = served.project("shop")
    for start in range(0, 500, 100):
        database.commit(*[{"update": {"name": f"{database.root}/orders/o{start + i}", "fields": {"total": integer(start + i), "secret": {"stringValue": "a word"}}}} for i in range(100)])
    for number in range(30):
        database.set("counters/visits", {"n": integer(number)})
    return database


def ask(shop, times):
    body = {"structuredQuery": {"from": [{"collectionId": "orders"}], "limit": 5, "orderBy": [{"field": {"fieldPath": "total"}, "direction": "DESCENDING"}],
                                "where": {"fieldFilter": {"field": {"fieldPath": "secret"}, "op": "EQUAL", "value": {"stringValue": "a word"}}}}}
    for _ in range(times):
        shop.call("POST", f"/v1/{shop.root}:runQuery", body)


def test_calls_are_counted_by_shape_and_the_index_that_helps_is_created(shop, watched):
    ask(shop, 4)
    page = watched.open(shop.url("insights"))
    query = page.locator(".grid-row", has_text="orders where secret == …")
    expect(query).to_contain_text("RunQuery")
    expect(query).to_contain_text("would help")
    expect(page.get_by_text("a word")).to_have_count(0)
    hot = page.get_by_role("region", name="Documents")
    expect(hot.get_by_role("row", name="counters/visits")).to_contain_text("30")
    axe(page, "insights")
    # By keyboard: the calls with the longest p99 first.
    page.get_by_role("columnheader", name="p99").click()
    expect(page.get_by_role("columnheader", name="p99")).to_have_attribute("aria-sort", "descending")
    query.click(position={"x": 30, "y": 10})
    panel = page.locator(".panel")
    expect(panel).to_contain_text("Reads every document of the scope")
    axe(page, "calls of a shape")
    panel.get_by_role("button", name="Create the index").click()
    expect(panel).to_contain_text("The index is being built.")
    page.locator(".toast").get_by_role("button", name="Show").click()
    expect(page.get_by_role("region", name="List of indexes")).to_contain_text("secret")
    page.keyboard.press("g")
    page.keyboard.press("o")
    expect(query).to_be_visible()


def test_databases_apart_and_beginning_anew(shop, watched):
    other = shop.console.project("other")
    books(other, 3)
    page = watched.open(other.url("insights"))
    expect(page.locator(".grid-row", has_text="set books/…")).to_be_visible()
    expect(page.locator(".grid-row", has_text="orders/…")).to_have_count(0)
    page.get_by_role("button", name="All databases").click()
    expect(page.locator(".grid-row", has_text="orders/…").first).to_be_visible()
    page.get_by_role("button", name="Begin anew").click()
    page.locator("dialog").get_by_role("button", name="Begin anew").click()
    expect(page.get_by_text("No calls yet.")).to_be_visible()


def test_a_server_that_measures_nothing_says_how_to(fresh, watched):
    fresh.set("books/b", {"n": integer(1)})
    page = watched.open(fresh.url("insights"), viewport={"width": 360, "height": 700})
    expect(page.get_by_text("This server does not measure its calls.")).to_be_visible()
    axe(page, "no insights")
