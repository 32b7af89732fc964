"""What only `hearth serve` does: flow control, bounds, rejections, and a network at its worst."""

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
from .client import Frames, form, quote


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
    """Flow control instead of a limit: GETs end, and the next one acknowledges."""
    fill(app, 12_000, "żółw 😀 ")
    channel = app.listen(app.query("c"))
    view = View().take(channel.follow(is_snapshot, seconds=60))
    assert len(view.documents) == 12_000 and channel.last > 12_000
    assert {each["n"]["integerValue"] for each in view.documents.values()} == {str(number) for number in range(12_000)}
    # And it continues from there.
    app.commit(app.set("c/000007", n=-7))
    # Not the next snapshot: there is one every half a minute without a change, too.
    while view.documents[app.name("c/000007")]["n"] != {"integerValue": "-7"}:
        view.take(channel.follow(is_snapshot))
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
        # Up to four are in flight, in any order.
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

    def has_all():
        return all(view.documents.get(app.name(path), {}).get("n") == {"integerValue": str(count)} for path in ("c/last", "c/a"))

    while not has_all():
        # Longer than keep-alives take.
        back = listener.get(timeout=60)
        limit = chance.randrange(1, 5)
        for index, (_, content) in enumerate(back):
            if content != ["noop"]:
                view.take(content)
            # When everything has been said there is nothing to wait for.
            if index + 1 == limit or has_all():
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
            return any('"n": {"integerValue": "2"}' in json.dumps(content) for _, content in back)

        assert all(pool.map(hears, sessions))
        list(pool.map(lambda session: session[0].terminate(), sessions))
    for _, back in sessions:
        back.close()


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


def test_a_first_byte_arrives_immediately(app):
    """Else the SDK takes the server for a proxy that holds answers back, and polls. Keep-alives come after 20 seconds."""
    # A stream that has nothing to say, because it has no request, and one that has sent everything.
    silent, told = app.channel("Listen"), app.writer()
    for channel in (silent, told):
        back = channel.get(timeout=15)
        assert back.next()[1] == ["noop"]
        back.close()
        channel.terminate()


def test_the_longest_wait_of_a_poll(app):
    """`TO`, in milliseconds; before the end nothing comes, not even the head."""
    channel = app.writer()
    back = channel.get(polling=True, wait=300, timeout=15)
    assert [content for _, content in back] == [["noop"]] and back.answer.ended
    channel.terminate()


def test_a_post_acknowledges_nothing(app):
    """Only a GET does, whatever `AID` a POST names."""
    app.commit(app.set("c/a", n=1))
    channel = app.listen(app.query("c"))
    channel.follow(is_snapshot)
    first, last = min(channel.seen), channel.last
    unacknowledged = channel.post(app.query("d", 4))[2]
    assert unacknowledged > 0
    assert channel.post(app.query("e", 6), aid=last)[2] >= unacknowledged
    assert channel.get(aid=0).next()[0] == first
    channel.terminate()


def test_headers_of_answers(app):
    """No proxy or cache may store them, nothing may compress them, and the protocol is announced over HTTP/2 only."""
    app.origin = "http://localhost:5173"
    channel = app.channel("Listen", app.query("c"))
    assert channel.answer_headers["content-type"] == "text/plain; charset=utf-8"
    assert "no-store" in channel.answer_headers["cache-control"] and channel.answer_headers["x-content-type-options"] == "nosniff"
    assert "x-client-wire-protocol" not in channel.answer_headers
    channel.headers.append(("Accept-Encoding", "gzip, deflate, br, zstd"))
    back = channel.get()
    assert back.next()
    headers = back.answer.headers
    assert headers["transfer-encoding"] == "chunked" and headers["x-accel-buffering"] == "no"
    assert "content-encoding" not in headers and "content-length" not in headers
    assert headers["access-control-allow-origin"] == app.origin and headers["access-control-allow-credentials"] == "true"
    back.close()
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


def test_two_simultaneous_listeners_and_a_writer(app):
    """Sessions do not wait for each other."""
    idle = app.listen(app.query("idle"))
    idle.follow(is_snapshot)
    waiting = idle.get(timeout=30)
    waiting.next()
    found = []
    reader = threading.Thread(target=lambda: found.append(any("documentChange" in json.dumps(array) for array in waiting)))
    reader.start()
    writer = app.writer()
    for number in range(50):
        writer.post(app.batch(writer, app.increment("c/a")))
    for _ in range(50):
        writer.follow(lambda message: "commitTime" in message)
    assert app.get("c/a") == {"n": {"integerValue": "50"}}
    app.commit(app.set("idle/a", n=1))
    reader.join(60)
    assert found == [True]
    writer.terminate()
    idle.terminate()


