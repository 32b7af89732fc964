"""Callers that run hostile pipelines over REST, eight at a time, until this process is ended.

    pipeline_callers.py PORT CALLERS

A process of its own, so that it does not share a lock with the one that measures. Prints a line for every answer: its status, or "gone"
where the caller has given up waiting, as impatient ones do.
"""

import http.client
import json
import sys
import threading

from documents import DATABASE

SECONDS = 2
TARGET = f"/v1/{DATABASE}/documents:executePipeline"
DOCUMENTS = {"name": "collection", "args": [{"referenceValue": "/coll"}]}


def constant(of):
    return {"integerValue": str(of)} if isinstance(of, int) else {"stringValue": of}


def field(name):
    return {"fieldReferenceValue": name}


def variable(name):
    return {"variableReferenceValue": name}


def call(name, *args):
    return {"functionValue": {"name": name, "args": list(args)}}


def fields(name, **values):
    return {"name": name, "args": [{"mapValue": {"fields": values}}]}


def of_one_row(*stages):
    return [{"name": "literals", "args": [{"mapValue": {"fields": {"n": constant(1)}}}]}, *stages]


def nested(depth):
    """A pipeline over all documents in each row of another one, so many times."""
    stages = [DOCUMENTS]
    for _ in range(depth):
        stages = [DOCUMENTS, fields("select", x=call("array", {"pipelineValue": {"stages": stages}}))]
    return stages


def deep(depth):
    expression = field("n")
    for _ in range(depth):
        expression = call("array", expression)
    return expression


MILLION = call("split", call("string_repeat", constant("a,"), constant(999_999)), constant(","))
NUMBERS = call("array_transform", MILLION, constant("e"), constant("i"), variable("i"))
PIPELINES = {
    "elements": of_one_row(fields("select", x=call("array_length", call("array_reverse", MILLION)))),
    "quadratic": of_one_row(fields("let", n=NUMBERS), fields("select", x=call("array_contains_all", variable("n"), call("array_reverse", variable("n"))))),
    "elements of elements": of_one_row(
        fields("let", n=NUMBERS), fields("select", x=call("array_transform", variable("n"), constant("e"), call("array_get", variable("n"), constant(-1))))),
    "memory": of_one_row(fields("let", n=NUMBERS), fields("select", x=call("array_transform", variable("n"), constant("e"), variable("n")))),
    "string_repeat": of_one_row(fields("select", x=call("string_repeat", constant("x"), constant(1 << 40)))),
    "like": of_one_row(fields("select", x=call(
        "like", call("string_repeat", constant("a"), constant(1_000_000)), constant("%" + "a" * 3_000 + "_b%")))),
    "pattern": of_one_row(fields("select", x=call(
        "regex_find_all", call("string_repeat", constant("ab"), constant(1_000_000)), constant("(a|b)*a(a|b){12}c?")))),
    "nested values": of_one_row(fields("select", x=deep(64))),
    "nested pipelines": nested(20),
    "groups": [DOCUMENTS, fields("let", n=NUMBERS), {"name": "unnest", "args": [variable("n"), field("e")]}, fields("distinct", e=field("e"))],
}


def run(port, number):
    names = list(PIPELINES)
    while True:
        number += 1
        body = json.dumps({"structuredPipeline": {"pipeline": {"stages": PIPELINES[names[number % len(names)]]}}})
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
        try:
            connection.request("POST", TARGET, body, {"content-type": "application/json"})
            answer = connection.getresponse()
            text = answer.read()
            print(names[number % len(names)], answer.status, "" if answer.status == 200 else text[:200], flush=True)
        except TimeoutError:
            print(names[number % len(names)], "gone", flush=True)
        except OSError as error:
            print(names[number % len(names)], f"error {error}", flush=True)
        finally:
            connection.close()


def main():
    port, callers = int(sys.argv[1]), int(sys.argv[2])
    # Each begins with another pipeline.
    threads = [threading.Thread(target=run, args=(port, caller), daemon=True) for caller in range(callers)]
    for thread in threads:
        thread.start()
    print("ready", flush=True)
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
