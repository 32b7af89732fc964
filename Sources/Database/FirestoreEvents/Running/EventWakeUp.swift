// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Wakes the one task that waits for it. Several calls before it looks are one.
final class EventWakeUp: Sendable {
    private let news = Mutex(true)
    let rings: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (rings, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func ring() { continuation.yield() }

    /// There may be something new in the log.
    func ringForNews() {
        news.withLock { $0 = true }
        ring()
    }

    /// Whether there was something new since the last call.
    func takeNews() -> Bool {
        news.withLock { news in
            defer { news = false }
            return news
        }
    }
}
