"""How fast events arrive. No limits, because machines differ: `dev/test events -k speed -s` prints the figures."""

import json
import statistics
import time

from events.receiver import Receiver
from events.serving import Server, eventually


def test_speed(tmp_path):
    arrivals = {}

    def answer(number, headers):
        arrivals[headers["ce-document"]] = time.monotonic()
        return 200

    with Receiver(answer) as receiver, Server(
            tmp_path, [{"name": "t", "document": "c/{id}", "on": ["created"], "url": receiver.url, "concurrency": 64}]) as server:
        client, acknowledged = server.placed().client(), {}
        for number in range(200):
            client.document(f"c/{number}").set({"n": number})
            acknowledged[f"c/{number}"] = time.monotonic()
        eventually("all have arrived", lambda: len(arrivals) == 200)
        delays = sorted(1_000 * (arrivals[name] - acknowledged[name]) for name in arrivals)
        begun = time.monotonic()
        for batch_number in range(10):
            batch = client.batch()
            for number in range(200):
                batch.set(client.document(f"c/b{batch_number}-{number}"), {"n": number})
            batch.commit()
        eventually("all have arrived", lambda: len(arrivals) == 2_200)
        rate = 2_000 / (time.monotonic() - begun)
        assert len(receiver.requests) == 2_200
    print(json.dumps({"commit to webhook, p50 ms": round(statistics.median(delays), 2), "events/s": round(rate)}))
