// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
public import Foundation

/// The errors of decoding, in terms of documents and fields (R93): document, field path, stored type, expected
/// type, never a field's value.
extension DecodingState {
    /// `Document books/dune: field 'title'`, or the part of it that is known.
    func subject(_ path: [any CodingKey]) -> String {
        let field = path.isEmpty ? nil : "field '\(CodingPathText.text(path))'"
        switch (documentPath, field) {
        case (let document?, let field?): return "Document \(document): \(field)"
        case (let document?, nil): return "Document \(document)"
        case (nil, let field?): return "F" + field.dropFirst()
        case (nil, nil): return "The value"
        }
    }

    private func context(_ path: [any CodingKey], _ text: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: path, debugDescription: "\(subject(path)) \(text)")
    }

    func damaged(_ place: DecodingPlace) -> DecodingError {
        .dataCorrupted(context(place.codingPath, "cannot be read: the stored bytes are damaged."))
    }

    /// A null is a missing value; a value of another kind is a mismatch (R94, R23).
    @inline(never)
    func mismatch(_ expected: Any.Type, found value: ValueView, _ place: DecodingPlace) -> DecodingError {
        let path = place.codingPath
        switch value.kind {
        case .malformed: return damaged(place)
        case .null: return .valueNotFound(expected, context(path, "is null, but \(Self.words(expected)) was expected."))
        default:
            return .typeMismatch(
                expected, context(path, "holds \(Self.description(of: value)), but \(Self.words(expected)) was expected."))
        }
    }

    /// A number or a string of the right kind whose content is invalid.
    @inline(never)
    func unfitting(_ expected: Any.Type, _ value: ValueView, _ place: DecodingPlace, _ why: String) -> DecodingError {
        .dataCorrupted(
            context(
                place.codingPath, "holds \(Self.description(of: value)) that \(why), but \(Self.words(expected)) was expected."))
    }

    /// A document where another value than a map was expected.
    @inline(never)
    func documentMismatch(_ expected: Any.Type, _ place: DecodingPlace) -> DecodingError {
        .typeMismatch(expected, context(place.codingPath, "is a map of fields, but \(Self.words(expected)) was expected."))
    }

    /// The error for a missing field: the path of the container, and the key (R23).
    @inline(never)
    func keyNotFound(_ key: any CodingKey, _ expected: Any.Type, in fields: FieldsView, _ node: DecodingNode?) -> DecodingError {
        let place = DecodingPlace(node: node, key: nil)
        if isDamaged { return damaged(place) }
        let codingPath = place.codingPath
        let inside = codingPath.isEmpty ? "" : " in '\(CodingPathText.text(codingPath))'"
        let document = documentPath.map { "Document \($0)" } ?? "The document"
        var text = "\(document) has no field '\(key.stringValue)'\(inside); \(Self.words(expected)) was expected."
        if case .convertFromSnakeCase = options.keys, let hint = divergentForm(of: key.stringValue, in: fields) {
            text += hint
        }
        return .keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: text))
    }

    /// The stored form of a key that the strategy converts differently in both directions (R65): `userID` is written as
    /// `user_id`, which is read as `userId`.
    private func divergentForm(of key: String, in fields: FieldsView) -> String? {
        for (name, _) in fields {
            let stored = String(decoding: name, as: UTF8.self)
            let converted = SnakeCase.toCamelCase(stored)
            if converted.lowercased() == key.lowercased() {
                return " The field '\(stored)' is read as '\(converted)': use this name for the property, or as its raw value."
            }
        }
        return nil
    }

    /// The error for a missing value: a missing document, or a `superDecoder` without its field.
    @inline(never)
    func nothingThere(_ expected: Any.Type, _ place: DecodingPlace) -> DecodingError {
        let path = place.codingPath
        let what = path.isEmpty ? "does not exist" : "is missing"
        return .valueNotFound(expected, context(path, "\(what); \(Self.words(expected)) was expected."))
    }

    @inline(never)
    func pastTheEnd(_ expected: Any.Type, _ place: DecodingPlace) -> DecodingError {
        .valueNotFound(expected, context(place.codingPath, "is after the end of the array; \(Self.words(expected)) was expected."))
    }

    /// Adds document and field to an error of a type's `init(from:)`, so that every message has its location.
    func located(_ error: any Error) -> any Error {
        guard let documentPath, let error = error as? DecodingError else { return error }
        func add(_ context: DecodingError.Context) -> DecodingError.Context {
            guard !context.debugDescription.hasPrefix("Document \(documentPath)") else { return context }
            return DecodingError.Context(
                codingPath: context.codingPath,
                debugDescription: "\(subject(context.codingPath)): \(context.debugDescription)",
                underlyingError: context.underlyingError)
        }
        switch error {
        case .typeMismatch(let type, let context): return DecodingError.typeMismatch(type, add(context))
        case .valueNotFound(let type, let context): return DecodingError.valueNotFound(type, add(context))
        case .keyNotFound(let key, let context): return DecodingError.keyNotFound(key, add(context))
        case .dataCorrupted(let context): return DecodingError.dataCorrupted(add(context))
        @unknown default: return error
        }
    }

    /// An expected type in words: containers by their kind, other types by their name.
    static func words(_ type: Any.Type) -> String {
        if type == [String: Any].self { return "a map" }
        if type == [Any].self { return "an array" }
        return type == Any?.self ? "a value" : "\(type)"
    }

    static func description(of value: ValueView) -> String {
        switch value.kind {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .double: "a double"
        case .timestamp: "a timestamp"
        case .string: "a string"
        case .bytes: "bytes"
        case .reference: "a reference"
        case .geoPoint: "a geopoint"
        case .array: "an array"
        case .map: value.vector == nil ? "a map" : "a vector"
        case .malformed: "damaged bytes"
        }
    }
}

