"""One script for two servers. Each scenario returns what a client has seen, without what differs from run to run."""

import re
import time

from .app import App, Answer, View, is_snapshot, refusal
from .client import Frames, form
from .proxy import HoldingProxy

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$")
TOKENS = {"resumeToken", "streamToken", "streamId"}
SCENARIOS = {}


def scenario(body):
    SCENARIOS[body.__name__] = body
    return body


def normal(value, key=None):
    """Without times, tokens, and the project, which is another one in each test."""
    if isinstance(value, dict):
        return {name: normal(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [normal(each) for each in value]
    if isinstance(value, str):
        if key in TOKENS:
            return "TOKEN"
        return "TIME" if TIME.match(value) else re.sub(r"projects/[^/]*/", "projects/P/", value)
    return value


def listened(channel, **more):
    """The messages up to the first global snapshot; the order of documents before it means nothing."""
    return in_order(normal(channel.follow(is_snapshot, **more)))


def in_order(messages):
    """Documents by name, at the position of the first."""
    documents = sorted((each for each in messages if "documentChange" in each), key=lambda each: each["documentChange"]["document"]["name"])
    first = next((index for index, each in enumerate(messages) if "documentChange" in each), 0)
    others = [each for each in messages if "documentChange" not in each]
    return others[:first] + documents + others[first:]


@scenario
def handshakes(app):
    found = []
    for version, client in ((8, 22), (8, 21), (7, 22), (9, 22)):
        channel = app.channel("Write", {"database": app.database}, version=version, client=client)
        greeting = channel.greeting[0]
        found.append([greeting[0], greeting[1][:1], len(greeting[1][1]) > 16, *greeting[1][2:]])
        channel.terminate()
    return found


@scenario
def handshakes_without_a_message(app):
    found = []
    for body in (b"headers=&count=0", b"count=0", b""):
        channel = app.channel("Write", body=body)
        channel.next_map = 0
        found.append(channel.post({"database": app.database})[:2])
        found.append(normal(channel.follow(lambda message: True)))
        channel.terminate()
    return found


@scenario
def first_snapshot(app):
    app.commit(app.set("c/a", n=1, t="é 😀 zażółć"), app.set("c/b"))
    channel = app.listen(app.query("c"))
    found = listened(channel)
    channel.terminate()
    return found


@scenario
def documents_and_changes(app):
    app.commit(app.set("c/a", n=1))
    channel = app.listen(app.documents("c/a", target=1002))
    view = View().take(channel.follow(is_snapshot))
    app.commit(app.set("c/a", n=2))
    view.take(channel.follow(lambda message: view.take([message]).documents.get(app.name("c/a"), {}).get("n") == {"integerValue": "2"}))
    channel.terminate()
    return normal(list(view.documents.items()))


@scenario
def several_targets(app):
    app.commit(app.set("c/a", n=1), app.set("d/b", n=2))
    channel = app.listen(app.query("c", 4))
    listened(channel)
    channel.post({"database": app.database, "removeTarget": 4}, app.query("d", 6))
    found = channel.follow(lambda message: message.get("targetChange", {}).get("targetChangeType") == "CURRENT")
    channel.terminate()
    return [message for message in normal(found) if not is_snapshot(message)]


@scenario
def writes(app):
    channel = app.writer()
    channel.post(app.batch(channel, app.set("c/a", n=1), {"delete": app.name("c/none")}))
    found = channel.follow(lambda message: "commitTime" in message)
    channel.post(*(app.batch(channel, app.increment("c/a")) for _ in range(3)))
    for _ in range(3):
        found += channel.follow(lambda message: "commitTime" in message)
    channel.terminate()
    return normal(found) + [app.get("c/a")]


@scenario
def the_same_post_twice(app):
    channel = app.writer()
    body = form([app.batch(channel, app.increment("c/a"))], 1)
    answers = [channel.post(body=body)[0] for _ in range(2)]
    channel.next_map = 2
    channel.post(app.batch(channel, app.increment("c/a", by=10)))
    for _ in range(2):
        channel.follow(lambda message: "commitTime" in message)
    channel.terminate()
    return [len(answers), app.get("c/a")]


@scenario
def overtaken(app):
    channel = app.writer()
    found = []
    channel.post(app.batch(channel, app.set("c/a", n=3)), first=3)
    channel.post(app.batch(channel, app.set("c/a", n=2)), first=2)
    time.sleep(0.2)
    found.append(app.get("c/a"))
    channel.post(app.batch(channel, app.set("c/a", n=1)), first=1)
    for _ in range(3):
        channel.follow(lambda message: "commitTime" in message)
    channel.terminate()
    return found + [app.get("c/a")]


@scenario
def numbers_in_names(app):
    """After a retry: `ofs` is lower than the first message."""
    channel = app.writer()
    channel.post(body=form([app.batch(channel, app.increment("c/a")), app.batch(channel, app.increment("c/a"))], 1, offset=0))
    for _ in range(2):
        channel.follow(lambda message: "commitTime" in message)
    channel.terminate()
    return app.get("c/a")


@scenario
def cut_and_resumed(app):
    app.commit(*(app.set(f"c/{number}", t="żółw 😀" * 10) for number in range(20)))
    channel = app.listen(app.query("c"))
    first = channel.get()
    first.answer.head()
    frames, size = Frames(), 0
    for piece in first.answer.pieces():
        # Up to the middle of a frame, and of a character.
        for number, content in (array for frame in frames.take(piece[:501 - size]) for array in frame):
            channel.took([number, content])
        size += len(piece)
        if size > 501:
            break
    first.close()
    channel.follow(is_snapshot)
    channel.terminate()
    view = View().take([content[0] for _, content in sorted(channel.seen.items()) if isinstance(content[0], dict)])
    return [len(view.documents), sorted(channel.seen) == list(range(1, channel.last + 1))]


@scenario
def acknowledged(app):
    app.commit(app.set("c/a", n=1))
    channel = app.listen(app.query("c"))
    channel.follow(is_snapshot)
    found = []
    for aid in (2, 0, -1):
        back = channel.get(aid=aid)
        found.append(back.next()[0])
        back.close()
    last = channel.last
    channel.took = lambda array: None
    back = channel.get(aid=last + 50)
    found.append(back.next()[0] > last)
    back.close()
    channel.terminate()
    return found


@scenario
def second_get(app):
    channel = app.listen(app.query("c"))
    channel.follow(is_snapshot)
    first = channel.get()
    first.next()
    second = channel.get()
    second.next()
    rest = [array for array in first if array[1] != ["noop"]]
    ended = first.answer.ended
    channel.terminate()
    return [rest, ended]


@scenario
def post_without_get(app):
    channel = app.listen(app.query("c"))
    time.sleep(0.3)
    answer = channel.post({"database": app.database, "removeTarget": 2})
    channel.terminate()
    return answer[:2]


@scenario
def polling(app):
    app.commit(app.set("c/a", n=1))
    channel = app.listen(app.query("c"))
    found = [listened(channel, polling=True)]
    back = channel.get(polling=True)
    app.commit(app.set("c/a", n=2))
    content = [array[1] for array in back if array[1] != ["noop"]]
    found.append([bool(content), back.answer.ended])
    channel.terminate()
    return found


def behind_a_proxy(app, notices):
    """The client notices that answers are held back, polls, and misses nothing."""
    app.commit(*(app.set(f"c/{number}", t="żółw 😀") for number in range(50)))
    with HoldingProxy(app.address, notices) as proxy:
        page = App(proxy.address, app.database, detects=True)
        listener = page.listen(page.query("c"))
        view = View()
        while not any(is_snapshot(message) for message in view.received):
            view.take(listener.poll())
        writer = page.writer()
        for _ in range(5):
            writer.post(page.batch(writer, page.increment("c/0")), page.batch(writer, page.increment("c/0")))
        results = 0
        while results < 10:
            results += len([message for message in writer.poll() if "commitTime" in message])
        while view.documents.get(page.name("c/0"), {}).get("n") != {"integerValue": "10"}:
            view.take(listener.poll())
        found = [listener.polls, writer.polls, proxy.polled > 0, len(view.documents), page.get("c/0")["n"]]
        listener.terminate()
        writer.terminate()
    return found


@scenario
def a_proxy_that_holds_answers_back(app):
    return behind_a_proxy(app, notices=True)


@scenario
def a_proxy_that_holds_answers_back_and_connections_open(app):
    return behind_a_proxy(app, notices=False)


@scenario
def ends(app):
    found = []
    for verb in ("POST", "GET"):
        channel = app.writer()
        back = channel.get()
        back.next()
        found.append(channel.terminate(verb).decode())
        found.append([[array for array in back if array[1] != ["noop"]], back.answer.ended])
        found += [refusal(action) for action in (lambda: channel.get().next(), lambda: channel.post({"writes": []}), lambda: channel.terminate("POST"))]
    return found


@scenario
def unknown_session(app):
    channel = app.writer()
    channel.terminate()
    channel.sid = "AAAAAAAAAAAAAAAAAAAAAA=="
    return [refusal(lambda: channel.get().next()), refusal(lambda: channel.post({})), refusal(lambda: channel.terminate("GET"))]


@scenario
def failed_write(app):
    channel = app.writer()
    channel.post(app.batch(channel, app.set("c/a", n=1) | {"currentDocument": {"exists": True}}))
    error = channel.follow(lambda message: "error" in message)[-1]["error"]
    found = [sorted(error), error["status"], bool(error["message"])]
    # What comes after it is taken.
    found.append(len(channel.post(app.batch(channel, app.set("c/a", n=1)))))
    time.sleep(0.2)
    channel.terminate()
    return found + [app.get("c/a")]


@scenario
def failed_target(app):
    codes = []
    for wrong in (
        {"where": {"fieldFilter": {"field": {"fieldPath": "a"}, "op": "IN", "value": {"arrayValue": {}}}}},
        {"where": {"fieldFilter": {"field": {"fieldPath": "a..b"}, "op": "EQUAL", "value": {"integerValue": "1"}}}},
        {"startAt": {"values": [{"integerValue": "1"}, {"integerValue": "1"}]}},
    ):
        target = app.query("c")
        target["addTarget"]["query"]["structuredQuery"] |= wrong
        channel = app.listen(target)
        found = channel.follow(lambda message: message.get("targetChange", {}).get("targetChangeType") == "REMOVE" or "error" in message)[-1]
        channel.terminate()
        codes.append([found["targetChange"]["targetIds"], found["targetChange"]["cause"]["code"]])
    return codes


@scenario
def users(app):
    token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEiLCJ1c2VyX2lkIjoiYWRhIn0."
    found = []
    for headers in ([("Authorization", f"Bearer {token}")], [], [("X-Goog-Api-Client", "gl-js/ fire/12.14.0"), ("x-goog-api-key", "k")]):
        channel = app.channel("Write", {"database": app.database}, headers=headers)
        found.append(normal(channel.follow(lambda message: True)))
        channel.terminate()
    return found


@scenario
def preflight(app):
    names = "google-cloud-resource-prefix,x-firebase-gmpid,x-goog-api-client,x-goog-api-key,x-goog-request-params"
    headers = [("Origin", "http://localhost:5173"), ("Access-Control-Request-Method", "POST"), ("Access-Control-Request-Headers", names)]
    answer = Answer(app.address, "OPTIONS", f"/v1/{app.database}/documents:commit", headers).head()
    answer.body()
    wanted = ("access-control-allow-origin", "access-control-allow-credentials", "access-control-allow-headers")
    return [answer.status, [answer.headers.get(name) for name in wanted], "POST" in answer.headers["access-control-allow-methods"]]


@scenario
def origins(app):
    found = []
    for origin in (None, "http://localhost:5173"):
        page = App(app.address, app.database, origin)
        channel = page.writer()
        channel.post(app.batch(channel, app.set("c/a", n=1)))
        found.append([channel.answer_headers.get(f"access-control-allow-{name}") for name in ("origin", "credentials")])
        channel.follow(lambda message: "commitTime" in message)
        channel.terminate()
    return found


@scenario
def values(app):
    channel = app.writer()
    fields = {
        "int": {"integerValue": "9007199254740993"}, "nan": {"doubleValue": "NaN"}, "inf": {"doubleValue": "-Infinity"}, "double": {"doubleValue": 1.5},
        "null": {"nullValue": "NULL_VALUE"}, "time": {"timestampValue": "2023-11-14T22:13:20.123000000Z"}, "bytes": {"bytesValue": "AP+/"},
        "empty": {"arrayValue": {"values": []}}, "none": {"arrayValue": {}}, "map": {"mapValue": {"fields": {"a.b": {"booleanValue": True}}}},
        "text": {"stringValue": "é\u2028😀\ufffd\\\"\n"}, "point": {"geoPointValue": {"latitude": -90, "longitude": 0.5}},
        "ref": {"referenceValue": app.name("c/a")}}
    channel.post(app.batch(channel, {"update": {"name": app.name("c/a"), "fields": fields}}))
    channel.follow(lambda message: "commitTime" in message)
    listener = app.listen(app.documents("c/a"))
    document = next(message for message in listener.follow(is_snapshot) if "documentChange" in message)["documentChange"]["document"]
    channel.terminate()
    listener.terminate()
    return normal(document)
