"""`make bench-server`: the server's measurements, each compared with a peer in the same run."""

import argparse
import signal
import sys

import archive_cases
import budget_cases
import call_cases
import client_cases
import console_cases
import event_cases
import listener_cases
import pipeline_cases
import process_cases
import rest_cases
import rules_cases
import swift_cases
import transfer_cases
import web_cases
from measuring import Table, merge
from processes import Absent, Machine

CASES = [
    ("get echo GetDocument", call_cases.gets_against_echo),
    ("commit engine durable", call_cases.commits_against_engine),
    ("batches decay", call_cases.batches),
    ("stream RunQuery", call_cases.streamed_query),
    ("stream pipeline memory", pipeline_cases.streamed),
    ("listener write", listener_cases.write_to_listener),
    ("listener thousand", listener_cases.many_listeners),
    ("listener idle", listener_cases.idle_targets),
    ("python query Q1 Q2 count emulator", client_cases.queries),
    ("python listener Q3 emulator", client_cases.query_listener),
    ("get connections processor", call_cases.gets_by_connections),
    ("get emulator", call_cases.gets_against_emulator),
    ("commit emulator durable relaxed", call_cases.commits_against_emulator),
    ("rules get commit", rules_cases.against_no_rules),
    ("rules listeners", rules_cases.listeners),
    ("rules get commit emulator", rules_cases.against_emulator),
    ("budget layers get commit query listener", budget_cases.budgets),
    ("start emulator", process_cases.start),
    ("memory emulator", process_cases.memory),
    ("memory million", process_cases.million),
    ("console rows memory million", console_cases.first_rows),
    ("console writers", console_cases.watched_writers),
    ("swift get python", swift_cases.gets),
    ("swift tasks h2load", swift_cases.tasks),
    ("swift add unawaited", swift_cases.adds),
    ("swift listener python", swift_cases.listeners),
    ("web listener write emulator", web_cases.write_to_listener),
    ("web snapshot emulator", web_cases.first_snapshot),
    ("web sessions idle memory", web_cases.idle_sessions),
    ("rest decoding json", rest_cases.decoding),
    ("rest web neighbours gets commits", rest_cases.neighbours),
    ("rest pages memory", rest_cases.pages),
    ("pipelines neighbours gets commits", pipeline_cases.neighbours),
    ("import cities", transfer_cases.cities),
    ("import gigabyte memory", transfer_cases.gigabyte),
    ("operations archive commits", archive_cases.commits),
    ("operations archive copy million", archive_cases.copied),
    ("operations archive bytes", archive_cases.size),
    ("operations archive lag", archive_cases.lag),
    ("operations restore million", archive_cases.restored),
    ("operations events webhook", event_cases.delivered),
    ("operations events pending memory", event_cases.pending),
]


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--build", required=True, help="directory of the release products")
    options.add_argument("--json", required=True, help="result file, merged by case")
    options.add_argument("--only", action="append", default=[], metavar="WORD", help="cases with this word; see --list")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--list", action="store_true")
    chosen = options.parse_args()
    if chosen.list:
        for words, _ in CASES:
            print(words)
        return 0
    cases = [
        (words, case)
        for words, case in CASES
        if not chosen.only or any(word.lower() in words.lower() for word in chosen.only)
    ]
    # So that everything is ended on the way out, whichever way that is.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    machine = Machine(chosen.build)
    table = Table(70)
    results, failures = [], 0
    try:
        table.header()
        for words, case in cases:
            try:
                for result in case(machine, max(5, chosen.rounds)):
                    table.row(result)
                    results.append(result)
            except Absent as absent:
                print(f"{words}: skipped: {absent}", flush=True)
            except Exception as error:  # One case that fails does not take the others along.
                failures += 1
                print(f"{words}: failed: {type(error).__name__}: {error}", flush=True)
    finally:
        machine.close()
        merge(chosen.json, results)
    verdicts = [result.meets_goal for result in results if result.meets_goal is not None]
    print(f"\n{sum(verdicts)} of {len(verdicts)} goals met; results written to {chosen.json}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
