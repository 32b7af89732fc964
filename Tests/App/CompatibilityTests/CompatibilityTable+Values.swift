// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport

extension CompatibilityTable {
    /// api.md 6.1.
    static func fieldValue() -> CompatibilitySection {
        var section = CompatibilitySection("6.1", "FieldValue")
        section.row(.core, "class func delete() -> Self") { here in
            try await here.numbers(here.fresh(["n": 1, "m": 1], then: ["n": FieldValue.delete()])) == ["m": 1]
        }
        section.row(.core, "class func serverTimestamp() -> Self") { here in
            let ref = try await here.fresh(["n": 1], then: ["n": FieldValue.serverTimestamp()])
            let time = try await ref.getDocument()["n"] as? Timestamp
            return time.map { abs($0.dateValue().timeIntervalSinceNow) < 3_600 } ?? false
        }
        section.row(.core, "class func arrayUnion(_ elements: [Any]) -> Self") { here in
            let ref = try await here.fresh(["n": [1, 2]], then: ["n": FieldValue.arrayUnion([2, 3])])
            return try await ref.getDocument()["n"] as? [Int] == [1, 2, 3]
        }
        section.row(.core, "class func arrayRemove(_ elements: [Any]) -> Self") { here in
            let ref = try await here.fresh(["n": [1, 2, 1]], then: ["n": FieldValue.arrayRemove([1])])
            return try await ref.getDocument()["n"] as? [Int] == [2]
        }
        section.row(.core, "class func increment(_ d: Double) -> Self", "class func increment(_ l: Int64) -> Self") { here in
            let ref = try await here.fresh(["n": 1, "m": 1], then: ["n": FieldValue.increment(Int64(2)), "m": FieldValue.increment(0.5)])
            let snapshot = try await ref.getDocument()
            return snapshot["n"] as? Int == 3 && snapshot["m"] as? Double == 1.5
        }
        section.row(.full, "class func minimum(_ d: Double) -> Self", "class func minimum(_ l: Int64) -> Self") { here in
            let ref = try await here.fresh(["n": 5, "m": 5], then: ["n": FieldValue.minimum(Int64(2)), "m": FieldValue.minimum(7.5)])
            return try await here.numbers(ref) == ["n": 2, "m": 5]
        }
        section.row(.full, "class func maximum(_ d: Double) -> Self", "class func maximum(_ l: Int64) -> Self") { here in
            let ref = try await here.fresh(["n": 5, "m": 5], then: ["n": FieldValue.maximum(Int64(2)), "m": FieldValue.maximum(7.5)])
            let snapshot = try await ref.getDocument()
            return snapshot["n"] as? Int == 5 && snapshot["m"] as? Double == 7.5
        }
        section.row(.full, "static func vector(_ array: [Double]) -> VectorValue", "static func vector(_ array: [Float]) -> VectorValue") { here in
            let doubles: VectorValue = FieldValue.vector([1.0, 2.0])
            let floats: VectorValue = FieldValue.vector([Float(1), Float(2)])
            let ref = try await here.fresh(["v": doubles])
            return try await ref.getDocument()["v"] as? VectorValue == floats
        }
        section.row(.core, "extension FieldValue : Encodable") { here in
            let ref = try await here.fresh(["n": 1])
            try ref.setData(from: ["n": FieldValue.increment(Int64(2))], merge: true)
            let refused = await failure { try JSONEncoder().encode(["n": FieldValue.delete()]) }
            let stored = try await here.numbers(ref)
            return stored == ["n": 3] && refused is FirestoreEncodingError
        }
        return section
    }

    /// api.md 6.2.
    static func geoPoint() -> CompatibilitySection {
        var section = CompatibilitySection("6.2", "GeoPoint")
        section.row(.core, "init(latitude: Double, longitude: Double)") { here in
            let ref = try await here.fresh(["at": GeoPoint(latitude: 1, longitude: 2)])
            let refused = await failure { try await ref.setData(["at": GeoPoint(latitude: 91, longitude: 0)]) }
            let stored = try await ref.getDocument()["at"] as? GeoPoint
            return stored == GeoPoint(latitude: 1, longitude: 2) && isFailure(refused, .invalidArgument)
        }
        section.row(.core, "var latitude: Double { get }") { _ in
            let latitude: Double = GeoPoint(latitude: 1, longitude: 2).latitude
            return latitude == 1
        }
        section.row(.core, "var longitude: Double { get }") { _ in
            let longitude: Double = GeoPoint(latitude: 1, longitude: 2).longitude
            return longitude == 2
        }
        section.row(.core, "extension GeoPoint : Codable") { _ in
            let point = GeoPoint(latitude: 1, longitude: 2)
            let text = try JSONEncoder().encode(["at": point])
            let stored = try Firestore.Encoder().encode(["at": point])
            return try JSONDecoder().decode([String: GeoPoint].self, from: text) == ["at": point] && stored["at"] as? GeoPoint == point
        }
        return section
    }

    /// api.md 6.3.
    static func vectorValue() -> CompatibilitySection {
        var section = CompatibilitySection("6.3", "VectorValue")
        section.row(.full, "convenience init(_ array: [Double])") { _ in
            let numbers: [Double] = [1, 2]
            return VectorValue(numbers) == FieldValue.vector(numbers)
        }
        section.row(.full, "var array: [Double] { get }") { _ in
            let array: [Double] = VectorValue([1, 2]).array
            return array == [1, 2]
        }
        section.row(.full, "extension VectorValue : Codable") { _ in
            let vector = VectorValue([1, 2])
            let text = try JSONEncoder().encode(["v": vector])
            let stored = try Firestore.Encoder().encode(["v": vector])
            return try JSONDecoder().decode([String: VectorValue].self, from: text) == ["v": vector] && stored["v"] as? VectorValue == vector
        }
        return section
    }
}
