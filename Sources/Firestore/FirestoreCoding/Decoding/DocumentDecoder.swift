// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Decodes a value of a user's type from the fields of a document, straight from the bytes.
package enum DocumentDecoder {
    /// - Parameters:
    ///   - fields: The fields; nil for a document that does not exist: optional types become nil, others fail (R99).
    ///   - documentPath: The path of the document, for messages.
    ///   - reference: The value for `@DocumentID`.
    ///   - companion: An object of the caller that its types find in the decoder.
    ///   - audit: Notes what the type asks for and what fails.
    package static func decode<T: Decodable>(
        _ type: T.Type, from fields: FieldBytes?, options: DecodingOptions? = nil,
        documentPath: String? = nil, reference: AnyObject? = nil, companion: AnyObject? = nil, audit: DecodingAudit? = nil
    ) throws -> T {
        let state = DecodingState(
            owner: fields?.bytes ?? .empty, root: fields.map { .fields($0.view) } ?? .nothing, options: options,
            documentPath: documentPath, documentReference: reference, companion: companion, audit: audit)
        state.markDictionary(type, at: nil)
        do {
            if state.tellsTolerance { return try ToleranceActivity.during { try T(from: ValueDecoder(state: state, node: nil)) } }
            return try T(from: ValueDecoder(state: state, node: nil))
        } catch {
            throw state.located(error)
        }
    }

    /// Decodes one value of any kind.
    package static func decode<T: Decodable>(
        _ type: T.Type, from value: ValueBytes, options: DecodingOptions? = nil,
        documentPath: String? = nil, reference: AnyObject? = nil, companion: AnyObject? = nil
    ) throws -> T {
        let state = DecodingState(
            owner: value.bytes, root: .value(value.view), options: options, documentPath: documentPath, documentReference: reference,
            companion: companion)
        do {
            let place = DecodingPlace(node: nil, key: nil)
            if state.tellsTolerance { return try ToleranceActivity.during { try state.decode(type, from: value.view, place) } }
            return try state.decode(type, from: value.view, place)
        } catch {
            throw state.located(error)
        }
    }
}
