// SPDX-License-Identifier: Apache-2.0

/// Receives what one call costs, where that is wanted. One call may read several times.
package final class CallMeter: Sendable {
    package struct Figures: Sendable, Equatable {
        /// Documents that were fetched or scanned, matching or not.
        package var documentsRead = 0
        /// Index entries that were read.
        package var entriesRead = 0
        package var documentsReturned = 0
        /// Until reads and commits began: in line, for a free reader.
        package var wait = Duration.zero
        /// For other transactions.
        package var lock = Duration.zero
        /// For the caller to take what was sent.
        package var send = Duration.zero

        package init() {}
    }

    private let state = Mutex(Figures())

    package init() {}

    package var figures: Figures { state.withLock { $0 } }

    package func read(documents: Int, entries: Int = 0) {
        state.withLock { figures in
            figures.documentsRead += documents
            figures.entriesRead += entries
        }
    }

    package func returned(documents: Int) { state.withLock { $0.documentsReturned += documents } }

    /// A read or a commit that was asked for at a moment begins now.
    package func began(askedAt start: ContinuousClock.Instant) {
        let waited = ContinuousClock.now - start
        state.withLock { $0.wait += waited }
    }

    /// Waited for other transactions since a moment.
    package func locked(since start: ContinuousClock.Instant) {
        let waited = ContinuousClock.now - start
        state.withLock { figures in
            figures.lock += waited
            // It is part of the time until the read begins.
            figures.wait -= waited
        }
    }

    package func sent(_ duration: Duration) { state.withLock { $0.send += duration } }
}
