// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The few counters of a server that the console shows, since its start (CO-42). Metrics count the same in detail, and cannot be read.
package final class UsageFigures: Sendable {
    /// The metrics at one moment.
    package struct Values: Sendable, Equatable {
        package var calls = 0
        package var errors = 0
        /// Listen streams.
        package var listeners = 0
        package var connections = 0
        /// Of the calls that ended since the metrics were last taken, except streams both ways; nil without any.
        package var median: Duration?
        package var highest: Duration?
    }

    private struct State {
        var values = Values()
        var durations = DurationCounts()
    }

    private let state = Mutex(State())

    package func connectionOpened() { state.withLock { $0.values.connections += 1 } }
    package func connectionClosed() { state.withLock { $0.values.connections -= 1 } }
    package func listenerOpened() { state.withLock { $0.values.listeners += 1 } }
    package func listenerClosed() { state.withLock { $0.values.listeners -= 1 } }

    /// A call has ended.
    ///
    /// - Parameter duration: nil for streams that last as long as their clients want.
    package func ended(_ code: FirestoreError.Code, _ duration: Duration?) {
        state.withLock { state in
            state.values.calls += 1
            if code.isFailure { state.values.errors += 1 }
            if let duration { state.durations.add(duration) }
        }
    }

    /// The current metrics. Durations begin anew.
    package func take() -> Values {
        state.withLock { state in
            var values = state.values
            values.median = state.durations.quantile(0.5)
            values.highest = state.durations.quantile(0.99)
            state.durations = DurationCounts()
            return values
        }
    }
}

extension FirestoreError.Code {
    /// Whether it is worth a look: not what clients cause by going away.
    fileprivate var isFailure: Bool {
        switch self {
        case .ok, .cancelled: false
        default: true
        }
    }
}

/// Durations, counted in steps of a tenth: enough for a sparkline, and of a fixed size.
package struct DurationCounts: Sendable {
    /// Steps per doubling, from a microsecond to a quarter of an hour.
    private static let steps = 8
    private static let doublings = 30

    private var counts: [UInt32] = []
    private var total = 0

    package mutating func add(_ duration: Duration) {
        if counts.isEmpty { counts = Array(repeating: 0, count: Self.steps * Self.doublings) }
        counts[Self.index(of: duration)] &+= 1
        total += 1
    }

    /// The duration that this part of them does not exceed, by its step's upper bound; nil without any.
    package func quantile(_ part: Double) -> Duration? {
        guard total > 0 else { return nil }
        let rank = max(1, Int((Double(total) * part).rounded(.up)))
        var seen = 0
        for (index, count) in counts.enumerated() {
            seen += Int(count)
            if seen >= rank { return Self.bound(of: index) }
        }
        return Self.bound(of: counts.count - 1)
    }

    private static func index(of duration: Duration) -> Int {
        let microseconds = max(1, duration / .microseconds(1))
        let doubling = microseconds.exponent
        let within = Int((microseconds.significand - 1) * Double(steps))
        return min(Int(doubling) * steps + min(within, steps - 1), steps * doublings - 1)
    }

    private static func bound(of index: Int) -> Duration {
        let first = Double(sign: .plus, exponent: index / steps, significand: 1)
        return .microseconds(Int64((first * (1 + Double(index % steps + 1) / Double(steps))).rounded()))
    }
}
