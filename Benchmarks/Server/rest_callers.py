"""Callers that send large commits in JSON, eight at a time, over REST or as messages of web pages, until this process is ended.

    rest_callers.py PORT rest|web CALLERS MEGABYTES

A process of its own, so that it does not share a lock with the one that measures. Prints a line for every answer: its status.
"""

import http.client
import json
import sys
import threading
import urllib.parse

PROJECT = "large"
DATABASE = f"projects/{PROJECT}/databases/(default)"
COMMIT = f"/v1/{DATABASE}/documents:commit"
CHANNEL = f"/google.firestore.v1.Firestore/Write/channel?VER=8&RID=1&CVER=22&database={urllib.parse.quote(DATABASE, safe='')}"


def commit(megabytes, collection="large"):
    """A commit of so many megabytes in small strings: 400 to a document."""
    fields = {f"f{number:03d}": {"stringValue": f"v{number}"} for number in range(400)}
    write = {"update": {"name": f"{DATABASE}/documents/{collection}/ID", "fields": fields}}
    text = json.dumps(write, separators=(",", ":"))
    count = int(megabytes * 1e6) // len(text)
    return '{"writes":[%s]}' % ",".join(text.replace("/ID", f"/doc{number:05d}", 1) for number in range(count))


def request(kind, megabytes, caller):
    text = commit(megabytes, f"large{caller}")
    if kind == "rest":
        return COMMIT, text.encode(), "application/json"
    # The first message of a Write stream has no writes: it is decoded, and then rejected.
    message = '{"database":"%s",%s' % (DATABASE, text[1:])
    return CHANNEL, ("count=1&ofs=0&req0___data__=" + urllib.parse.quote(message)).encode(), "application/x-www-form-urlencoded"


def call(port, target, body, content_type):
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        try:
            connection.request("POST", target, body, {"content-type": content_type})
            answer = connection.getresponse()
            answer.read()
            print(answer.status, flush=True)
        except OSError as error:
            print(f"error {error}", flush=True)
        finally:
            connection.close()


def main():
    port, kind, callers, megabytes = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
    threads = [
        threading.Thread(target=call, args=(port, *request(kind, megabytes, caller)), daemon=True) for caller in range(callers)
    ]
    for thread in threads:
        thread.start()
    print("ready", flush=True)
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
