"""A whole run: servers, families, the verdict."""

import time
from itertools import islice

from . import differences, page, servers
from .families import FAMILIES
from .runner import Runner
from .wire import Client

QUICK_SEED, QUICK_COUNT = 4, 2
# A quick run takes every so manieth case of a family.
QUICK_STRIDES = {"preconditions": 15, "transforms": 11, "illegal_writes": 7, "filters": 5, "queries": 3, "aggregations": 3, "reads": 3,
                 "transactions": 5, "listen": 9, "write_stream": 3, "rest": 7}


def main(options):
    if options.list:
        for name, family in FAMILIES.items():
            print(f"{name:14} {(family.__doc__ or '').strip().splitlines()[0]}")
        return 0
    if options.page:
        page.write()
        return 0
    jar = servers.emulator_jar()
    if jar is None:
        print("oracle: skipped, the official emulator (google-cloud-cli-firestore-emulator, with Java) is not installed")
        return 0
    if options.quick:
        options.seed, options.count = QUICK_SEED, QUICK_COUNT
    try:
        started = [servers.emulator(jar), servers.emulator(jar, "twin") if options.twins else servers.hearth(options.hearth)]
        clients = [Client(server.wait().address) for server in started]
        return compare(options, clients)
    finally:
        servers.Server.stop_all()


def compare(options, clients):
    begin = time.monotonic()
    names = options.family or list(FAMILIES)
    runner = Runner(*clients, accepts=not options.twins, show=options.show, brief=options.brief)
    for name in names:
        at = time.monotonic()
        before = runner.cases, runner.steps
        stride = QUICK_STRIDES.get(name, 1) if options.quick else 1
        for case in islice(FAMILIES[name].cases(options.seed, options.count, options.quick), 0, None, stride):
            if options.case and options.case not in case.name:
                continue
            runner.run(case)
        if options.verbose:
            print(f"  {name:14} {runner.cases - before[0]:5} cases {runner.steps - before[1]:6} steps"
                  f" {time.monotonic() - at:6.1f} s")
    unused = []
    if not (options.family or options.case or options.twins or options.quick):
        unused = [entry.id for entry in differences.DIFFERENCES if entry.id not in runner.used]
    for identifier in unused:
        print(f"✘ the accepted difference {identifier} did not show: take it out, or narrow the case that shows it")
    stale = not (options.family or options.case or options.twins or page.is_current())
    if stale:
        print("✘ docs/reference/emulator-differences.md is not what the list says: make pages")
    for signature, count in runner.failures.items():
        print(f"✘ {count} × {signature}")
    good = not (runner.failures or unused or stale)
    print(f"oracle: {'passed' if good else 'FAILED'}, seed {options.seed}: {runner.cases} cases, {runner.steps} steps, "
          f"{sum(runner.used.values())} accepted differences of {len(runner.used)} kinds, {runner.cut} cases cut short, {runner.hiccups} hiccups of the emulator, "
          f"{time.monotonic() - begin:.0f} s")
    return 0 if good else 1
