// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The life of one stream: when it may be opened, and how long to wait before (SY-115). Decides; performs nothing.
///
/// A stream that failed stays `failed` until a target or a batch needs it again.
struct StreamState<Link> {
    enum Phase {
        case stopped
        /// Waits for its time; then it is opened.
        case waiting
        case open(Link)
        case failed
    }

    private(set) var phase = Phase.stopped
    /// Distinguishes the events of this stream from those of earlier ones.
    private(set) var number = 0
    private let backoff: Backoff
    /// The failures since the last success, plus one; the first attempt after a success does not wait.
    private var failures = 0
    /// Why it ended, if it has not worked since.
    private(set) var lastError: FirestoreError?
    private var lastAttempt: Duration?
    private(set) var isIdle = false

    init(backoff: Backoff) { self.backoff = backoff }

    var isStarted: Bool {
        switch phase {
        case .waiting, .open: true
        case .stopped, .failed: false
        }
    }

    var link: Link? { if case .open(let link) = phase { link } else { nil } }

    var isWaiting: Bool { if case .waiting = phase { true } else { false } }

    /// How long to wait before the stream is opened; nil: open it now.
    mutating func start(now: Duration) -> Duration? {
        guard case .failed = phase else { return nil }
        phase = .waiting
        let delay: Duration =
            if lastError?.code == .resourceExhausted {
                backoff.delay(afterFailures: 1, because: .resourceExhausted)
            } else {
                backoff.delay(afterFailures: failures - 1)
            }
        // The time since the last attempt is part of the delay.
        return max(.zero, delay - (lastAttempt.map { now - $0 } ?? .zero))
    }

    mutating func opened(_ link: Link, now: Duration) {
        phase = .open(link)
        lastAttempt = now
        isIdle = false
    }

    /// The number of the stream that is being opened.
    mutating func nextNumber() -> Int {
        number += 1
        return number
    }

    /// The stream has worked: the next failure does not wait.
    mutating func succeeded() {
        failures = 0
        lastError = nil
    }

    mutating func failed(_ error: FirestoreError?) {
        phase = .failed
        number += 1
        isIdle = false
        failures += 1
        lastError = error
    }

    /// Whether the server has not accepted the credentials, and the stream has not worked since.
    var wasRejected: Bool { lastError?.code == .unauthenticated }

    /// Ends it without a failure. Returns the link to close.
    ///
    /// `keepingRejection`: a stream whose credentials were rejected waits before it starts again. Each rejection makes the client get other
    /// credentials, for which the streams restart: without the wait, a server that rejects them all would be asked without a pause.
    mutating func stop(keepingRejection: Bool = false) -> Link? {
        let waits = keepingRejection && wasRejected
        defer {
            phase = waits ? .failed : .stopped
            number += 1
            isIdle = false
            if !waits { succeeded() }
        }
        return link
    }

    /// The next start does not wait.
    mutating func inhibitBackoff() {
        succeeded()
        if case .failed = phase { phase = .stopped }
    }

    mutating func markIdle() -> Bool {
        guard case .open = phase, !isIdle else { return false }
        isIdle = true
        return true
    }

    mutating func isUsed() -> Bool {
        defer { isIdle = false }
        return isIdle
    }
}
