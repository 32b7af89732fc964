// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The clock by which documents expire, and whether it is to be trusted: a clock that was set a year forward would delete a year's
/// documents.
///
/// It is compared with the time since the machine was started. Databases of one process share a clock of expiry.
package final class ExpiryClock: Sendable {
    enum Reading: Equatable {
        case now(Int64)
        /// Nothing expires for this many microseconds.
        case suspended(Int64)
    }

    private struct State {
        var wall: Int64
        var boot: Int64
        /// In the time since the machine was started.
        var suspendedUntil = Int64.min
    }

    /// By how much the clock may run away between two looks, in microseconds: an hour.
    static let tolerance: Int64 = 3_600_000_000
    /// How long nothing expires after a jump: an hour, in which an operator sees the log.
    static let pause: Int64 = 3_600_000_000

    private let wall: @Sendable () -> Int64
    private let boot: @Sendable () -> Int64
    /// The clocks to be compared with those of other processes; nil for a clock that is trusted.
    private let session: (@Sendable () -> (boot: Int64, session: String?))?
    private let jumped: @Sendable (Int64) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - wall: The time in microseconds since 1970.
    ///   - boot: The time in microseconds since the machine was started.
    ///   - session: The time since the machine was started, and what distinguishes this start from others, for the comparison
    ///     with earlier processes; nil for none.
    ///   - jumped: Called after a jump, with its size in microseconds.
    package init(
        wall: @escaping @Sendable () -> Int64, boot: @escaping @Sendable () -> Int64 = { BootClock.now() },
        session: (@Sendable () -> (boot: Int64, session: String?))? = nil,
        jumped: @escaping @Sendable (Int64) -> Void = { _ in }
    ) {
        (self.wall, self.boot, self.session, self.jumped) = (wall, boot, session, jumped)
        state = Mutex(State(wall: wall(), boot: boot()))
    }

    /// The clock of a database. One that a test moves is trusted.
    package convenience init(_ clock: any WallClock, jumped: @escaping @Sendable (Int64) -> Void = { _ in }) {
        if clock is SystemClock {
            let session = BootClock.session()
            self.init(wall: { clock.now() }, session: { (BootClock.reported(), session) }, jumped: jumped)
        } else {
            self.init(wall: { clock.now() }, boot: { clock.now() })
        }
    }

    func read() -> Reading {
        let (now, boot) = (wall(), boot())
        let (reading, jump) = state.withLock { state -> (Reading, Int64?) in
            let drift = (now - state.wall) - (boot - state.boot)
            (state.wall, state.boot) = (now, boot)
            let hasJumped = drift.magnitude > Self.tolerance.magnitude
            if hasJumped { state.suspendedUntil = boot + Self.pause }
            let left = state.suspendedUntil > boot ? state.suspendedUntil - boot : 0
            return (left > 0 ? .suspended(left) : .now(now), hasJumped ? drift : nil)
        }
        if let jump { jumped(jump) }
        return reading
    }

    /// The clocks now, for a note (`ClockNote`); nil for a clock that is trusted.
    var reading: ClockNote.Reading? {
        session.map { session in
            let (boot, name) = session()
            return ClockNote.Reading(wall: wall(), boot: boot, session: name)
        }
    }

    /// The clock was set while no process ran.
    func report(_ jump: Int64) { jumped(jump) }

    /// The time, trusted or not, in microseconds since 1970.
    package var now: Int64 { wall() }
}
