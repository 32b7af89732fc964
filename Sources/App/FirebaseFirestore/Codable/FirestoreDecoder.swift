// SPDX-License-Identifier: Apache-2.0
public import FirestoreCoding
package import FirestoreCore

extension Firestore {
    /// Turns the data of documents into values of your types.
    ///
    /// Pass one to `data(as:)` and similar methods to change how dates, bytes, keys or NaN are read. A decoder can be
    /// reused and stores nothing between calls. Do not use one decoder from several threads simultaneously.
    public class Decoder {
        /// How dates are stored: as timestamps, unless you choose otherwise.
        @exclusivity(unchecked) public var dateDecodingStrategy: FirebaseDataDecoder.DateDecodingStrategy = .timestamp
        /// How `Data` is stored: as bytes, unless you choose otherwise.
        @exclusivity(unchecked) public var dataDecodingStrategy: FirebaseDataDecoder.DataDecodingStrategy = .blob
        /// Whether strings represent NaN and the infinities.
        @exclusivity(unchecked)
        public var nonConformingFloatDecodingStrategy: FirebaseDataDecoder.NonConformingFloatDecodingStrategy = .throw
        /// How field names become property names: unchanged, unless you choose otherwise.
        @exclusivity(unchecked) public var keyDecodingStrategy: FirebaseDataDecoder.KeyDecodingStrategy = .useDefaultKeys
        /// The user info that `init(from:)` of your types finds in its decoder.
        @exclusivity(unchecked) public var userInfo: [CodingUserInfoKey: Any] = [:]

        /// Changes the fields of a document before they are decoded: migrates those of older versions. Gets the document's database,
        /// if there is one.
        @exclusivity(unchecked) package var preparing: ((FieldBytes, DocumentReference?) throws -> FieldBytes)?

        /// Creates a decoder with the default strategies.
        public init() {}

        /// Decodes a value from a dictionary, or from any other value that Firestore can store.
        ///
        /// Throws `DecodingError`; a type with `@DocumentID` needs ``decode(_:from:in:)``.
        public func decode<T: Decodable>(_ t: T.Type, from data: Any) throws -> T {
            try decode(t, from: data, in: nil)
        }

        /// Decodes a value from the data of a document.
        ///
        /// `@DocumentID` properties get `reference`, for this call only.
        public func decode<T: Decodable>(_ t: T.Type, from data: Any, in reference: DocumentReference?) throws -> T {
            let references = ReferenceObjects()
            var value: ValueBytes
            do {
                value = try StructureEncoder.encode(data, rules: DecodedStructureRules(references: references))
            } catch let error as FirestoreError {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(codingPath: [], debugDescription: error.description))
            }
            if let preparing, case .map(let map) = try value.value {
                value = ValueBytes(.map(try preparing(FieldBytes(map), reference).map))
            }
            return try DecodedDocument.with(reference) {
                try DocumentDecoder.decode(
                    t, from: value, options: options, documentPath: reference?.path, reference: reference,
                    companion: references)
            }
        }

        /// Decodes the fields of a document, straight from the bytes; nil for one that does not exist.
        package func decode<T: Decodable>(
            _ type: T.Type, from fields: FieldBytes?, of reference: DocumentReference, audit: DecodingAudit? = nil
        ) throws -> T {
            guard preparing != nil, let fields else { return try decode(type, fromPrepared: fields, of: reference, audit: audit) }
            return try decode(type, fromPrepared: try prepared(fields, of: reference), of: reference, audit: audit)
        }

        /// The fields as they are decoded: those of an older version migrated.
        package func prepared(_ fields: FieldBytes, of reference: DocumentReference) throws -> FieldBytes {
            try preparing?(fields, reference) ?? fields
        }

        package func decode<T: Decodable>(
            _ type: T.Type, fromPrepared fields: FieldBytes?, of reference: DocumentReference, audit: DecodingAudit? = nil
        ) throws -> T {
            try DecodedDocument.with(reference) {
                try DocumentDecoder.decode(
                    type, from: fields, options: options, documentPath: reference.path, reference: reference, audit: audit)
            }
        }

        /// Decodes the fields of a row of a pipeline, straight from the bytes. It need not have a document.
        func decode<T: Decodable>(
            _ type: T.Type, fromRow fields: FieldBytes, of reference: DocumentReference?, in firestore: Firestore
        ) throws -> T {
            let fields = try preparing?(fields, reference) ?? fields
            return try DecodedDocument.with(reference) {
                try DocumentDecoder.decode(
                    type, from: fields, options: options, documentPath: reference?.path, reference: reference,
                    companion: ReferenceObjects(databaseOfRow: firestore))
            }
        }

        /// Takes what tolerant types do.
        package var toleranceRecorder: (any ToleranceRecorder)? {
            get { CodingUserInfoKey.toleranceRecorder.flatMap { userInfo[$0] as? any ToleranceRecorder } }
            set { if let key = CodingUserInfoKey.toleranceRecorder { userInfo[key] = newValue } }
        }

        /// nil if every setting has its default.
        package var decodingOptions: DecodingOptions? { options }

        /// nil if every setting has its default.
        private var options: DecodingOptions? {
            if case .timestamp = dateDecodingStrategy, case .blob = dataDecodingStrategy,
                case .throw = nonConformingFloatDecodingStrategy, case .useDefaultKeys = keyDecodingStrategy,
                userInfo.isEmpty
            {
                return nil
            }
            return settings
        }

        /// The strategies and the user info, also if they are the default.
        package var settings: DecodingOptions {
            DecodingOptions(
                dates: dateDecodingStrategy, data: dataDecodingStrategy,
                nonConformingFloats: nonConformingFloatDecodingStrategy, keys: keyDecodingStrategy, userInfo: userInfo)
        }
    }
}
