// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import Testing

import class FirebaseCore.Timestamp

/// The value classes: `Timestamp`, `GeoPoint`, `VectorValue`.
@Suite struct TimestampTests {
    @Test func `dates are cut to nanoseconds that count forward`() {
        #expect(Timestamp(date: Date(timeIntervalSince1970: 1.5)) == Timestamp(seconds: 1, nanoseconds: 500_000_000))
        #expect(Timestamp(date: Date(timeIntervalSince1970: -0.25)) == Timestamp(seconds: -1, nanoseconds: 750_000_000))
        #expect(Timestamp(seconds: -1, nanoseconds: 750_000_000).dateValue().timeIntervalSince1970 == -0.25)
        #expect(abs(Timestamp().dateValue().timeIntervalSinceNow) < 60)
        // No date ends the process; writes reject what is out of range.
        #expect(Timestamp(date: .distantPast).seconds == -62_135_769_600)
        #expect(Timestamp(date: Date(timeIntervalSince1970: .infinity)).seconds == .max)
        #expect(Timestamp(date: Date(timeIntervalSince1970: -.infinity)).seconds == .min)
        _ = Timestamp(date: Date(timeIntervalSince1970: .nan))
    }

    @Test func `the date of a stored timestamp gives that timestamp again`() {  // R85, R110
        for seconds: Int64 in [-2_208_988_800, -1, 0, 1, 978_307_200, 1_764_000_000, 1_795_238_918, 4_000_000_000] {
            for microseconds in stride(from: Int32(0), to: 1_000_000, by: 997) {
                let stored = Timestamp(seconds: seconds, nanoseconds: microseconds * 1_000)
                #expect(Timestamp(date: stored.dateValue()).nanoseconds / 1_000 == microseconds)
                #expect(Timestamp(date: stored.dateValue()).seconds == seconds)
            }
        }
        // What lies between two microseconds is still cut, not rounded.
        #expect(Timestamp(date: Date(timeIntervalSince1970: 1.000_000_6)).nanoseconds / 1_000 == 0)
    }

    @Test func `timestamps compare by time`() {
        let (early, late) = (Timestamp(seconds: 1, nanoseconds: 9), Timestamp(seconds: 2, nanoseconds: 0))
        #expect(early.compare(late) == .orderedAscending)
        #expect(late.compare(early) == .orderedDescending)
        #expect(early.compare(Timestamp(seconds: 1, nanoseconds: 9)) == .orderedSame)
        #expect(Set([early, Timestamp(seconds: 1, nanoseconds: 9), late]).count == 2)
        #expect(early.copy() as? Timestamp === early)
    }

    @Test func `ordinary coders see two numbers`() throws {
        let timestamp = Timestamp(seconds: 3, nanoseconds: 4)
        let data = try JSONEncoder().encode(timestamp)
        let json = try JSONSerialization.jsonObject(with: data) as? [String: Int]
        #expect(json == ["seconds": 3, "nanoseconds": 4])
        #expect(try JSONDecoder().decode(Timestamp.self, from: data) == timestamp)
    }

    @Test func `points are equal bit by bit`() {
        let point = GeoPoint(latitude: 1, longitude: 2)
        #expect(point == GeoPoint(latitude: 1, longitude: 2))
        #expect(point.latitude == 1 && point.longitude == 2)
        #expect(GeoPoint(latitude: 0, longitude: 0) != GeoPoint(latitude: -0.0, longitude: 0))
        #expect(point.copy() as? GeoPoint === point)
        #expect(Set([point, GeoPoint(latitude: 1, longitude: 2)]).count == 1)
        // A value out of range is preserved; writes reject it.
        #expect(GeoPoint(latitude: 1_000, longitude: 0).latitude == 1_000)
    }

    @Test func `vectors are equal by components`() {
        #expect(VectorValue([1, 2]) == FieldValue.vector([1.0, 2.0]))
        #expect(VectorValue([1, 2]).array == [1, 2])
        #expect(VectorValue([1]) != VectorValue([2]))
    }

    @Test func `field values are shared or compared by identity`() {
        #expect(FieldValue.delete() === FieldValue.delete())
        #expect(FieldValue.serverTimestamp() === FieldValue.serverTimestamp())
        #expect(FieldValue.increment(Int64(1)) != FieldValue.increment(Int64(1)))
    }
}
