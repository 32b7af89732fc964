// SPDX-License-Identifier: Apache-2.0
public import FirestoreCoding
public import Foundation

/// A Firestore type was encoded by an encoder that does not support it.
public enum FirestoreEncodingError: Error, Sendable {
    /// The encoded value is not supported; the text names it and the alternative.
    case encodingIsNotSupported(String)
}

/// A Firestore type was decoded by a decoder that does not support it.
public enum FirestoreDecodingError: Error, Sendable {
    /// The decoded value is not supported; the text names it and the alternative.
    case decodingIsNotSupported(String)
    /// Declared for source compatibility; never thrown.
    case fieldNameConflict(String)
}

extension FirestoreEncodingError: CustomNSError {
    /// The name of the type.
    public static var errorDomain: String { "FirebaseFirestore.FirestoreEncodingError" }
    /// The number of the case.
    public var errorCode: Int { 0 }
    /// The message, under `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] {
        switch self {
        case .encodingIsNotSupported(let text): [NSLocalizedDescriptionKey: text, OriginalError.key: OriginalError(self)]
        }
    }
}

extension FirestoreDecodingError: CustomNSError {
    /// The name of the type.
    public static var errorDomain: String { "FirebaseFirestore.FirestoreDecodingError" }
    /// The number of the case.
    public var errorCode: Int {
        switch self {
        case .decodingIsNotSupported: 0
        case .fieldNameConflict: 1
        }
    }
    /// The message, under `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] {
        switch self {
        case .decodingIsNotSupported(let text), .fieldNameConflict(let text):
            [NSLocalizedDescriptionKey: text, OriginalError.key: OriginalError(self)]
        }
    }
}

// On Apple platforms the runtime converts every Swift error to NSError; elsewhere it converts the types that conform to
// a protocol (decision 0023). The conformance stands beside what makes the errors: the linker takes an object file out of a static
// archive only for a symbol that something names, and nothing names a conformance.
#if !canImport(ObjectiveC)
    extension FirestoreEncodingError: BridgedError {
        /// An error with the message of the `NSError`.
        public static func unbridged(_ source: NSError?) -> FirestoreEncodingError {
            .encodingIsNotSupported(source?.localizedDescription ?? "")
        }
    }

    extension FirestoreDecodingError: BridgedError {
        /// An error with the message of the `NSError`.
        public static func unbridged(_ source: NSError?) -> FirestoreDecodingError {
            .decodingIsNotSupported(source?.localizedDescription ?? "")
        }
    }
#endif
