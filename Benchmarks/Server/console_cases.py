"""The console in Chromium: how soon it shows a large collection, and what it costs the writers of the one that it watches."""

import json
import os
import shutil
import statistics
import time

import documents
from counting_client import CountingClient
from measuring import allowed, times
from process_cases import million_documents
from processes import Absent

FIRST_ROW = """new Promise((resolve) => {
  const look = () => (document.querySelector('.grid-row') ? resolve(performance.now()) : requestAnimationFrame(look));
  look();
})"""
HOT = 1_000
PER_SECOND = 1_000


class Chromium:
    def __init__(self):
        program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
        try:
            from playwright.sync_api import sync_playwright
        except ImportError:
            raise Absent("no Playwright (dev/test browser prepares it)") from None
        if not program:
            raise Absent("no Chromium (Debian package chromium)")
        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.browser.close()
        self.playwright.stop()

    def open(self, data, collection):
        """A new window, as a person opens it, and when its first row was drawn, in milliseconds from the start of navigation."""
        with open(os.path.join(data, "hearth.console"), encoding="utf-8") as file:
            address = json.load(file)
        page = self.browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        page.goto(f"{address['page']}data/{documents.PROJECT}/(default)/{collection}#t={address['token']}")
        return page, page.evaluate(FIRST_ROW)


def first_rows(machine, rounds):
    data = million_documents(machine)
    server = machine.ready(machine.new_hearth(data=data))
    with Chromium() as chromium:
        shown = []
        for _ in range(rounds):
            page, elapsed = chromium.open(data, documents.COLLECTION)
            shown.append(elapsed)
            page.context.close()
        yield allowed("console: first rows of 1,000,000 documents, in a new window", statistics.median(shown), "ms", 300)
        page, _ = chromium.open(data, documents.COLLECTION)
        session = page.context.new_cdp_session(page)

        def heap():
            session.send("HeapProfiler.collectGarbage")
            return session.send("Runtime.getHeapUsage")["usedSize"] / 1e6

        sizes, end = [], time.monotonic() + 60
        while time.monotonic() < end:
            page.evaluate("""async () => {
              const grid = document.querySelector('.grid');
              for (let i = 0; i < 100; i += 1) {
                grid.scrollTop = grid.scrollHeight;
                await new Promise((resolve) => requestAnimationFrame(resolve));
              }
            }""")
            sizes.append(heap())
        quarter = len(sizes) // 4
        yield times("console: heap of the page after a minute of scrolling", "MB", sizes[-quarter:], "after a quarter of it",
                    sizes[quarter : 2 * quarter], 0.9)
    machine.stop(server)


def write_latencies(port, writes, seconds):
    """Sends so many writes a second, each at its time, and gives the middle of their latencies in microseconds."""
    client = CountingClient(port)
    latencies, start = [], time.perf_counter()
    while (now := time.perf_counter()) < start + seconds:
        due = start + len(latencies) / PER_SECOND
        if now < due:
            time.sleep(due - now)
            continue
        client.check(documents.COMMIT, writes[len(latencies) * 7 % len(writes)])
        latencies.append((time.perf_counter() - now) * 1e6)
    client.close()
    if len(latencies) < 0.95 * PER_SECOND * seconds:
        print(f"  only {len(latencies) / seconds:.0f} writes/s", flush=True)
    return statistics.median(latencies)


def watched_writers(machine, rounds):
    data = machine.fresh_directory()
    server = machine.ready(machine.new_hearth(data=data))
    writes = [documents.increment(number, collection="watched") for number in range(HOT)]
    write_latencies(server.port, writes, 2)
    sides = {"watched": [], "alone": []}
    with Chromium() as chromium:
        for number in range(rounds):
            for side in sorted(sides, reverse=number % 2 == 1):
                page = chromium.open(data, "watched")[0] if side == "watched" else None
                if page:
                    page.get_by_text("Live", exact=True).wait_for()
                sides[side].append(write_latencies(server.port, writes, 3))
                if page:
                    page.context.close()
    machine.stop(server)
    yield times(f"a durable write at {PER_SECOND:,} a second while a console watches its collection, p50", "µs", sides["watched"],
                "no console", sides["alone"], 0.95)
