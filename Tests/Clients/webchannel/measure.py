"""How fast sessions are: `cd Tests/Clients && python3 -m webchannel.measure BINARY_OF_HEARTH`. The emulator is measured beside it, if it is
installed. The client is the same, and its own time is in the figures."""

import json
import sys
import time

from oracle import servers

from .app import App, is_snapshot

DATABASE = "projects/measured/databases/(default)"


def middle(times):
    return sorted(times)[len(times) // 2] * 1000


def first_snapshot(app, count):
    times = []
    for _ in range(3):
        start = time.monotonic()
        channel = app.listen(app.query("c"))
        messages = channel.follow(is_snapshot, seconds=120)
        times.append(time.monotonic() - start)
        assert len(messages) >= count
        channel.terminate()
    return middle(times)


def write_to_listener(app):
    writer, listener = app.writer(), app.listen(app.documents("c/000001"))
    listener.follow(is_snapshot)
    back, answers = listener.get(timeout=60), writer.get(timeout=60)
    back.next()
    answers.next()
    times = []
    for number in range(200):
        start = time.monotonic()
        writer.post(app.batch(writer, app.set("c/000001", n=number)))
        for _, content in back:
            if content[0] != "noop" and json.dumps({"integerValue": str(number)}) in json.dumps(content):
                break
        times.append(time.monotonic() - start)
    writer.terminate()
    listener.terminate()
    return middle(times)


def idle_sessions(app, process, count=1_000):
    def memory():
        with open(f"/proc/{process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    before, open_ones = memory(), []
    for _ in range(count):
        channel = app.listen(app.documents("c/000001"))
        back = channel.get(timeout=60)
        for _, content in back:
            if content[0] != "noop" and is_snapshot(content[0]):
                break
        open_ones.append((channel, back))
    each = (memory() - before) / count
    for channel, back in open_ones:
        channel.terminate()
        back.close()
    return each


def main():
    jar = servers.emulator_jar()
    for server in [servers.hearth(sys.argv[1]).wait()] + ([servers.emulator(jar).wait()] if jar else []):
        app = App(server.address, DATABASE)
        # The emulator gives up a session at 10,001.
        count = 9_500
        for start in range(0, count, 500):
            app.commit(*(app.set(f"c/{number:06}", n=number, t="hello world " * 4) for number in range(start, start + 500)))
        print(f"{server.name}: write to listener {write_to_listener(app):.2f} ms", flush=True)
        print(f"{server.name}: first snapshot of {count} documents {first_snapshot(app, count):.0f} ms", flush=True)
        print(f"{server.name}: idle session {idle_sessions(app, server.process):.1f} KB", flush=True)
        server.stop()


if __name__ == "__main__":
    main()
