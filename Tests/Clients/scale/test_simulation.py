"""The simulation gives what was measured, and what follows from the order of commits."""

import xml.etree.ElementTree as xml

import pytest

from scale import curves
from scale.chart import Chart
from scale.events import Cores, Disk, Row, Simulation
from scale.measurements import TOLERANCE, measurements
from scale.model import MILLISECOND, Cluster, Costs, Load, Machine, percentile

# For what the costs were not fitted to.
LOOSER = 0.3

ROWS = {6, 7, 8, 9, 10, 11, 12, 13, 20}
MEASUREMENTS = list(measurements())


def test_every_row_is_compared():
    assert {measurement.row for measurement in MEASUREMENTS} == ROWS


@pytest.mark.parametrize("measurement", MEASUREMENTS, ids=lambda each: f"row {each.row}, {each.what}")
def test_simulation_is_near_the_measurement(measurement):
    value, deviation = measurement.deviation(Costs())
    assert abs(deviation) <= TOLERANCE, f"simulated {value:.4g}, measured {measurement.least:g} to {measurement.most:g}"


# Row 14 was not used to fit the costs: processor time of the server for a commit, in microseconds.
@pytest.mark.parametrize("index_rows, group, least, most", [
    (2, 1, 775, 825), (2, 10, 130, 190), (2, 100, 95, 115), (10, 1, 775, 800), (10, 10, 170, 220), (10, 100, 140, 200)])
def test_processor_time_is_near_the_measurement(index_rows, group, least, most):
    machine = Machine(cores=2, flush=0.12 * MILLISECOND, wake_up=0.1 * MILLISECOND)
    cluster = Cluster(Load(messages=1, group=group, index_rows=index_rows), machine).run(2)
    microseconds = cluster.cores_used / cluster.rate * 1e6
    assert least * (1 - LOOSER) <= microseconds <= most * (1 + LOOSER)


def ordinary(**load):
    return Cluster(Load(**{"nodes": 4, "offered": 250.0, **load}), curves.SERVER).run(5)


def test_a_run_is_the_same_every_time():
    one, other = ordinary(poll=5 * MILLISECOND), ordinary(poll=5 * MILLISECOND)
    assert (one.rate, one.latencies, one.delays) == (other.rate, other.latencies, other.delays)


def test_all_that_clients_send_is_committed_below_the_ceiling():
    assert ordinary().rate == pytest.approx(1_000, rel=0.05)


def test_one_database_does_not_get_quicker_by_nodes_or_cores():
    ceiling = curves.full(1).rate
    assert curves.full(64).rate == pytest.approx(ceiling, rel=0.1)
    machine = Machine(cores=64, flush=curves.SERVER.flush, wake_up=curves.SERVER.wake_up)
    assert curves.full(1, machine=machine).rate == pytest.approx(ceiling, rel=0.01)


def test_databases_beside_each_other_use_the_cores():
    assert curves.many(8, cores=16).rate == pytest.approx(8 * curves.many(1, cores=16).rate, rel=0.1)
    assert curves.many(64, cores=4).rate < 4 / (Costs().commit + 4 * Costs().index_row)


def test_looking_costs_what_a_look_costs_times_the_nodes():
    cluster = curves.listening(100, 5 * MILLISECOND)
    # A period is the pause and a message there and back.
    period = 5 * MILLISECOND + 3 * curves.SERVER.wake_up + Costs().poll
    assert cluster.polling_cores == pytest.approx(100 / period * Costs().poll, rel=0.1)


def test_listeners_wait_half_a_pause_and_the_messages():
    delays = curves.listening(4, 20 * MILLISECOND).delays
    assert 10 * MILLISECOND < percentile(delays, 0.5) < 12 * MILLISECOND
    assert max(delays) < 25 * MILLISECOND


# The parts of the simulation


def finished(simulation, times, *waits):
    def process():
        for wait in waits:
            yield wait
        times.append(simulation.now)

    simulation.start(process())


def test_cores_share_their_time():
    simulation, times = Simulation(), []
    cores = Cores(simulation, 1, turn=1.0)
    for seconds in [3.0, 3.0, 1.0]:
        finished(simulation, times, cores.work(seconds))
    simulation.run(10)
    assert times == pytest.approx([3, 6, 7])
    assert cores.used == pytest.approx(7)


def test_the_row_has_one_holder_in_the_order_of_the_line():
    simulation, order = Simulation(), []
    row = Row(simulation)

    def hold(name):
        yield row
        order.append((name, simulation.now))
        yield 1.0
        row.release()

    for name in "abc":
        simulation.start(hold(name))
    simulation.run(10)
    assert order == [("a", 0), ("b", 1), ("c", 2)]
    assert not row.is_held


def test_a_flush_is_for_all_that_waited_when_it_began():
    simulation, times = Simulation(), []
    disk = Disk(simulation, 2.0)
    finished(simulation, times, disk)
    for _ in range(2):
        finished(simulation, times, 1.0, disk)
    simulation.run(10)
    assert times == [2, 4, 4]


def test_a_chart_is_a_picture():
    chart = Chart("A title with <", "nodes", "commits/s")
    chart.add("one & two", [(1, 10), (1_000, 2_000), (0, 5)])
    picture = xml.fromstring(chart.svg())
    assert picture.tag.endswith("svg")
    lines = [part for part in picture if part.tag.endswith("polyline")]
    assert len(lines) == 1 and len(lines[0].get("points").split()) == 2


def test_the_pictures_of_the_page_are_there():
    for name in curves.CHARTS:
        assert (curves.PICTURES / f"{name}.svg").stat().st_size < 20_000
