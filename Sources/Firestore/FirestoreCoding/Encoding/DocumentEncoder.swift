// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Encodes a value of a user's type into the fields of a document.
package enum DocumentEncoder {
    /// Writes canonical bytes directly, without intermediate values.
    ///
    /// - Throws: `EncodingError`, with the path of the field, or whatever the type's own `encode(to:)` throws.
    package static func encode<T: Encodable>(
        _ value: T, options: consuming EncodingOptions = EncodingOptions()
    ) throws -> EncodedDocument {
        let state = EncodingState(options: options, root: .document)
        try state.encodeRoot(value)
        let bytes = try state.finishDocument()
        return EncodedDocument(fields: FieldBytes(canonical: bytes), sentinels: state.placedSentinels)
    }
}
