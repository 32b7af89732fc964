// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// `updateData(from:to:)` sends what differs, and nothing else: MP-71 … MP-76, rows W1 … W6.
@Suite struct DifferenceWritesTests {
    struct City: Codable, Equatable {
        @DocumentID var id: String?
        var a: Int
        var nick: String?
        @ExplicitNull var mayor: String?
        var ratio: Float?
        var names: [String: String]?
        var stops: [Stop]?
        var home: Home?

        struct Stop: Codable, Equatable { var t: Int }
        struct Home: Codable, Equatable {
            var zip: String
            var box: Int?
        }

        init(a: Int = 1) { self.a = a }
    }

    struct Stamped: Codable {
        var a: Int
        @ServerTimestamp var changed: Timestamp?
    }

    struct Sentinels: Encodable {
        var a: Int
        var count: FieldValue?
        var old: FieldValue?
    }

    let db = Scratch.firestore()
    var ref: DocumentReference { db.document("cities/SF") }

    /// The document is read as a value, changed and updated; then all its fields.
    private func updated(_ stored: [String: Any], _ change: (inout City) -> Void) async throws -> [String: Any] {
        try await ref.setData(stored)
        let old = try await ref.getDocument(as: City.self)
        var new = old
        change(&new)
        try await ref.updateData(from: old, to: new).acknowledged
        return try #require(try await ref.getDocument().data())
    }

    @Test func `only the changed field is sent, and unknown fields stay`() async throws {
        // MP row W1
        let data = try await updated(["a": 1, "x": 9]) { $0.a = 2 }
        #expect(data as? [String: Int] == ["a": 2, "x": 9])
    }

