// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The decoder that a type's `init(from:)` receives: one value of a document, or the document itself.
package struct ValueDecoder: Decoder {
    let state: DecodingState
    /// nil: the value of the call. The struct has two words, so that an existential stores it without a box.
    let node: DecodingNode?

    @inline(__always) var slot: DecodingSlot { node?.slot ?? state.root }

    package var codingPath: [any CodingKey] { DecodingNode.path(node) }
    package var userInfo: [CodingUserInfoKey: Any] { state.userInfo }

    var place: DecodingPlace { DecodingPlace(node: node, key: nil) }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let fields: FieldsView
        switch slot {
        case .fields(let document): fields = document
        case .nothing: throw state.nothingThere([String: Any].self, place)
        case .value(let value):
            guard let map = value.fields else { throw state.mismatch([String: Any].self, found: value, place) }
            fields = map
        }
        let isExempt = node?.isExemptFromKeyStrategy ?? state.isRootExemptFromKeyStrategy
        let reader = KeyedReader<Key>(state: state, fields: fields, node: node, isExempt: isExempt)
        if let audit = state.audit {
            return KeyedDecodingContainer(AuditingKeyedReader(base: reader, audit: audit, isExempt: isExempt))
        }
        return KeyedDecodingContainer(reader)
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        switch slot {
        case .value(let value):
            guard let elements = value.elements else { throw state.mismatch([Any].self, found: value, place) }
            let reader = UnkeyedReader(state: state, elements: elements, node: node)
            return state.audit.map { AuditingUnkeyedReader(base: reader, audit: $0) } ?? reader
        case .nothing: throw state.nothingThere([Any].self, place)
        case .fields: throw state.documentMismatch([Any].self, place)
        }
    }

    package func singleValueContainer() throws -> any SingleValueDecodingContainer { SingleValueReader(decoder: self) }

    // MARK: Access for Firestore's types

    /// The reference of the document that is being decoded, at any depth (R73, R76).
    package var documentReference: AnyObject? { state.documentReference }

    /// The object that the caller of the decoder passed.
    package var companion: AnyObject? { state.companion }

    /// Takes what tolerant types did: of an audit, or of the caller's decoder.
    package var toleranceRecorder: (any ToleranceRecorder)? { state.toleranceRecorder }

    /// The path of the value, with `[]` for elements of arrays.
    package var structuralPath: String { state.structuralPath(node) }

    /// The full resource name of a stored reference, nil for anything else.
    package var referenceName: String? {
        guard case .value(let value) = slot else { return nil }
        return value.referenceBytes.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The value of a type with a native form, read in place; nil if the value is a map, which may have the keys of the
    /// type's ordinary form (R32).
    package func read<Read>(_ type: Any.Type, _ body: (ValueView) -> Read?) throws -> Read? {
        switch slot {
        case .value(let value):
            if let read = body(value) { return read }
            guard value.kind == .map else { throw state.mismatch(type, found: value, place) }
            return nil
        case .nothing: throw state.nothingThere(type, place)
        case .fields: return nil
        }
    }

    /// The value as it is stored, or the whole document as a map; nil in a standalone `FirebaseDataDecoder`, whose objects have no
    /// stored form.
    package func exactValue(_ type: Any.Type) throws -> Value? {
        guard state.objects == nil else { return nil }
        do {
            switch slot {
            case .value(let value): return try Value(value)
            case .fields(let document): return .map(try FieldMap(document))
            case .nothing: throw state.nothingThere(type, place)
            }
        } catch let error as FirestoreError {
            throw corrupted("is damaged: \(error.message)")
        }
    }

    /// An error for a value of the right kind with invalid content.
    package func corrupted(_ why: String) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(codingPath: codingPath, debugDescription: "\(state.subject(codingPath)) \(why)."))
    }

    /// Whether the value is missing or null.
    package var isNil: Bool {
        switch slot {
        case .nothing: true
        case .value(let value): value.isNull
        case .fields: false
        }
    }

    /// The stored kind and location in words, for errors that are not `DecodingError`s.
    package var storedDescription: String {
        switch slot {
        case .value(let value): "\(state.subject(codingPath)) holds \(DecodingState.description(of: value))"
        case .nothing: "\(state.subject(codingPath)) is missing"
        case .fields: "\(state.subject(codingPath)) is a map"
        }
    }
}