@pytest.mark.one_server("its requests name no route")
@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
def test_http2(app):
    """Over cleartext HTTP/2 the emulator answers 415."""
    command = ["curl", "--silent", "--globoff", "--http2-prior-knowledge", "--no-buffer", "--max-time", "30"]

    def curl(target, body=None, more=()):
        if body is not None:
            more = [*more, "--data-binary", "@-", "-H", "Content-Type: application/x-www-form-urlencoded"]
        return subprocess.run([*command, *more, f"http://{app.address}{target}"], input=body, capture_output=True).stdout.decode()

    path = f"/google.firestore.v1.Firestore/Listen/channel?VER=8&database={quote(app.database)}"
    app.commit(app.set("c/a", t="é😀"))
    greeting = curl(f"{path}&RID=1&CVER=22", form([app.query("c")], 0))
    assert "x-client-wire-protocol: h2" in curl(f"{path}&RID=1&CVER=22", b"count=0", more=["--dump-header", "-"])
    sid = json.loads(greeting.split("\n", 1)[1])[0][1][1]
    stream = f"http://{app.address}{path}&RID=rpc&SID={sid}&AID=0&CI=0&TYPE=xmlhttp"
    found = b""
    with subprocess.Popen([*command, stream], stdout=subprocess.PIPE) as process:
        while b'"targetChangeType":"CURRENT"' not in found:
            more = process.stdout.read1()
            assert more, found
            found += more
        process.kill()
    assert "é😀" in found.decode()
    assert curl(f"{path}&RID=2&SID={sid}&TYPE=terminate", b"") == ""
    assert "Unknown SID" in curl(f"{path}&RID=rpc&SID={sid}&AID=0&CI=0&TYPE=xmlhttp")


@pytest.mark.one_server("its requests name no route")
@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
def test_a_hundred_sessions_on_one_connection(app, tmp_path):
    """Handshakes side by side, and then as many GETs that hang."""
    app.commit(app.set("c/a", n=1))
    path = f"/google.firestore.v1.Firestore/Listen/channel?VER=8&database={quote(app.database)}"

    def ask(targets, body=None):
        """The requests, all together on one HTTP/2 connection. Returns the process, and where the answers go."""
        files = [tmp_path / f"{number}" for number in range(len(targets))]
        lines = []
        for target, file in zip(targets, files):
            lines += [f'url = "http://{app.address}{target}"', f'output = "{file}"', 'write-out = "%{num_connects} %{http_code}\\n"', "max-time = 60"]
            lines += [f'data = "{body}"'] if body else []
            lines.append("next")
        (tmp_path / "requests").write_text("\n".join(lines[:-1]))
        command = ["curl", "--silent", "--globoff", "--http2-prior-knowledge", "--parallel", "--parallel-max", "100", "-K", str(tmp_path / "requests")]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True), files

    def answers(asked):
        process, files = asked
        connections = [line.split() for line in process.communicate(timeout=90)[0].splitlines()]
        assert sum(int(count) for count, _ in connections) == 1 and {status for _, status in connections} == {"200"}
        return [file.read_text() for file in files]

    greetings = answers(ask([f"{path}&RID=1&CVER=22"] * 100, form([app.documents("c/a")], 0).decode()))
    sids = [json.loads(greeting.split("\n", 1)[1])[0][1][1] for greeting in greetings]
    assert len(set(sids)) == 100
    polls = [f"{path}&RID=rpc&SID={sid}&CI=1&TYPE=xmlhttp&AID=" for sid in sids]
    last = [0] * 100
    while not all(last):
        for index, text in enumerate(answers(ask([poll + str(number) for poll, number in zip(polls, last)]))):
            for number, content in (array for frame in Frames().take(text.encode()) for array in frame):
                last[index] = number if content != ["noop"] and is_snapshot(content[0]) else last[index]
    asked = ask([poll + str(number) for poll, number in zip(polls, last)])
    app.commit(app.set("c/a", n=2))
    assert all('"integerValue":"2"' in text for text in answers(asked))


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


def test_rejections_name_their_reason(app):
    with pytest.raises(Refused) as refused:
        app.channel("Write", body=b"count=7")
    assert refused.value.status == 400 and b"7 messages" in refused.value.body
