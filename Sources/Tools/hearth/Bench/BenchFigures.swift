// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The measurements of one kind of operation.
struct BenchFigures: Sendable {
    let operation: String
    let count: Int
    let seconds: Double
    /// Microseconds, sorted.
    private let latencies: [UInt32]

    init(_ operation: String, count: Int, seconds: Double, latencies: [UInt32]) {
        self.operation = operation
        self.count = count
        self.seconds = seconds
        self.latencies = latencies.sorted()
    }

    private var perSecond: Double { seconds > 0 ? Double(count) / seconds : 0 }

    /// The number of milliseconds that the given share of the operations takes at most.
    private func percentile(_ share: Double) -> Double {
        guard !latencies.isEmpty else { return 0 }
        let index = min(latencies.count - 1, Int(Double(latencies.count) * share))
        return Double(latencies[index]) / 1_000
    }

    static let titles = ["operation", "count", "per second", "p50 ms", "p99 ms", "max ms"]

    var row: [TableLayout.Cell] {
        let numbers = [percentile(0.5), percentile(0.99), percentile(1)].map { "\($0)" }
        return [TableLayout.Cell(operation, role: .name)]
            + (["\(count)", "\(Int(perSecond))"] + numbers).map { TableLayout.Cell($0, isRight: true, role: .number) }
    }

    var json: JSON {
        .object([
            ("operation", .string(operation)), ("count", .number(count)), ("seconds", .number("\(seconds)")),
            ("perSecond", .number("\(perSecond)")), ("p50Milliseconds", .number("\(percentile(0.5))")),
            ("p99Milliseconds", .number("\(percentile(0.99))")), ("maxMilliseconds", .number("\(percentile(1))")),
        ])
    }
}
