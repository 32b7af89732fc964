// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// An error of an encoder or a decoder, taken apart.
struct CodingFailure {
    /// The case, with the missing key if there is one: `typeMismatch`, `keyNotFound(title)`, `encodingIsNotSupported`.
    let kind: String
    /// nil for errors that have none.
    let path: [any CodingKey]?
    /// What a person reads: the context's `debugDescription`, or the message.
    let text: String
    /// The type that was expected.
    var expected: Any.Type?
    let error: any Error

    /// `typeMismatch at a.b.Index 1`; an empty path is `root`.
    var summary: String {
        guard let path else { return kind }
        return "\(kind) at \(path.isEmpty ? "root" : pathText(path))"
    }

    init(_ error: any Error) {
        switch error {
        case EncodingError.invalidValue(_, let context): self.init(error, "invalidValue", context.codingPath, context.debugDescription)
        case DecodingError.keyNotFound(let key, let context):
            self.init(error, "keyNotFound(\(key.stringValue))", context.codingPath, context.debugDescription)
        case DecodingError.valueNotFound(let type, let context):
            self.init(error, "valueNotFound", context.codingPath, context.debugDescription, type)
        case DecodingError.typeMismatch(let type, let context):
            self.init(error, "typeMismatch", context.codingPath, context.debugDescription, type)
        case DecodingError.dataCorrupted(let context):
            self.init(error, "dataCorrupted", context.codingPath, context.debugDescription)
        case FirestoreEncodingError.encodingIsNotSupported(let text): self.init(error, "encodingIsNotSupported", nil, text)
        case FirestoreDecodingError.decodingIsNotSupported(let text): self.init(error, "decodingIsNotSupported", nil, text)
        case FirestoreDecodingError.fieldNameConflict(let text): self.init(error, "fieldNameConflict", nil, text)
        default: self.init(error, "\(type(of: error))", nil, error.localizedDescription)
        }
    }

    private init(_ error: any Error, _ kind: String, _ path: [any CodingKey]?, _ text: String, _ expected: Any.Type? = nil) {
        (self.error, self.kind, self.path, self.text, self.expected) = (error, kind, path, text, expected)
    }

    /// Whether the text contains all of some words, in any case of letters.
    func names(_ words: String...) -> Bool { words.allSatisfy { text.localizedCaseInsensitiveContains($0) } }
}

/// The error of a body, taken apart; nil if it does not throw.
func codingFailure<Value>(_ body: () throws -> Value) -> CodingFailure? {
    do {
        _ = try body()
        return nil
    } catch {
        return CodingFailure(error)
    }
}

/// `typeMismatch at a.b`, or what came out where nothing was thrown.
func failureSummary<Value>(_ body: () throws -> Value) -> String {
    do {
        return "no error: \(try body())"
    } catch {
        return CodingFailure(error).summary
    }
}
