"""Simulates several nodes over one PostgreSQL server, by discrete events."""

import argparse
import pathlib

from .curves import CHARTS, PICTURES, SERVER
from .measurements import TOLERANCE, compare
from .model import MILLISECOND, Cluster, Load, Machine, percentile


def arguments():
    parser = argparse.ArgumentParser(prog="dev/scale-simulation", description=__doc__)
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("compare", help="what was measured beside what is simulated (the default)")
    curves = commands.add_parser("curves", help="draw the curves of docs/scale.md")
    curves.add_argument("--into", type=pathlib.Path, default=PICTURES, help="the folder")
    run = commands.add_parser("run", help="one load on one machine")
    run.add_argument("--nodes", type=int, default=2, help="nodes that commit")
    run.add_argument("--databases", type=int, default=1)
    run.add_argument("--commits", type=float, default=1_000, help="per second, of all clients together")
    run.add_argument("--index-rows", type=int, default=4, help="index rows of a commit")
    run.add_argument("--messages", type=int, choices=[1, 2], default=2, help="of a group: 2 as built, 1 as designed")
    run.add_argument("--poll", type=float, default=5, help="milliseconds between two looks at the log")
    run.add_argument("--followers", type=int, help="nodes with listeners; all that commit, if not given")
    run.add_argument("--cores", type=int, default=SERVER.cores, help="of the PostgreSQL server")
    run.add_argument("--flush", type=float, default=SERVER.flush / MILLISECOND,
                     help="milliseconds, the standby's answer included")
    run.add_argument("--network", type=float, default=SERVER.wake_up / MILLISECOND,
                     help="milliseconds of a message, one way")
    run.add_argument("--seconds", type=float, default=10, help="of the simulated time")
    return parser.parse_args()


def show_comparison():
    worst = 0
    print("row  measured         simulated  off by  what")
    for measurement, value, deviation in compare():
        worst = max(worst, abs(deviation))
        least, most = f"{measurement.least:,.10g}", f"{measurement.most:,.10g}"
        measured = least if least == most else f"{least}-{most}"
        digits = 0 if value >= 100 else 2
        print(f"{measurement.row:3}  {measured:15}  {value:9,.{digits}f}  {deviation:+6.0%}  {measurement.what}")
    print(f"The greatest deviation is {worst:.0%}; {TOLERANCE:.0%} are accepted.")
    return 0 if worst <= TOLERANCE else 1


def draw(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, chart in CHARTS.items():
        path = folder / f"{name}.svg"
        path.write_text(chart().svg())
        print(f"{path}: {path.stat().st_size} bytes")
    return 0


def run_one(options):
    machine = Machine(
        cores=options.cores, flush=options.flush * MILLISECOND, wake_up=options.network * MILLISECOND)
    load = Load(
        nodes=options.nodes, databases=options.databases, index_rows=options.index_rows, messages=options.messages,
        offered=options.commits / options.nodes, poll=options.poll * MILLISECOND, followers=options.followers)
    cluster = Cluster(load, machine).run(options.seconds)
    print(f"commits: {cluster.rate:,.0f}/s in all, of {options.commits:,.0f} that clients send")
    times = {"a commit, until it is acknowledged": cluster.latencies, "a listener, after the commit": cluster.delays}
    for what, values in times.items():
        if values:
            middle, late = (percentile(values, part) / MILLISECOND for part in (0.5, 0.95))
            print(f"{what}: p50 {middle:,.1f} ms, p95 {late:,.1f} ms")
    print(f"cores of the server: {cluster.cores_used:.2f} of {options.cores}; "
          f"{cluster.polling_cores:.2f} look at the row, {cluster.reading_cores:.2f} read changes")
    return 0


def main():
    options = arguments()
    if options.command == "curves":
        return draw(options.into)
    if options.command == "run":
        return run_one(options)
    return show_comparison()


if __name__ == "__main__":
    raise SystemExit(main())
