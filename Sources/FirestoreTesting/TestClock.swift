import FirestoreCore
public import Foundation

/// The time of a test database: it stands still until told to move.
///
/// Server timestamps, commit times and everything else the database dates follow it. Of two commits at the same time the
/// later one is dated a microsecond later, and time never runs backwards in a database: after the clock was set back,
/// commits go on from the last one.
public final class TestClock: Sendable {
    let source: ManualClock

    init(startingAt start: Date) { source = ManualClock(microseconds: Self.microseconds(start)) }

    /// What time the database thinks it is.
    public var now: Date { Date(timeIntervalSince1970: Double(source.now()) / 1_000_000) }

    /// Moves the clock on by a duration, in whole microseconds.
    public func advance(by duration: Duration) {
        // More than there are dates would overflow.
        let (seconds, attoseconds) = max(.zero - Self.allDates, min(Self.allDates, duration)).components
        source.advance(microseconds: seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    }

    /// From the first date of Firestore to the last.
    private static let allDates = Duration.seconds(315_537_897_600)

    /// Sets the clock.
    public func set(to date: Date) { source.set(microseconds: Self.microseconds(date)) }

    private static func microseconds(_ date: Date) -> Int64 {
        // Any date Firestore can store; NaN and what lies outside becomes the nearest of them.
        let range = -62_135_596_800.0...253_402_300_799.0
        let seconds = date.timeIntervalSince1970
        return Int64((max(range.lowerBound, min(range.upperBound, seconds)) * 1_000_000).rounded())
    }
}
