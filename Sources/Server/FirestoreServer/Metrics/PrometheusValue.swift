// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import FirestoreCore

/// A metric that can be written as text.
protocol PrometheusValue: AnyObject, Sendable {
    func write(_ name: String, _ labels: String, to text: inout String)
}

extension PrometheusValue {
    func line(_ name: String, _ labels: String, _ value: String) -> String {
        labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }
}

final class PrometheusCounter: PrometheusValue, CounterHandler {
    private let count = Mutex<Int64>(0)

    func increment(by amount: Int64) { count.withLock { $0 &+= amount } }
    func reset() { count.withLock { $0 = 0 } }

    func write(_ name: String, _ labels: String, to text: inout String) {
        text += line(name, labels, String(count.withLock { $0 }))
    }
}

final class PrometheusGauge: PrometheusValue, MeterHandler, RecorderHandler, FloatingPointCounterHandler {
    private let level = Mutex(0.0)

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { level.withLock { $0 = value } }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
    func increment(by amount: Double) { level.withLock { $0 += amount } }
    func decrement(by amount: Double) { level.withLock { $0 -= amount } }
    func reset() { set(0.0) }

    func write(_ name: String, _ labels: String, to text: inout String) {
        text += line(name, labels, PrometheusHistogram.number(level.withLock { $0 }))
    }
}

/// Counts values by size; durations in seconds.
final class PrometheusHistogram: PrometheusValue, TimerHandler, RecorderHandler {
    /// From a tenth of a millisecond, the duration of a read, to a minute.
    static let seconds = [
        0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60,
    ]
    static let sizes: [Double] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000, 100_000, 1_000_000]

    private struct State {
        var counts: [Int64]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Mutex<State>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[index] += 1
            state.sum += value
        }
    }

    func write(_ name: String, _ labels: String, to text: inout String) {
        let state = state.withLock { $0 }
        // Values that never occurred would fill the page.
        guard state.counts.contains(where: { $0 > 0 }) else { return }
        let separator = labels.isEmpty ? "" : ","
        var total: Int64 = 0
        for (bound, count) in zip(bounds.map(Self.number) + ["+Inf"], state.counts) {
            total += count
            text += line(name + "_bucket", labels + separator + "le=\"\(bound)\"", String(total))
        }
        text += line(name + "_sum", labels, Self.number(state.sum))
        text += line(name + "_count", labels, String(total))
    }

    /// Whole numbers are written without a decimal point.
    static func number(_ value: Double) -> String {
        Int64(exactly: value).map { String($0) } ?? String(value)
    }
}
