// SPDX-License-Identifier: Apache-2.0
import FirestoreCoding
import FirestoreCore
import Foundation
import Testing

/// Dates and the microseconds they are stored as (R26, R85, R110).
struct TimestampValueDateTests {
    @Test(arguments: [
        (0.0, 0 as Int64, 0 as Int32), (1.5, 1, 500_000_000), (-0.25, -1, 750_000_000), (-1, -1, 0), (-1.5, -2, 500_000_000),
    ])
    func `the fraction is added to the seconds, before 1970 too`(interval: Double, seconds: Int64, nanoseconds: Int32) throws {
        let value = try #require(TimestampValue(Date(timeIntervalSince1970: interval)))
        #expect(value == TimestampValue(seconds: seconds, nanoseconds: nanoseconds))
    }

    @Test func `NaN and infinity are not timestamps`() {
        for interval in [Double.nan, .infinity, -.infinity] {
            #expect(TimestampValue(Date(timeIntervalSince1970: interval)) == nil)
        }
    }

    @Test func `saving a read value changes nothing, however often`() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let microseconds = Int64.random(in: -2_000_000_000_000_000...4_000_000_000_000_000, using: &generator)
            let stored = TimestampValue(microsecondsSince1970: microseconds)
            var current = stored
            for _ in 0..<3 { current = try #require(TimestampValue(current.date)).truncatedToMicroseconds }
            #expect(current == stored, "microseconds \(microseconds)")
        }
    }
}
