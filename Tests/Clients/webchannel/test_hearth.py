"""What only `hearth serve` does: flow control, bounds, refusals, and a network at its worst."""

import concurrent.futures
import json
import random
import shutil
import socket
import subprocess
import threading
import time

import pytest

from .app import Answer, App, Refused, View, is_snapshot, refusal
from .client import form, quote


@pytest.fixture
def app(hearth, database):
    return App(hearth, database)


def fill(app, count, text="", collection="c"):
    for start in range(0, count, 500):
        app.commit(*(app.set(f"{collection}/{number:06}", n=number, t=text) for number in range(start, min(start + 500, count))))


def memory(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS"))


def test_more_documents_than_the_emulator_survives(app):
    """Flow control in the place of a limit: GETs end, and the next one acknowledges."""
    fill(app, 12_000, "żółw 😀 ")
    channel = app.listen(app.query("c"))
    view = View().take(channel.follow(is_snapshot, seconds=60))
    assert len(view.documents) == 12_000 and channel.last > 12_000
    assert {each["n"]["integerValue"] for each in view.documents.values()} == {str(number) for number in range(12_000)}
    # And it goes on from there.
    app.commit(app.set("c/000007", n=-7))
    view.take(channel.follow(is_snapshot))
    assert view.documents[app.name("c/000007")]["n"] == {"integerValue": "-7"}
    channel.terminate()


def test_polling_many_documents(app):
    fill(app, 3_000)
    channel = app.listen(app.query("c"))
    view = View().take(channel.follow(is_snapshot, seconds=60, polling=True))
    assert len(view.documents) == 3_000
    channel.terminate()


def test_a_reader_that_is_slow(app):
    """Reads a little at a time, with small buffers; everything arrives, once."""
    fill(app, 2_000, "x" * 500)
    channel = app.listen(app.query("c"))
    done = False
    while not done:
        back = channel.get(receive_buffer=4_096)
        for number, array in enumerate(back):
            if number % 200 == 0:
                time.sleep(0.005)
            if array[1] != ["noop"] and is_snapshot(array[1][0]):
                done = True
                break
        back.close()
    view = View().take([content[0] for _, content in sorted(channel.seen.items()) if content != ["noop"]])
    assert len(view.documents) == 2_000
    channel.terminate()


def test_readers_that_never_come_back(app, hearth_pid):
    """What a session holds is bounded: 40 listeners on 20 MB each would hold 800 MB."""
    fill(app, 2_000, "x" * 10_000)
    before = memory(hearth_pid) if hearth_pid else 0
    channels = [app.listen(app.query("c")) for _ in range(40)]
    # Half of them open a GET, and never read it.
    backs = [channel.get(receive_buffer=4_096) for channel in channels[::2]]
    time.sleep(2)
    if hearth_pid:
        assert memory(hearth_pid) - before < 400
    # Another one is served beside them.
    other = app.listen(app.documents("c/000001"))
    assert other.follow(is_snapshot)
    other.terminate()
    for channel in channels:
        channel.terminate()
    for back in backs:
        back.close()


@pytest.mark.parametrize("seed", range(4))
def test_a_bad_network(app, seed):
    """POSTs are dropped, cut, repeated and overtaken, GETs are cut in the middle: each batch is applied once, in order, and the
    listener arrives at the same state."""
    chance = random.Random(seed)
    app.commit(app.set("c/a", n=0))
    listener = app.listen(app.query("c"))
    writer = app.writer()
    count = 60
    bodies = {}
    for number in range(1, count + 1):
        # One shows what was applied twice, the other what was applied in another order.
        bodies[number] = form([app.batch(writer, app.increment("c/a"), app.set("c/last", n=number))], number)
    waiting = list(bodies)
    while waiting:
        # Up to four are under way, in any order.
        window = waiting[:4]
        number = chance.choice(window)
        kind = chance.random()
        query = writer.query(RID=5000 + number, AID=0, t=1)
        if kind < 0.3:
            # Cut before its end, or after it and before the answer.
            raw = socket.create_connection(app.address.rsplit(":", 1))
            head = f"POST {writer.target(query)} HTTP/1.1\r\nHost: {app.address}\r\nContent-Length: {len(bodies[number])}\r\n\r\n".encode()
            data = head + bodies[number]
            raw.sendall(data[:chance.randrange(len(data) + 1)])
            raw.close()
            continue
        writer.ask("POST", query, bodies[number])
        if kind < 0.8:
            waiting.remove(number)
    view = View()
    end = time.monotonic() + 30
    while view.documents.get(app.name("c/last"), {}).get("n") != {"integerValue": str(count)} or view.documents[app.name("c/a")]["n"] != {"integerValue": str(count)}:
        assert time.monotonic() < end
        back = listener.get()
        limit = chance.randrange(1, 5)
        for index, (_, content) in enumerate(back):
            if content != ["noop"]:
                view.take(content)
            if index + 1 == limit:
                break
        # Some are left open: half-open connections, as after sleep.
        if chance.random() < 0.5:
            back.close()
    results = 0
    while results < count:
        results += len([message for message in writer.follow(lambda message: "commitTime" in message) if "commitTime" in message])
    assert app.get("c/a") == {"n": {"integerValue": str(count)}}
    writer.terminate()
    listener.terminate()


def test_a_thousand_sessions(app, hearth_pid):
    app.commit(app.set("c/a", n=1))
    before = memory(hearth_pid) if hearth_pid else 0

    def open_one(_):
        channel = app.listen(app.documents("c/a"))
        back = channel.get(timeout=60)
        for _, content in back:
            if content != ["noop"] and is_snapshot(content[0]):
                return channel, back

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        sessions = list(pool.map(open_one, range(1_000)))
        if hearth_pid:
            each = (memory(hearth_pid) - before) * 1024 / 1_000
            print(f"{each:.1f} KB for each session")
            # A debug build, with the connection of the GET.
            assert each < 60
        app.commit(app.set("c/a", n=2))

        def hears(session):
            _, back = session
            return any(content != ["noop"] and content[0].get("documentChange", {}).get("document", {}).get("fields", {}).get("n") == {"integerValue": "2"}
                       for _, content in back_until(back))

        assert all(pool.map(hears, sessions))
        list(pool.map(lambda session: session[0].terminate(), sessions))
    for _, back in sessions:
        back.close()


def back_until(back):
    for array in back:
        yield array
        if array[1] != ["noop"] and is_snapshot(array[1][0]):
            return


def test_what_the_emulator_hangs_on(app):
    """Every request has an answer."""
    channel = app.writer()
    post = "/google.firestore.v1.Firestore/Write/channel?"
    database = quote(app.database)
    for target, body in (
        (f"{post}VER=8&database={database}&RID=1&CVER=22", b"count=1&ofs=0&req0___data__=%7B"),
        (f"{post}VER=8&database={database}&RID=1&CVER=22", b"count=1&ofs=0&req0___data__=%7B%22nothing%22:1%7D"),
        (f"{post}VER=8&RID=1&CVER=22", b"count=0"), (f"{post}database={database}&RID=1", b"count=0"), (f"{post}VER=8&database={database}", b"count=0"),
        (f"{post}VER=8&database={database}&RID=1", b"\xff\xfe%"), (f"{post}VER=8&database={database}&RID=1&SID={channel.sid}", b"count=2&ofs=0"),
        (f"{post}VER=8&database={database}&RID=1", b"headers=Authorization%3ABearer%20rubbish&count=0"),
    ):
        answer = Answer(app.address, "POST", target, body=body).head()
        answer.body()
        assert answer.status in (200, 400), target
    # Sessions with an error in them say so.
    for messages, headers in ((["{"], ()), ([{"nothing": 1}], ()), ([{"database": app.database}], [("Authorization", "Bearer rubbish")])):
        wrong = app.channel("Write", *messages, headers=headers)
        assert wrong.follow(lambda message: True)[0]["error"]["status"] in ("INVALID_ARGUMENT", "UNAUTHENTICATED")
        assert wrong.terminate() == b""
    # The session is unharmed, and belongs to one method.
    assert refusal(lambda: App.channel(app, "Listen", body=b"count=0").get(sid=channel.sid).next()) == 400
    channel.post(app.batch(channel, app.set("c/a", n=1)))
    assert "commitTime" in channel.follow(lambda message: True)[-1]
    channel.terminate()


def test_targets_of_another_database(app):
    other = App(app.address, app.database.replace("web", "elsewhere"))
    channel = app.listen(other.query("c"))
    assert channel.follow(lambda message: True)[-1]["error"]["status"] == "INVALID_ARGUMENT"
    channel.terminate()


def test_foreign_pages(app):
    evil = App(app.address, app.database, "https://evil.example")
    assert refusal(lambda: evil.channel("Write", {"database": app.database})) == 403
    body = json.dumps({"writes": [app.set("c/a", n=1)]}).encode()
    for origin in ("https://evil.example", "null"):
        answer = Answer(app.address, "POST", f"/v1/{app.database}/documents:commit", [("Origin", origin), ("Content-Type", "text/plain")], body).head()
        assert answer.status == 403 and "access-control-allow-origin" not in answer.headers
        answer.close()
    assert app.get("c/a") is None
    channel = app.writer()
    beacon = channel.target(channel.query(RID=1, TYPE="terminate"))
    answer = Answer(app.address, "POST", beacon, [("Origin", "https://evil.example"), ("Sec-Fetch-Mode", "no-cors")], b"").head()
    assert answer.status == 403
    assert channel.terminate() == b""


def test_a_first_byte_at_once(app):
    """Else the SDK takes the server for a proxy that holds answers back, and polls: it waits twice the time of the handshake."""
    for _ in range(5):
        start = time.monotonic()
        channel = app.writer()
        middle = time.monotonic()
        channel.get().next()
        assert time.monotonic() - middle < max(0.05, 2 * (middle - start))
        channel.terminate()


def test_values_that_the_emulator_changes(app):
    channel = app.writer()
    channel.post(app.batch(channel, {"update": {"name": app.name("c/a"), "fields": {"z": {"doubleValue": "-0"}}}}))
    channel.follow(lambda message: "commitTime" in message)
    listener = app.listen(app.documents("c/a"))
    listener.follow(is_snapshot)
    assert '"doubleValue": -0.0' in json.dumps(list(listener.seen.values()))
    channel.terminate()
    listener.terminate()


def test_two_listeners_and_a_writer_at_once(app):
    """Sessions do not wait for each other."""
    idle = app.listen(app.query("idle"))
    idle.follow(is_snapshot)
    waiting = idle.get(timeout=30)
    waiting.next()
    found = []
    reader = threading.Thread(target=lambda: found.extend(array for array in back_until(waiting)))
    reader.start()
    writer = app.writer()
    for number in range(50):
        writer.post(app.batch(writer, app.increment("c/a")))
    for _ in range(50):
        writer.follow(lambda message: "commitTime" in message)
    assert app.get("c/a") == {"n": {"integerValue": "50"}}
    app.commit(app.set("idle/a", n=1))
    reader.join(20)
    assert any("documentChange" in json.dumps(array) for array in found)
    writer.terminate()
    idle.terminate()


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
def test_http2(app):
    """Over cleartext HTTP/2 the emulator answers 415."""
    def curl(target, body=None, seconds=5):
        command = ["curl", "--silent", "--globoff", "--http2-prior-knowledge", "--no-buffer", "--max-time", str(seconds), f"http://{app.address}{target}"]
        if body is not None:
            command += ["--data-binary", "@-", "-H", "Content-Type: application/x-www-form-urlencoded"]
        return subprocess.run(command, input=body, capture_output=True).stdout.decode()

    path = f"/google.firestore.v1.Firestore/Listen/channel?VER=8&database={quote(app.database)}"
    app.commit(app.set("c/a", t="é😀"))
    greeting = curl(f"{path}&RID=1&CVER=22", form([app.query("c")], 0))
    sid = json.loads(greeting.split("\n", 1)[1])[0][1][1]
    found = curl(f"{path}&RID=rpc&SID={sid}&AID=0&CI=0&TYPE=xmlhttp", seconds=1)
    assert "é😀" in found and '"targetChangeType":"CURRENT"' in found
    assert curl(f"{path}&RID=2&SID={sid}&TYPE=terminate", b"") == ""
    assert "Unknown SID" in curl(f"{path}&RID=rpc&SID={sid}&AID=0&CI=0&TYPE=xmlhttp")


def test_transactions_of_the_sdk(app):
    """The full SDK reads and commits over REST, with preconditions instead of a transaction."""
    app.commit(app.set("c/a", n=1))
    page = {"Origin": "http://localhost:5173", "google-cloud-resource-prefix": app.database, "x-goog-request-params": "project_id=p"}.items()
    key = "?key=AIza&$httpHeaders=x%3Ay"
    status, found = app.rest("POST", f"/v1/{app.database}/documents:batchGet{key}", {"documents": [app.name("c/a")]}, page)
    assert status == 200
    time_ = found[0]["found"]["updateTime"].replace("Z", "000Z")
    write = app.set("c/a", n=2) | {"currentDocument": {"updateTime": time_}}
    assert app.rest("POST", f"/v1/{app.database}/documents:commit{key}", {"writes": [write]}, page)[0] == 200
    status, error = app.rest("POST", f"/v1/{app.database}/documents:commit{key}", {"writes": [write]}, page)
    assert status == 400 and error["error"]["status"] == "FAILED_PRECONDITION"


def test_refusals_are_said(app):
    with pytest.raises(Refused) as refused:
        app.channel("Write", body=b"count=7")
    assert refused.value.status == 400 and b"7 messages" in refused.value.body
