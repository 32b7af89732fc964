// SPDX-License-Identifier: Apache-2.0
import FirestoreCoding
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