/// A dictionary of any type. Those with other keys than strings and numbers encode themselves as arrays (R45).
private protocol KeyedByType {
    static var keyType: Any.Type { get }
}

extension Dictionary: KeyedByType {
    fileprivate static var keyType: Any.Type { Key.self }
}

extension DecodingState {
    /// The error of a type's own decoding, with what to do about a map that a dictionary does not read.
    @inline(never)
    func explained(_ error: DecodingError, _ type: Any.Type, _ place: DecodingPlace) -> DecodingError {
        guard let dictionary = type as? any KeyedByType.Type, case .typeMismatch(let expected, let context) = error,
            expected == [Any].self, context.codingPath.count == place.codingPath.count
        else { return error }
        let text = "\(context.debugDescription) A dictionary of type \(type) is stored as an array of its keys and values; "
            + "declare \(dictionary.keyType) as CodingKeyRepresentable, and it is a map."
        return .typeMismatch(expected, DecodingError.Context(codingPath: context.codingPath, debugDescription: text))
    }
}

// On Apple platforms the runtime converts every Swift error to NSError; elsewhere it converts the types that conform to
// a protocol (decision 0023). The conformance stands beside what makes the errors: the linker takes an object file out of a static
// archive only for a symbol that something names, and nothing names a conformance.
#if !canImport(ObjectiveC)
    /// Domain, codes, messages and keys as on Apple platforms.
    extension DecodingError: @retroactive CustomNSError {
        /// `NSCocoaErrorDomain`.
        public static var errorDomain: String { NSCocoaErrorDomain }

        /// 4864 for a mismatch, 4865 for a missing value.
        public var errorCode: Int {
            switch self {
            case .typeMismatch, .dataCorrupted: CocoaError.Code.coderReadCorrupt.rawValue
            case .valueNotFound, .keyNotFound: CocoaError.Code.coderValueNotFound.rawValue
            @unknown default: CocoaError.Code.coderReadCorrupt.rawValue
            }
        }

        /// Message, coding path and underlying error.
        public var errorUserInfo: [String: Any] {
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context), .dataCorrupted(let context):
                CodingErrorInfo.make(self, context.codingPath, context.debugDescription, context.underlyingError)
            @unknown default: [OriginalError.key: OriginalError(self)]
            }
        }
    }

    extension DecodingError: @retroactive _ObjectiveCBridgeable, BridgedError {
        /// `dataCorrupted`, with the message of the `NSError`.
        public static func unbridged(_ source: NSError?) -> DecodingError {
            .dataCorrupted(Context(codingPath: [], debugDescription: source?.localizedDescription ?? "", underlyingError: source))
        }
    }
#endif
