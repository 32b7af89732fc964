// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import FirestoreCore
import FirestoreEvents

/// The metrics of one trigger.
final class EventMetrics: Sendable {
    private let delivered: Counter
    private let attemptsFailed: Counter
    private let dead: Counter
    private let lost: Counter
    private let loops: Counter
    private let latency: Timer
    private let pending: Meter
    private let lag: Meter
    private let isOff: Meter

    init(_ trigger: WebhookTrigger, factory: any MetricsFactory) {
        let dimensions = [("database", trigger.database.databaseID), ("trigger", trigger.trigger.name)]
        func counter(_ name: String) -> Counter { Counter(label: name, dimensions: dimensions, factory: factory) }
        func meter(_ name: String) -> Meter { Meter(label: name, dimensions: dimensions, factory: factory) }
        delivered = counter("hearth_events_delivered_total")
        attemptsFailed = counter("hearth_events_failed_attempts_total")
        dead = counter("hearth_events_dead_total")
        lost = counter("hearth_events_log_gaps_total")
        loops = counter("hearth_events_loops_total")
        latency = Timer(label: "hearth_events_latency_seconds", dimensions: dimensions, factory: factory)
        pending = meter("hearth_events_pending")
        lag = meter("hearth_events_lag_seconds")
        isOff = meter("hearth_events_switched_off")
    }

    func note(_ report: EventReport) {
        switch report {
        case .delivered(_, _, let microseconds):
            delivered.increment()
            latency.recordMicroseconds(max(microseconds, 0))
        case .failed: attemptsFailed.increment()
        case .buried: dead.increment()
        case .lost: lost.increment()
        case .suspectedLoop: loops.increment()
        case .switchedOff: isOff.set(1)
        case .shelfShortened, .trouble: break
        }
    }

    /// The values that are not counted, of one moment.
    func refresh(pending: Int, lag: Int64?, isOff: Bool) {
        self.pending.set(pending)
        self.lag.set(Double(lag ?? 0) / 1_000_000)
        self.isOff.set(isOff ? 1 : 0)
    }
}
