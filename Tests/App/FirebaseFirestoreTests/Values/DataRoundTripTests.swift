// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// What goes in through `[String: Any]` comes out of `data()` with the casts that work on Apple platforms.
@Suite struct DataRoundTripTests {
    let db = Scratch.firestore()

    private func stored(_ value: Any) async throws -> Any? {
        let document = db.collection("values").document()
        try await document.setData(["v": value])
        return try await document.getDocument().get("v")
    }

    @Test func `integers cast to every number type`() async throws {
        for value: Any in [42, Int8(42), Int16(42), Int32(42), Int64(42), UInt(42), UInt8(42), UInt64(42), NSNumber(value: 42)] {
            let out = try await stored(value)
            #expect(out as? Int == 42)
            #expect(out as? Int64 == 42)
            #expect(out as? Int32 == 42)
            #expect(out as? UInt == 42)
            #expect(out as? Double == 42)
            #expect((out as? NSNumber)?.intValue == 42)
        }
        #expect(try await stored(Int64.min) as? Int64 == .min)
        #expect(try await stored(UInt64(Int64.max)) as? Int64 == .max)
    }

    @Test func `small integers do not turn into booleans`() async throws {
        // R108: the original stores Int8 as a boolean.
        for value: Any in [1, 0, Int8(1), UInt8(0), NSNumber(value: 1)] {
            let document = db.collection("values").document()
            try await document.setData(["v": value])
            let matches = try await db.collection("values").whereField("v", isEqualTo: true).getDocuments()
            #expect(matches.isEmpty)
        }
    }

    @Test func `booleans and doubles have their own kinds`() async throws {
        #expect(try await stored(true) as? Bool == true)
        #expect(try await stored(NSNumber(value: false)) as? Bool == false)
        #expect(try await stored(1.5) as? Double == 1.5)
        #expect(try await stored(Float(0.5)) as? Double == 0.5)
        #expect(try await stored(2.0) as? Int == 2)
        #expect((try await stored(Double.nan) as? Double)?.isNaN == true)
        #expect(try await stored(-Double.infinity) as? Double == -.infinity)
        #expect(try await stored(NSDecimalNumber(string: "2.5")) as? Double == 2.5)
        #expect(try await stored(CGFloat(1.25)) as? Double == 1.25)
    }

    @Test func `strings, bytes, null and optionals`() async throws {
        #expect(try await stored("Zoë 🌉") as? String == "Zoë 🌉")
        #expect(try await stored(NSString("n")) as? String == "n")
        #expect(try await stored(Data([0, 255])) as? Data == Data([0, 255]))
        #expect(try await stored(Data()) as? Data == Data())
        #expect(try await stored(NSNull()) is NSNull)
        #expect(try await stored(Optional<String>.none as Any) is NSNull)
        #expect(try await stored(Optional("some") as Any) as? String == "some")
        #expect(try await stored(Optional(Optional<Int>.none) as Any) is NSNull)
    }

    @Test func `timestamps are truncated to microseconds and are never read as dates`() async throws {
        let timestamp = Timestamp(seconds: -5, nanoseconds: 123_456_789)
        let out = try await stored(timestamp)
        #expect(out as? Timestamp == Timestamp(seconds: -5, nanoseconds: 123_456_000))
        #expect(!(out is Date))
        #expect(try await stored(Date(timeIntervalSince1970: 1.5)) as? Timestamp == Timestamp(seconds: 1, nanoseconds: 500_000_000))
        #expect(try await stored(Date.distantFuture) is Timestamp)
    }

    @Test func `points, vectors and references`() async throws {
        let point = GeoPoint(latitude: 37.5, longitude: -122)
        #expect(try await stored(point) as? GeoPoint == point)
        #expect(try await stored(VectorValue([1, 2.5])) as? VectorValue == VectorValue([1, 2.5]))
        #expect(try await stored(FieldValue.vector([Float(0.5)])) as? VectorValue == VectorValue([0.5]))
        #expect(try await stored(db.document("a/b")) as? DocumentReference == db.document("a/b"))
    }

    @Test func `arrays and maps`() async throws {
        #expect(try await stored(["a", "b"]) as? [String] == ["a", "b"])
        #expect(try await stored([1, 2]) as? [Int] == [1, 2])
        #expect((try await stored([1, "x", NSNull(), ["k": [1]]] as [Any]) as? [Any])?.count == 4)
        let map = try await stored(["x": ["y": 1]]) as? [String: Any]
        #expect((map?["x"] as? [String: Any])?["y"] as? Int == 1)
        #expect((try await stored([String: Any]()) as? [String: Any])?.isEmpty == true)
        #expect((try await stored([Any]()) as? [Any])?.isEmpty == true)
        #expect((try await stored(NSDictionary(dictionary: ["k": 1])) as? [String: Any])?["k"] as? Int == 1)
        #expect(try await stored(NSArray(array: [1])) as? [Int] == [1])
    }

    @Test func `names that differ only in normalization are two fields`() async throws {
        let document = db.collection("values").document()
        try await document.setData(["\u{E9}": 1])
        try await document.setData(["e\u{301}": 2], merge: true)
        #expect(try await document.getDocument().get(FieldPath(["\u{E9}"])) as? Int == 1)
        #expect(try await document.getDocument().get(FieldPath(["e\u{301}"])) as? Int == 2)
        // A Swift dictionary can show only one of them, and must not trap.
        #expect(try await document.getDocument().data()?.count == 1)
    }

    @Test func `sentinels compute`() async throws {
        let document = db.document("values/sentinels")
        try await document.setData([
            "n": 1, "d": 1.5, "l": [1, 2], "low": 5, "high": 5, "text": "x", "max": Int64.max,
        ])
        try await document.updateData([
            "n": FieldValue.increment(Int64(2)), "d": FieldValue.increment(0.5), "text": FieldValue.increment(Int64(7)),
            "max": FieldValue.increment(Int64(1)), "l": FieldValue.arrayUnion([2, 3]), "low": FieldValue.minimum(Int64(3)),
            "high": FieldValue.maximum(7.5), "time": FieldValue.serverTimestamp(), "new": FieldValue.arrayUnion(["a"]),
        ])
        var snapshot = try await document.getDocument()
        #expect(snapshot["n"] as? Int == 3)
        #expect(snapshot["d"] as? Double == 2)
        #expect(snapshot["text"] as? Int == 7)
        #expect(snapshot["max"] as? Int64 == .max)
        #expect(snapshot["l"] as? [Int] == [1, 2, 3])
        #expect(snapshot["low"] as? Int == 3)
        #expect(snapshot["high"] as? Double == 7.5)
        #expect(snapshot["time"] is Timestamp)
        #expect(snapshot["new"] as? [String] == ["a"])
        try await document.updateData(["l": FieldValue.arrayRemove([1, 3]), "nested.time": FieldValue.serverTimestamp()])
        snapshot = try await document.getDocument()
        #expect(snapshot["l"] as? [Int] == [2])
        #expect(snapshot["nested.time"] is Timestamp)
        // A map of nothing but sentinels leaves a map behind.
        try await document.setData(["m": ["t": FieldValue.serverTimestamp()]])
        #expect((try await document.getDocument()["m"] as? [String: Any])?["t"] is Timestamp)
    }
}
