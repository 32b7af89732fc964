// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
public import Foundation

/// The clock of a test database, which stands still until it is moved.
///
/// It determines server timestamps, commit times and every other time in the database. Of two commits at the same time
/// the later one is dated a microsecond later. Time never runs backwards in a database: after the clock is set back,
/// commits continue from the last commit time.
///
/// Beyond the Apple SDK.
public final class TestClock: Sendable {
    let source: ManualClock
    private let moved = Mutex<(@Sendable () -> Void)?>(nil)

    init(startingAt start: Date) { source = ManualClock(microseconds: Self.microseconds(start)) }

    /// The current time of the database.
    public var now: Date { Date(timeIntervalSince1970: Double(source.now()) / 1_000_000) }

    /// Moves the clock by a duration, in whole microseconds.
    public func advance(by duration: Duration) {
        // A larger duration than that between any two dates would overflow.
        let (seconds, attoseconds) = max(.zero - Self.allDates, min(Self.allDates, duration)).components
        source.advance(microseconds: seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
        moved.withLock { $0 }?()
    }

    /// From the first date of Firestore to the last.
    private static let allDates = Duration.seconds(315_537_897_600)

    /// Sets the clock to a date.
    public func set(to date: Date) {
        source.set(microseconds: Self.microseconds(date))
        moved.withLock { $0 }?()
    }

    /// Calls `body` after each move, on the thread of the test.
    func onMove(_ body: @escaping @Sendable () -> Void) { moved.withLock { $0 = body } }

    private static func microseconds(_ date: Date) -> Int64 {
        // Any date Firestore can store; NaN and dates outside become the nearest of them.
        let range = -62_135_596_800.0...253_402_300_799.0
        let seconds = date.timeIntervalSince1970
        return Int64((max(range.lowerBound, min(range.upperBound, seconds)) * 1_000_000).rounded())
    }
}
