// SPDX-License-Identifier: Apache-2.0

/// Decides whether the authority can be reached for writing; performs nothing (SY-D27).
///
/// A client that only writes has no Listen stream, which decides `OnlineState`. Without this it would never know that it is offline.
struct WriteReachability {
    enum Effect: Equatable {
        case startTimer
        case stopTimer
        case changed
    }

    /// An attempt to open the Write stream has failed or takes too long, and none has succeeded since.
    private(set) var isUnreachable = false
    private var isTimerRunning = false

    /// The stream is being opened.
    mutating func opening() -> [Effect] {
        guard !isUnreachable, !isTimerRunning else { return [] }
        isTimerRunning = true
        return [.startTimer]
    }

    /// The stream ended before its handshake was answered.
    mutating func failed() -> [Effect] { stopTimer() + set(true) }

    mutating func timerFired() -> [Effect] {
        guard isTimerRunning else { return [] }
        isTimerRunning = false
        return set(true)
    }

    /// The handshake was answered, or the stream is no longer needed.
    mutating func ended() -> [Effect] { stopTimer() + set(false) }

    private mutating func set(_ new: Bool) -> [Effect] {
        guard isUnreachable != new else { return [] }
        isUnreachable = new
        return [.changed]
    }

    private mutating func stopTimer() -> [Effect] {
        guard isTimerRunning else { return [] }
        isTimerRunning = false
        return [.stopTimer]
    }
}
