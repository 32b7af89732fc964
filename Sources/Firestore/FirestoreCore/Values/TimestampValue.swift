// SPDX-License-Identifier: Apache-2.0

/// A point in time as Firestore stores it: whole seconds since 1970-01-01T00:00:00Z, and nanoseconds counted forward.
package struct TimestampValue: Hashable, Sendable {
    package var seconds: Int64
    package var nanoseconds: Int32

    @inlinable
    package init(seconds: Int64, nanoseconds: Int32) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// 0001-01-01 … 9999-12-31 (VAL-21).
    package static let validSeconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    package var isValid: Bool {
        Self.validSeconds.contains(seconds) && (0..<1_000_000_000).contains(nanoseconds)
    }

    /// Truncated to microseconds, as stored values and operands are (VAL-22). Nanoseconds count forward, so this rounds down.
    package var truncatedToMicroseconds: TimestampValue {
        TimestampValue(seconds: seconds, nanoseconds: nanoseconds - nanoseconds % 1_000)
    }

    package var microsecondsSince1970: Int64 { seconds * 1_000_000 + Int64(nanoseconds) / 1_000 }

    package init(microsecondsSince1970 microseconds: Int64) {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let borrow: Int64 = remainder < 0 ? 1 : 0
        self.init(seconds: quotient - borrow, nanoseconds: Int32((remainder + borrow * 1_000_000) * 1_000))
    }

    /// Length of the `google.protobuf.Timestamp` message; zero fields are omitted, as in proto3.
    package var encodedLength: Int {
        (seconds == 0 ? 0 : 1 + varintLength(UInt64(bitPattern: seconds)))
            + (nanoseconds == 0 ? 0 : 1 + varintLength(UInt64(nanoseconds)))
    }

    package func append(to bytes: inout [UInt8]) {
        if seconds != 0 {
            bytes.append(WireTag.seconds)
            bytes.appendVarint(UInt64(bitPattern: seconds))
        }
        if nanoseconds != 0 {
            bytes.append(WireTag.nanoseconds)
            bytes.appendVarint(UInt64(nanoseconds))
        }
    }
}

extension TimestampValue: Comparable {
    package static func < (left: TimestampValue, right: TimestampValue) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}

/// A place on the globe, in degrees of WGS 84.
package struct GeoPointValue: Sendable {
    package var latitude: Double
    package var longitude: Double

    @inlinable
    package init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether it is within ±90 and ±180; false for NaN (VAL-11).
    package var isValid: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }

    /// The `google.type.LatLng` message; positive zeros are omitted, as in proto3 (a negative zero is not).
    package func append(to bytes: inout [UInt8]) {
        if latitude.bitPattern != 0 {
            bytes.append(WireTag.latitude)
            bytes.appendFixed64(latitude.bitPattern)
        }
        if longitude.bitPattern != 0 {
            bytes.append(WireTag.longitude)
            bytes.appendFixed64(longitude.bitPattern)
        }
    }
}
