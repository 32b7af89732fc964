"""OT-43, OT-45, OT-46, OT-48: a server, its receivers, and the commands, as their users have them."""

import json
import random
import socket
import threading
import time

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from events.receiver import Receiver
from events.serving import Server, eventually


def trigger(url, **members):
    return {"name": "t", "document": "c/{id}", "on": ["written"], "url": url, **members}


def test_signatures(tmp_path):
    """OT-46: the library of Standard Webhooks accepts what we sign, and nothing else."""
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    (tmp_path / "secret").write_text(secret + "\n")
    with Receiver() as receiver, Server(
            tmp_path, [trigger(receiver.url, format="cloudevents-json", secretFile="secret")]) as server:
        server.placed().client().document("c/1").set({"n": 1})
        headers, body = eventually("it is delivered", lambda: receiver.requests)[0]
    assert Webhook(secret).verify(body, headers)["value"]["fields"] == {"n": {"integerValue": "1"}}
    for changed, wanted in [(body + b" ", secret), (body, "whsec_" + "A" * 32)]:
        with pytest.raises(WebhookVerificationError):
            Webhook(wanted).verify(changed, headers)


def test_kills(tmp_path):
    """OT-43: servers that are killed, and receivers that fail and are away: each change arrives, in order per document."""
    generator, gate = random.Random(5), threading.Lock()
    seen = []

    def answer(number, headers):
        with gate:
            return 200 if generator.random() < 0.7 else 500

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    triggers = [trigger(f"http://127.0.0.1:{port}", format="cloudevents-json")]
    server = Server(tmp_path, triggers, ["--data", str(tmp_path / "data")]).placed()
    expected = {}
    try:
        for round_number in range(4):
            with Receiver(answer, port=port) as receiver:
                client = server.client()
                for number in range(25):
                    name = f"d{generator.randrange(6)}"
                    value = round_number * 100 + number
                    client.document(f"c/{name}").set({"n": value})
                    expected.setdefault(name, []).append(value)
                if round_number == 3:
                    eventually("all is delivered", lambda: not missing(expected, seen + receiver.requests), 120)
                else:
                    time.sleep(generator.random())
                client.close()
                server.kill()
                seen += receiver.requests
            server.start()
    finally:
        server.stop()
    ids = {}
    for headers, body in seen:
        value = int(json.loads(body)["value"]["fields"]["n"]["integerValue"])
        ids.setdefault((headers["ce-document"], value), set()).add(headers["ce-id"])
    assert all(len(found) == 1 for found in ids.values())
    for name, values in expected.items():
        first = first_arrivals(name, seen)
        assert first == values, name


def first_arrivals(name, requests):
    found = []
    for headers, body in requests:
        if headers["ce-document"] == f"c/{name}":
            value = int(json.loads(body)["value"]["fields"]["n"]["integerValue"])
            if value not in found:
                found.append(value)
    return found


def missing(expected, requests):
    return [name for name, values in expected.items() if set(values) - set(first_arrivals(name, list(requests)))]


def test_dead_events(tmp_path):
    """OT-45: given up, listed, shown, delivered again, removed."""
    broken = [True]
    with Receiver(lambda number, headers: 500 if broken[0] else 200) as receiver, Server(
            tmp_path, [trigger(receiver.url, retry="0s")]) as server:
        client = server.placed().client()
        for number in range(2):
            client.document(f"c/{number}").set({"n": number})
        lines = eventually("both are dead", lambda: (found := server.command("list").stdout.splitlines()) and len(found) == 2 and found)
        identifiers = [line.split()[0] for line in lines]
        assert all("status 500" in line and "webhook/t" in line for line in lines)
        shown = json.loads(server.command("show", identifiers[0]).stdout)
        assert shown["document"] == "c/0" and shown["after"]["fields"] == {"n": {"integerValue": "0"}}
        assert 'hearth_events_dead_total{database="(default)",trigger="t"} 2' in server.metrics()
        assert server.command("show", "unknown").returncode == 1
        broken[0] = False
        before = len(receiver.requests)
        assert server.command("retry", identifiers[0]).returncode == 0
        eventually("it is delivered again", lambda: len(receiver.requests) > before)
        assert receiver.requests[-1][0]["ce-id"] == identifiers[0]
        eventually("it is not dead any more", lambda: len(server.command("list").stdout.splitlines()) == 1)
        assert server.command("drop", "--all").returncode == 0
        assert server.command("list").stdout == ""


def test_trigger_files(tmp_path):
    """OT-48: a file with a mistake stops a start, and leaves what was there; a better one is taken."""
    with pytest.raises(RuntimeError, match=r"events.json:\d+: .*\"urls\""):
        Server(tmp_path, [trigger("http://127.0.0.1:1", urls=1)])
    with Receiver() as first, Receiver() as second, Server(tmp_path, [trigger(first.url)]) as server:
        client = server.placed().client()
        server.write_text('{"triggers": [\n{"name": "x"}]}')
        eventually("it is refused", lambda: server.logged("events.json:2:"))
        client.document("c/1").set({"n": 1})
        eventually("the old trigger delivers", lambda: len(first.requests) == 1)
        server.write([trigger(second.url, name="other")])
        server.placed()
        client.document("c/2").set({"n": 2})
        eventually("the new one delivers", lambda: len(second.requests) == 1)
        assert len(first.requests) == 1


def test_gone(tmp_path):
    """OT-45: 410 switches off; SIGHUP switches on."""
    with Receiver(lambda number, headers: 410 if number == 0 else 200) as receiver, Server(tmp_path, [trigger(receiver.url)]) as server:
        server.placed().client().document("c/1").set({"n": 1})
        eventually("it is off", lambda: server.logged("wants no more events"))
        server.process.send_signal(1)
        eventually("it is delivered", lambda: len(receiver.requests) == 2)


def test_administrators_only(tmp_path):
    (tmp_path / "rules").write_text(
        "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents { match /{p=**} { allow read, write: if true; } } }")
    with Server(tmp_path, [], ["--in-memory", "--rules", str(tmp_path / "rules")]) as server:
        found = server.command("list")
        assert found.returncode == 2 and "administrator" in found.stderr