    @Test func `nothing is written if nothing differs`() async throws {
        // MP-74, MP row W2
        try await ref.setData(["a": 1])
        let before = try await ref.getDocument()
        let city = try before.data(as: City.self)
        let receipt = try ref.updateData(from: city, to: city)
        guard case .acknowledged = try await receipt.state else { return #expect(Bool(false), "the receipt is complete at once") }
        let error: (any Error)? = await completion { done in
            do { try ref.updateData(from: city, to: city) { done($0) } } catch { done(error) }
        }
        #expect(error == nil)
        #expect(try await ref.getDocument().updateTime == before.updateTime)
        // Even if there is no document, because nothing is asked; with `checked` it is.
        let missing = db.document("cities/none")
        try await missing.updateData(from: city, to: city).acknowledged
        let refused = await failure { try await missing.updateData(from: city, to: city, unchanged: .checked).acknowledged }
        #expect(isFailure(refused, .notFound))
        try await ref.updateData(from: city, to: city, unchanged: .checked).acknowledged
        try await ref.updateData(from: city, to: city, precondition: before.updateTime.map(Precondition.updatedAt), unchanged: .checked).acknowledged
        #expect(try await ref.getDocument().updateTime == before.updateTime)
    }

    @Test func `a value that becomes nil is deleted, an explicit null becomes null`() async throws {
        // MP-73, MP row W3
        let data = try await updated(["a": 1, "nick": "Frisco", "mayor": "M"]) {
            $0.nick = nil
            $0.mayor = nil
        }
        #expect(data["nick"] == nil && data["mayor"] is NSNull)
    }

    @Test func `what decoding rounded stays exact`() async throws {
        // MP-71, MP row W4
        let data = try await updated(["a": 1, "ratio": 0.1]) { $0.a = 2 }
        #expect(data["ratio"] as? Double == 0.1)
    }

    @Test func `a key of a dictionary is one name, dots included`() async throws {
        // MP-72, MP row W5
        let data = try await updated(["a": 1, "names": ["a.b": "x", "c": "y", "d": "z"]]) {
            $0.names?["a.b"] = nil
            $0.names?["d"] = "new"
        }
        #expect(data["names"] as? [String: String] == ["c": "y", "d": "new"])
    }

    @Test func `an array is sent as a whole`() async throws {
        // MP-72, MP row W6: what the elements' type does not know goes with it.
        let data = try await updated(["a": 1, "stops": [["t": 1, "x": 1], ["t": 2]]]) { $0.stops?[1].t = 3 }
        #expect(data["stops"] as? [[String: Int]] == [["t": 1], ["t": 3]])
    }

    @Test func `a nested struct is compared field by field, and comes and goes as a whole`() async throws {
        // MP-72
        var data = try await updated(["a": 1, "home": ["zip": "1", "box": 2, "x": 3]]) { $0.home?.box = nil }
        #expect((data["home"] as? [String: Any])?.keys.sorted() == ["x", "zip"])
        data = try await updated(["a": 1, "home": ["zip": "1", "x": 3]]) { $0.home = nil }
        #expect(data["home"] == nil)
        data = try await updated(["a": 1]) { $0.home = City.Home(zip: "9", box: 1) }
        #expect((data["home"] as? [String: Any])?.keys.sorted() == ["box", "zip"])
    }

    @Test func `a server timestamp that is nil is always stamped, one that is not changed is not sent`() async throws {
        // MP-73
        try await ref.setData(["a": 1, "changed": Timestamp(seconds: 1, nanoseconds: 0)])
        var old = try await ref.getDocument(as: Stamped.self)
        var new = old
        new.a = 2
        try await ref.updateData(from: old, to: new).acknowledged
        #expect(try await ref.getDocument(as: Stamped.self).changed?.seconds == 1)
        (old, new.changed) = (new, nil)
        try await ref.updateData(from: old, to: new).acknowledged
        let stamped = try await ref.getDocument(as: Stamped.self)
        #expect(stamped.a == 2 && (stamped.changed?.seconds ?? 0) > 1_600_000_000)
        // Also if it is nil in both.
        try await ref.setData(["a": 1])
        try await ref.updateData(from: Stamped(a: 1), to: Stamped(a: 1)).acknowledged
        #expect(try await ref.getDocument(as: Stamped.self).changed != nil)
    }

    @Test func `field values are sent as they are`() async throws {
        // MP-73
        try await ref.setData(["a": 1, "count": 5, "old": 1, "x": 1])
        let new = Sentinels(a: 2, count: .increment(Int64(2)), old: .delete())
        try await ref.updateData(from: Sentinels(a: 1), to: new).acknowledged
        #expect(try await ref.getDocument().data() as? [String: Int] == ["a": 2, "count": 7, "x": 1])
    }

    @Test func `the document must exist, and have its update time if one is given`() async throws {
        // MP-75
        let (old, new) = (City(a: 1), City(a: 2))
        let missing = await failure { try await ref.updateData(from: old, to: new).acknowledged }
        #expect(isFailure(missing, .notFound))
        try await ref.setData(["a": 1])
        let time = try #require(try await ref.getDocument().updateTime)
        try await ref.updateData(["x": 1])
        let changed = await failure { try await ref.updateData(from: old, to: new, precondition: .updatedAt(time)).acknowledged }
        #expect(isFailure(changed, .failedPrecondition))
        try await ref.updateData(from: old, to: new, precondition: try await ref.getDocument().updateTime.map(Precondition.updatedAt)).acknowledged
        #expect(try await ref.getDocument().data() as? [String: Int] == ["a": 2, "x": 1])
        try await ref.delete()
        let deleted = await failure { try await ref.updateData(from: old, to: new, precondition: .updatedAt(time)).acknowledged }
        #expect(isFailure(deleted, .failedPrecondition))
        let invalid = await failure {
            try await ref.updateData(from: old, to: new, precondition: .updatedAt(Timestamp(seconds: 1, nanoseconds: 1))).acknowledged
        }
        #expect(isFailure(invalid, .invalidArgument, naming: "cities/SF", "microseconds"))
    }

    @Test func `an update of an invalid path fails, also one that changes nothing`() async throws {
        let bad = db.document("cities")
        for new in [City(a: 1), City(a: 2)] {
            let error = await failure { try await bad.updateData(from: City(a: 1), to: new).acknowledged }
            #expect(isFailure(error, .invalidArgument))
        }
    }

    @Test func `a batch makes all of its updates or none`() async throws {
        // MP-76
        let other = db.document("cities/LA")
        try await ref.setData(["a": 1, "x": 1])
        try await other.setData(["a": 1])
        let time = try #require(try await other.getDocument().updateTime)
        try await other.updateData(["x": 2])
        let refused = db.batch()
        let same: WriteBatch = try refused.update(ref, from: City(a: 1), to: City(a: 2))
        #expect(same === refused)
        try refused.update(other, from: City(a: 1), to: City(a: 2), precondition: .updatedAt(time))
        #expect(isFailure(await failure { try await refused.commit() }, .failedPrecondition))
        #expect(try await ref.getDocument()["a"] as? Int == 1)
        let made = db.batch()
        try made.update(ref, from: City(a: 1), to: City(a: 2))
            .update(other, from: City(a: 1), to: City(a: 1)).update(other, from: City(a: 1), to: City(a: 1), unchanged: .checked)
        try await made.commit()
        #expect(try await ref.getDocument().data() as? [String: Int] == ["a": 2, "x": 1])
        #expect(try await other.getDocument().data() as? [String: Int] == ["a": 1, "x": 2])
    }

    @Test func `a transaction needs no condition`() async throws {
        // MP-76
        try await ref.setData(["a": 1, "x": 9])
        try await db.runTransaction { [ref] transaction, errorPointer in
            do {
                let old = try transaction.getDocument(ref).data(as: City.self)
                var new = old
                new.a += 1
                try transaction.update(ref, from: old, to: new)
                try transaction.update(ref, from: new, to: new)
            } catch {
                errorPointer?.pointee = error as NSError
            }
            return nil
        }
        #expect(try await ref.getDocument().data() as? [String: Int] == ["a": 2, "x": 9])
    }
}
