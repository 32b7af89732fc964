"""python -m oracle: differential test of `hearth serve` against Google's Firestore emulator."""

import argparse
import sys
import time


def arguments():
    parser = argparse.ArgumentParser(prog="oracle", description=__doc__)
    parser.add_argument("--hearth", help="the binary to test")
    parser.add_argument("--twins", action="store_true", help="two emulators instead: are answers compared rightly?")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--count", type=int, default=20, help="random cases of each family")
    parser.add_argument("--family", action="append", help="only these families")
    parser.add_argument("--case", help="only cases whose name holds this text")
    parser.add_argument("--list", action="store_true", help="list the families")
    parser.add_argument("--page", action="store_true", help="write docs/reference/emulator-differences.md")
    parser.add_argument("--quick", action="store_true", help="few random cases, the same ones every time")
    parser.add_argument("--verbose", action="store_true", help="how long each family takes")
    parser.add_argument("--show", action="store_true", help="print every step and what the emulator answers")
    parser.add_argument("--brief", action="store_true", help="one line for each difference, nothing made small")
    return parser.parse_args()


def main():
    options = arguments()
    try:
        from . import run
    except ImportError as error:
        print(f"oracle: skipped, {error} (make test-oracle prepares an environment)")
        return 0
    return run.main(options)


if __name__ == "__main__":
    sys.exit(main())
