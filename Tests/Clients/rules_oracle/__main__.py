"""python -m rules_oracle: random rulesets and requests, and what Google's emulator decides about them, as lines of JSON."""

import argparse
import json
import sys
import time

from oracle import servers

from .emulator import Emulator, changes
from .rulesets import Cases

# What CI compares.
QUICK_SEED, QUICK_RULESETS = 14, 12


def arguments():
    parser = argparse.ArgumentParser(prog="rules-oracle", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000, help="decisions")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--quick", action="store_true", help="few decisions, the same ones every time")
    parser.add_argument("--output", required=True, help="the file to write")
    return parser.parse_args()


def record(emulator, case):
    """The case with the emulator's decisions; of invalid requests nothing is kept."""
    errors = emulator.install(case["rules"])
    if errors is not None:
        return {"seed": case["seed"], "rules": case["rules"], "errors": errors}
    kept = []
    fresh = False
    for request in case["requests"]:
        if not fresh:
            emulator.seed(case["documents"])
        answer, outcome = emulator.decide(request)
        fresh = not changes(request) or answer == "deny"
        if answer is None:
            continue
        kept.append({**request, "answer": answer, **({"outcome": outcome} if outcome else {})})
    return {**case, "requests": kept}


def main():
    options = arguments()
    jar = servers.emulator_jar()
    if jar is None:
        print("rules-oracle: skipped, the official emulator (google-cloud-cli-firestore-emulator, with Java) is not installed")
        return 0
    if options.quick:
        options.seed = QUICK_SEED
    begin = time.monotonic()
    try:
        emulator = Emulator(servers.emulator(jar).wait().address)
        decisions = rulesets = refused = 0
        with open(options.output, "w", encoding="utf-8") as output:
            while rulesets < QUICK_RULESETS if options.quick else decisions < options.count:
                case = record(emulator, Cases(options.seed * 1_000_000 + rulesets).ruleset(12))
                output.write(json.dumps(case, ensure_ascii=False) + "\n")
                rulesets += 1
                refused += "errors" in case
                decisions += len(case.get("requests", [1]))
        print(f"rules-oracle: seed {options.seed}: {decisions} decisions of {rulesets} rulesets ({refused} do not compile), "
              f"{emulator.requests / (time.monotonic() - begin):.0f} requests/s")
    finally:
        servers.Server.stop_all()
    return 0


if __name__ == "__main__":
    sys.exit(main())
