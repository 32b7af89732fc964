// SPDX-License-Identifier: Apache-2.0

/// The keys that a type asks for, found by decoding it from nothing (MP-35): every request is answered with a stand-in.
///
/// Names are those of `CodingKeys`; key strategies are not applied. Finds the requests of an `init(from:)` when every field is
/// present: requests that depend on values, and all but one case of an enum with payloads, are not found. Values are zero or
/// empty; where a type rejects that, others are tried (`ScalarStandIns`).
package enum KeyProbe {
    package struct Result {
        /// In the order of the requests; a key that is asked for in several ways once, in the first way.
        package let keys: [ProbedKey]
        /// The decoded value; nil if the type was not decoded to its end.
        package let value: Any?
        /// Why the type was not decoded to its end, so that keys at top level may be missing; nil if it was.
        package let stop: String?
        /// The value that could not be decoded from stand-ins, so that keys may be missing, nested ones too; nil if nothing is missing.
        package let limit: String?
    }

    /// - Parameter standIn: A value of the caller's for a type, such as a reference, which cannot be made without a database.
    package static func keys<T: Decodable>(of type: T.Type, standIn: @escaping (any Decodable.Type) -> Any? = { _ in nil }) -> Result {
        let state = ProbeState(standIn: standIn)
        _ = state.enter(type)
        let value: T
        do {
            value = try state.attempt(type) { try T(from: ProbeDecoder(state: state, path: [], depth: 0)) }
        } catch {
            let reason = (error as? ProbeStopped)?.description ?? "\(type): its init(from:) refuses stand-ins (\(Swift.type(of: error)))"
            return Result(keys: state.keys, value: nil, stop: reason, limit: reason)
        }
        let limit = state.isComplete ? nil : "\(type): a nested value could not be made without data"
        return Result(keys: state.keys, value: value, stop: nil, limit: limit)
    }
}

/// A key that a type asks for.
package struct ProbedKey {
    /// A step of a path: a name, the elements of an array, the values of a dictionary.
    package enum Segment: Hashable, Sendable {
        case name(String)
        case elements
        case values

        var text: String {
            switch self {
            case .name(let name): name
            case .elements: "[]"
            case .values: "{}"
            }
        }
    }

    package enum Presence: Sendable {
        /// `decode`: fails without the field.
        case required
        /// `decodeIfPresent`: an optional.
        case ifPresent
        /// `decode` of a wrapper that accepts a missing field, as `@ExplicitNull` and `@ServerTimestamp` do.
        case missingAccepted
        /// `@DocumentID`: no field at all.
        case identity

        init(_ type: Any.Type) {
            if type is any StructureCodingUncodedUnkeyed.Type {
                self = .identity
            } else {
                self = type is any DecodableFromMissingField.Type ? .missingAccepted : .required
            }
        }
    }

    package let path: [Segment]
    /// The requested type, the wrapper's for wrappers; `[String: Any]` and `[Any]` for containers, `Any` for decoders.
    package let type: Any.Type
    package let presence: Presence
    /// The value that answered the request, for those by type; nil if there was none.
    package internal(set) var standIn: Any?

    /// `tags[].title`, `names{}`.
    package static func text(_ path: [Segment]) -> String {
        var result = ""
        for segment in path {
            if case .name = segment, !result.isEmpty { result += "." }
            result += segment.text
        }
        return result
    }
}

extension CodingKey {
    /// Whether any name is a key of this type, as for dictionaries.
    static var isOpen: Bool { Self(stringValue: "\u{1}?") != nil }
}
