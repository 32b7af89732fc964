# SPDX-License-Identifier: Apache-2.0
"""The page of events: triggers and how they deliver, events that were given up, and what is done with them."""
import http.server, json, re, threading
import pytest
from playwright.sync_api import expect
from pages import axe, integer, row


class Receiver:
    """Answers with the status that it has at the time."""

    def __init__(self):
        self.status, self.body, self.received = 503, b"we are <b>busy</b>", []
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers.get("content-length", 0)))
                receiver.received.append(self.headers["ce-document"])
                self.send_response(receiver.status)
                self.send_header("content-length", str(len(receiver.body)))
                self.end_headers()
                self.wfile.write(receiver.body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/orders"


@pytest.fixture
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.server.shutdown()


@pytest.fixture
def shop(serve, receiver, tmp_path):
    """A server whose trigger gives events up after a second."""
    file = tmp_path / "events.json"
    file.write_text(json.dumps({"triggers": [{"name": "mail", "database": "projects/shop/databases/(default)", "document": "orders/{order}", "on": ["created"], "url": receiver.url, "retry": "1s"}]}))
    served = serve("--development", "--in-memory", "--project", "shop", "--events", str(file))
    database = served.project("shop")
    database.set("books/b", {"n": integer(1)})
    return database


def give_up(shop, page, *orders):
    for order in orders:
        shop.set(f"orders/{order}", {"n": integer(1)})
    for order in orders:
        expect(row(page, f"orders/{order}")).to_be_visible()


def test_triggers_and_how_they_deliver_are_shown(shop, receiver, watched):
    receiver.status = 200
    page = watched.open(shop.url("events"))
    triggers = page.get_by_role("region", name="Triggers")
    expect(triggers.get_by_role("row", name=re.compile("mail"))).to_contain_text("orders/{order}")
    expect(triggers).to_contain_text(receiver.url)
    expect(page.get_by_text("No events were given up.")).to_be_visible()
    shop.set("orders/o1", {"n": integer(1)})
    expect(triggers.locator("tbody td").last).to_have_text("1")
    axe(page, "triggers")
    receiver.status, receiver.body = 410, b"moved away"
    shop.set("orders/o2", {"n": integer(1)})
    expect(triggers).to_contain_text("the receiver wants no more events: 410 moved away")
    axe(page, "a trigger that is off")


def test_events_that_were_given_up_are_read_retried_and_dropped(shop, receiver, watched):
    page = watched.open(shop.url("events"))
    give_up(shop, page, "o1", "o2", "o3")
    expect(page.get_by_text("3 events given up")).to_be_visible()
    expect(page.locator(".grid-row").first).to_contain_text("503 we are <b>busy</b>")
    row(page, "orders/o2").click()
    panel = page.locator(".panel")
    expect(panel).to_contain_text("we are <b>busy</b>")
    expect(panel).to_contain_text('"integerValue": "1"')
    axe(page, "an event that was given up")
    receiver.status = 200
    receiver.received.clear()
    panel.get_by_role("button", name="Retry").click()
    expect(row(page, "orders/o2")).to_have_count(0)
    assert receiver.received == ["orders/o2"]
    expect(panel).to_have_count(0)
    page.get_by_role("grid", name="Events given up").focus()
    page.keyboard.press("Enter")
    panel.get_by_role("button", name="Drop").click()
    page.locator("dialog").get_by_role("button", name="Drop").click()
    expect(page.get_by_text("1 event given up")).to_be_visible()
    page.get_by_role("button", name="Drop all").click()
    page.locator("dialog").get_by_role("button", name="Drop").click()
    expect(page.get_by_text("No events were given up.")).to_be_visible()
    assert receiver.received == ["orders/o2"]


def test_all_are_retried_in_one_step_on_a_narrow_page(shop, receiver, watched):
    page = watched.open(shop.url("events"), viewport={"width": 360, "height": 800})
    give_up(shop, page, "o1", "o2")
    axe(page, "events on a narrow page")
    receiver.status = 200
    receiver.received.clear()
    page.get_by_role("button", name="Retry all").click()
    expect(page.get_by_text("No events were given up.")).to_be_visible()
    assert sorted(receiver.received) == ["orders/o1", "orders/o2"]


def test_a_server_without_triggers_says_how_to_have_some(fresh, watched):
    fresh.set("books/b", {"n": integer(1)})
    page = watched.open(fresh.url("events"))
    expect(page.get_by_text("This server has no triggers.")).to_be_visible()
    expect(page.get_by_text("hearth serve --events events.json")).to_be_visible()
    axe(page, "no triggers")
