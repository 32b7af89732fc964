// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// Reports a read to the meter of its call. Does nothing for a call without one.
struct ReadReport: Sendable {
    private let meter: CallMeter?
    private let asked: ContinuousClock.Instant?

    init(_ meter: CallMeter?) {
        self.meter = meter
        asked = meter == nil ? nil : .now
    }

    /// There is a snapshot to read from.
    func began() {
        if let meter, let asked { meter.began(askedAt: asked) }
    }

    func ended(_ counters: QueryCounters) { meter?.read(documents: counters.documentsRead, entries: counters.entriesRead) }
}
