// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCoding
import Foundation

/// Decodes a type from a document that has every field, and records what it asks for.
final class FieldProbe {
    /// A key that the type asks for.
    struct Request {
        let key: String
        let type: Any.Type
        /// Whether a missing field is nil.
        let isOptional: Bool
        /// Whether the type reads the value by itself, so that its type is not known.
        var isOpaque = false
        /// The types of what a wrapper holds.
        var contents: [Any.Type] = []

        /// Kind and type that the table has to have.
        var expectation: (kind: Any.Type, value: Any.Type) {
            if let wrapper = type as? any KnownWrapper.Type { return (wrapper.kind, wrapper.wrapped) }
            if let optional = type as? any OptionalType.Type { return (Maybe.self, optional.wrapped) }
            return (isOptional ? Maybe.self : Required.self, type)
        }
    }

    struct Outcome {
        let requests: [Request]
        /// Why the type could not be decoded to its end.
        let stop: String?
    }

    /// A value that cannot be made up.
    struct NoStandIn: Error {
        let key: String
        let type: Any.Type
    }

    private(set) var requests: [Request] = []
    private let standIns: [any Decodable]

    private init(standIns: [any Decodable]) { self.standIns = standIns }

    static func requests<T: Decodable>(of type: T.Type, standIns: [any Decodable]) -> Outcome {
        let probe = FieldProbe(standIns: standIns)
        do {
            _ = try T(from: ProbingDecoder(probe: probe, depth: 0))
            return Outcome(requests: probe.requests, stop: nil)
        } catch {
            let last = probe.requests.last
            return Outcome(
                requests: probe.requests,
                stop: "\(last?.key ?? "the type"): no value of \(last?.type ?? type) can be made up, so that what follows "
                    + "was not compared; pass one in standIns")
        }
    }

    func record(_ request: Request) { requests.append(request) }

    /// Adds what is known about the value of the last request.
    func note(_ value: Any) { requests[requests.count - 1].contents = Mirror(reflecting: value).children.map { type(of: $0.value) } }

    /// A value of a type: one of the caller's, a known one, or what decoding makes of zeros and empty texts.
    func standIn<T: Decodable>(_ type: T.Type, depth: Int) throws -> T {
        for value in standIns {
            if let value = value as? T { return value }
            if let wrapper = T.self as? any ReferenceWrapper.Type, let reference = value as? DocumentReference,
                let value = wrapper.init(reference) as? T
            {
                return value
            }
        }
        if let optional = T.self as? any OptionalType.Type, let value = optional.missing as? T { return value }
        if let wrapper = T.self as? any KnownWrapper.Type, let value = wrapper.empty as? T { return value }
        if let wrapper = T.self as? any DecodableFromMissingField.Type, let value = wrapper.init(missingField: ()) as? T { return value }
        if let cases = T.self as? any CaseIterable.Type, let value = Self.first(cases) as? T { return value }
        for value in Self.known { if let value = value as? T { return value } }
        // A type that contains itself without an end is nothing that can be decoded.
        guard depth < 32 else { throw NoStandIn(key: "", type: type) }
        return try T(from: ProbingDecoder(probe: self, depth: depth + 1))
    }

    private static func first<Cases: CaseIterable>(_ type: Cases.Type) -> Any? { Cases.allCases.first }

    private static let known: [any Sendable] = [
        Date(timeIntervalSince1970: 0), Data(), URL(fileURLWithPath: "/"), UUID(), Decimal(), Timestamp(seconds: 0, nanoseconds: 0),
        GeoPoint(latitude: 0, longitude: 0), VectorValue([]),
    ]
}

/// `Optional`, whatever it wraps.
protocol OptionalType {
    static var wrapped: Any.Type { get }
    static var missing: Any { get }
}

extension Optional: OptionalType {
    static var wrapped: Any.Type { Wrapped.self }
    static var missing: Any { Wrapped?(nilLiteral: ()) as Any }
}

/// The wrappers that have a kind.
protocol KnownWrapper {
    static var kind: Any.Type { get }
    static var wrapped: Any.Type { get }
    static var empty: Any { get }
}

extension DocumentID: KnownWrapper {
    static var kind: Any.Type { Identity.self }
    static var wrapped: Any.Type { Value.self }
    static var empty: Any { DocumentID(wrappedValue: nil) }
}

extension ServerTimestamp: KnownWrapper {
    static var kind: Any.Type { Stamped.self }
    static var wrapped: Any.Type { Value.self }
    static var empty: Any { ServerTimestamp(wrappedValue: nil) }
}

extension ExplicitNull: KnownWrapper {
    static var kind: Any.Type { Nullable.self }
    static var wrapped: Any.Type { Value.self }
    static var empty: Any { ExplicitNull(wrappedValue: nil) }
}

/// ``Reference``, whatever it refers to.
protocol ReferenceWrapper {
    init(_ reference: DocumentReference)
}

extension Reference: ReferenceWrapper {}
