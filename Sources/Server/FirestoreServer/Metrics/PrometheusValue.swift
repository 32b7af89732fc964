// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import FirestoreCore
import HearthBase

/// A metric that can be written as text.
protocol PrometheusValue: AnyObject, Sendable {
    func write(_ name: String, _ labels: String, to text: inout PrometheusText)
}

final class PrometheusCounter: PrometheusValue, CounterHandler {
    private let count = Mutex<Int64>(0)

    func increment(by amount: Int64) { count.withLock { $0 &+= amount } }
    func reset() { count.withLock { $0 = 0 } }

    func write(_ name: String, _ labels: String, to text: inout PrometheusText) {
        text.add(name, labels, String(count.withLock { $0 }))
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

    func write(_ name: String, _ labels: String, to text: inout PrometheusText) {
        text.add(name, labels, level.withLock { $0 })
    }
}

/// Counts values by size; durations in seconds.
final class PrometheusHistogram: PrometheusValue, TimerHandler, RecorderHandler {
    private let values: Mutex<Distribution>

    init(bounds: [Double]) { values = Mutex(Distribution(bounds: bounds)) }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { values.withLock { $0.add(value) } }

    func write(_ name: String, _ labels: String, to text: inout PrometheusText) { text.add(name, labels, values.withLock { $0 }) }
}
