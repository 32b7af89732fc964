// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import Foundation

/// Converts stored bytes into the `[String: Any]` of the public API.
///
/// Numbers and booleans come out as `NSNumber`: then `as? Int`, `as? Double` and `as? Bool` all work on Linux, where a
/// bare `Int64` in an `Any` does not cast to `Int`.
struct AnyValueBuilder {
    /// Makes the object for a stored reference, which is a resource name.
    private let reference: (String) -> Any

    init(reference: @escaping (String) -> Any) { self.reference = reference }

    /// A reference into another database is mapped to this one.
    init(firestore: Firestore) {
        reference = { DocumentReference(resourceName: $0, firestore: firestore) }
    }

    /// Names that are canonically equivalent cannot both be keys of a Swift dictionary: the last one is used.
    func dictionary(_ fields: FieldsView) -> [String: Any] {
        var result: [String: Any] = [:]
        for (name, value) in fields { result[String(decoding: name, as: UTF8.self)] = object(value) }
        return result
    }

    /// The object of a value, as what may be passed between threads.
    ///
    /// `Any` and `any Sendable` have one representation, and all objects made here are immutable: `NSNull`, `NSNumber`, strings, data, the
    /// immutable classes of the public API, and arrays and dictionaries of them. (`as Any` keeps the call from opening the value.)
    func sendableObject(_ view: ValueView) -> any Sendable { unsafeBitCast(object(view) as Any, to: (any Sendable).self) }

    /// `NSNull` also for damaged bytes, which the engine reports when it reads a document.
    func object(_ view: ValueView) -> Any {
        switch view.kind {
        case .null, .malformed: return NSNull()
        case .boolean: return view.boolean.map { NSNumber(value: $0) } ?? NSNull()
        case .integer: return view.integer.map { NSNumber(value: $0) } ?? NSNull()
        case .double: return view.double.map { NSNumber(value: $0) } ?? NSNull()
        case .timestamp:
            return view.timestamp.map { Timestamp(seconds: $0.seconds, nanoseconds: $0.nanoseconds) } ?? NSNull()
        case .string: return view.string ?? NSNull()
        case .bytes: return view.dataBytes.map { Data($0) } ?? NSNull()
        case .reference:
            return view.referenceBytes.map { reference(String(decoding: $0, as: UTF8.self)) } ?? NSNull()
        case .geoPoint:
            return view.geoPoint.map { GeoPoint(latitude: $0.latitude, longitude: $0.longitude) } ?? NSNull()
        case .array: return view.elements.map { $0.map { object($0) } } ?? NSNull()
        case .map:
            if let vector = view.vector { return VectorValue(vector.compactMap { $0.double }) }
            return view.fields.map { dictionary($0) } ?? NSNull()
        }
    }
}
