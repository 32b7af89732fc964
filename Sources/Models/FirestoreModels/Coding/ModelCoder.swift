// SPDX-License-Identifier: Apache-2.0
package import FirebaseFirestore
package import FirestoreCoding
package import FirestoreCore

/// The encoder and the decoder of a model: the one place where typed reads and writes get them from.
///
/// Sendable, because it holds the settings of the coders that it was made from, and makes new coders for each call.
package struct ModelCoder<Model: FirestoreModel>: Sendable {
    /// nil if every setting has its default.
    private let settings: CoderSettings?

    private init(_ settings: CoderSettings?) { self.settings = settings }

    package init(encoder: Firestore.Encoder? = nil, decoder: Firestore.Decoder? = nil) {
        settings = encoder == nil && decoder == nil ? nil : CoderSettings(encoder ?? Firestore.Encoder(), decoder ?? Firestore.Decoder())
    }

    /// Returns the settings for another model, except for the versions, which are specific to a model.
    package func of<Other: FirestoreModel>(_ type: Other.Type) -> ModelCoder<Other> {
        ModelCoder<Other>(Other.self == Model.self ? settings : settings?.withoutVersions)
    }

    // MARK: Reading

    /// A decoder for one call.
    package func makeDecoder() -> Firestore.Decoder {
        let decoder = settings?.makeDecoder() ?? Firestore.Decoder()
        // Every typed read migrates documents of older versions (MP-68), those that the caller's decoder has migrated included:
        // fields of the current version stay as they are.
        guard let versioned = Model.self as? any VersionedModel.Type else { return decoder }
        let given = decoder.preparing
        decoder.migrate(versioned)
        if let given, let migrate = decoder.preparing {
            decoder.preparing = { fields, reference in try migrate(given(fields, reference), reference) }
        }
        return decoder
    }

    /// The document of a snapshot; nil if it does not exist.
    package func decode(_ snapshot: DocumentSnapshot) throws -> Model? {
        snapshot.exists ? try snapshot.data(as: Model.self, decoder: makeDecoder()) : nil
    }

    /// The documents of a snapshot, and those that cannot be decoded.
    package func decode(_ snapshot: QuerySnapshot) -> DecodedDocuments<Model> {
        snapshot.documents(as: Model.self, decoder: makeDecoder())
    }

    /// The rows of a snapshot, and those that cannot be decoded.
    package func decode(_ snapshot: Pipeline.Snapshot) -> DecodedResults<Model> {
        snapshot.results(as: Model.self, decoder: makeDecoder())
    }

    // MARK: Writing

    /// An encoder for one call.
    package func makeEncoder() -> Firestore.Encoder {
        let encoder = settings?.makeEncoder() ?? Firestore.Encoder()
        // Every typed write of a whole document stores the current version (MP-68), unless the fields have one.
        guard let versioned = Model.self as? any VersionedModel.Type else { return encoder }
        let given = encoder.completing
        encoder.storeVersion(of: versioned)
        if let given, let store = encoder.completing { encoder.completing = { fields in try store(given(fields)) } }
        return encoder
    }

    /// The path of a field in documents (MP-47).
    package func segments(of path: ModelPath) throws(FirestoreError) -> FieldPathSegments {
        guard let settings, settings.convertsKeys, !path.isDocumentID else { return try path.segments.get() }
        return try ModelPath.path(FieldEncoder.names(of: path.keys, options: settings.options)).get()
    }

    /// A value encoded at the place of a field.
    package func encode<T: Encodable>(_ value: T, at path: ModelPath, in firestore: Firestore) throws(FirestoreError) -> EncodedDocument {
        var options = settings?.options ?? EncodingOptions()
        options.database = firestore.databaseID
        do {
            return try FieldEncoder.encode(value, at: path.keys, options: options)
        } catch {
            throw FirestoreError(
                .invalidArgument, "the value cannot be stored: \(Self.reason(of: error))", at: "field \(path.text)", cause: error)
        }
    }

    private static func reason(of error: any Error) -> String {
        if case EncodingError.invalidValue(_, let context) = error { return context.debugDescription }
        return "\(error)"
    }
}

/// The settings of an encoder and a decoder, taken when a typed collection is made.
///
/// `@unchecked Sendable`: every property is a constant. The strategies' closures and the values of `userInfo` are the
/// developer's; the methods that take coders require that they can be used from several tasks simultaneously. The closures for versions
/// hold steps only, which are sendable.
private final class CoderSettings: @unchecked Sendable {
    let options: EncodingOptions
    let convertsKeys: Bool
    private let decoding: DecodingOptions
    /// Migrates the fields of documents before they are decoded; nil without versions.
    private let preparing: ((FieldBytes, DocumentReference?) throws -> FieldBytes)?
    /// Stores the version with the fields of documents; nil without versions.
    private let completing: ((FieldBytes) throws -> FieldBytes)?

    init(_ encoder: Firestore.Encoder, _ decoder: Firestore.Decoder) {
        options = encoder.options(.document)
        if case .useDefaultKeys = encoder.keyEncodingStrategy { convertsKeys = false } else { convertsKeys = true }
        decoding = decoder.settings
        preparing = decoder.preparing
        completing = encoder.completing
    }

    /// The settings for documents that have no versions, or others.
    var withoutVersions: CoderSettings {
        if preparing == nil, completing == nil { return self }
        let (encoder, decoder) = (makeEncoder(), makeDecoder())
        (encoder.completing, decoder.preparing) = (nil, nil)
        return CoderSettings(encoder, decoder)
    }

    func makeEncoder() -> Firestore.Encoder {
        let encoder = Firestore.Encoder()
        encoder.dateEncodingStrategy = options.dates
        encoder.dataEncodingStrategy = options.data
        encoder.nonConformingFloatEncodingStrategy = options.nonConformingFloats
        encoder.keyEncodingStrategy = options.keys
        encoder.userInfo = options.userInfo
        encoder.completing = completing
        return encoder
    }

    func makeDecoder() -> Firestore.Decoder {
        let decoder = Firestore.Decoder()
        decoder.dateDecodingStrategy = decoding.dates
        decoder.dataDecodingStrategy = decoding.data
        decoder.nonConformingFloatDecodingStrategy = decoding.nonConformingFloats
        decoder.keyDecodingStrategy = decoding.keys
        decoder.userInfo = decoding.userInfo
        decoder.preparing = preparing
        return decoder
    }
}
