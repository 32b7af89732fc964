// SPDX-License-Identifier: Apache-2.0
public import FirestoreCoding
package import FirestoreCore
import Foundation

extension Firestore {
    /// Turns values of your types into the data of documents.
    ///
    /// Pass one to `setData(from:)` and similar methods to change how dates, bytes, keys or NaN are stored. An encoder
    /// can be reused; each call takes a snapshot of its settings. Do not use one encoder from several threads simultaneously.
    public class Encoder {
        /// How dates are stored: as timestamps, unless you choose otherwise.
        public var dateEncodingStrategy: FirebaseDataEncoder.DateEncodingStrategy = .timestamp
        /// How `Data` is stored: as bytes, unless you choose otherwise.
        public var dataEncodingStrategy: FirebaseDataEncoder.DataEncodingStrategy = .blob
        /// How NaN and the infinities are stored: not at all, which is an error, unless you choose otherwise.
        public var nonConformingFloatEncodingStrategy: FirebaseDataEncoder.NonConformingFloatEncodingStrategy = .throw
        /// How property names become field names: unchanged, unless you choose otherwise.
        public var keyEncodingStrategy: FirebaseDataEncoder.KeyEncodingStrategy = .useDefaultKeys
        /// The user info that `encode(to:)` of your types finds in its encoder.
        public var userInfo: [CodingUserInfoKey: Any] = [:]

        /// Changes the fields of a document after they are encoded: stores the version of a model.
        package var completing: ((FieldBytes) throws -> FieldBytes)?

        /// Creates an encoder with the default strategies.
        public init() {}

        /// Encodes a value into the dictionary that `setData(_:)` takes.
        ///
        /// Throws `EncodingError.invalidValue` if the value does not encode to a map of fields, or if a field cannot be
        /// stored; the error has its path. To write a document use `setData(from:)`, which builds no dictionary.
        public func encode<T: Encodable>(_ value: T) throws -> [String: Any] {
            var options = options(.dictionary)
            let references = ReferenceObjects()
            options.companion = references
            let encoded = try DocumentEncoder.encode(value, options: options)
            let fields = try completing?(encoded.fields) ?? encoded.fields
            defer { withExtendedLifetime(fields) {} }
            let builder = AnyValueBuilder { references.object($0) ?? NSNull() }
            var dictionary = builder.dictionary(fields.view)
            for placed in encoded.sentinels {
                guard let object = placed.sentinel.object else { continue }
                Self.put(object, at: placed.path.segments[...], in: &dictionary)
            }
            return dictionary
        }

        /// The content of a document of a database.
        package func content<T: Encodable>(_ value: T, in firestore: Firestore) throws -> WriteContent {
            let encoded = try encodedDocument(value, in: firestore)
            return WriteContent(fields: encoded.fields, transforms: encoded.transforms, deletions: encoded.deletes)
        }

        /// The fields of a document of a database, and the values that a commit computes.
        package func encodedDocument<T: Encodable>(_ value: T, in firestore: Firestore) throws -> EncodedDocument {
            var options = options(.document)
            options.database = firestore.databaseID
            let encoded = try DocumentEncoder.encode(value, options: options)
            guard let completing else { return encoded }
            return EncodedDocument(fields: try completing(encoded.fields), sentinels: encoded.sentinels)
        }

        /// The settings as they are now.
        package func options(_ destination: EncodingOptions.Destination) -> EncodingOptions {
            EncodingOptions(
                dates: dateEncodingStrategy, data: dataEncodingStrategy,
                nonConformingFloats: nonConformingFloatEncodingStrategy, keys: keyEncodingStrategy, userInfo: userInfo,
                destination: destination)
        }

        private static func put(_ object: AnyObject, at path: ArraySlice<String>, in dictionary: inout [String: Any]) {
            guard let first = path.first else { return }
            if path.count == 1 {
                dictionary[first] = object
                return
            }
            var inner = dictionary[first] as? [String: Any] ?? [:]
            put(object, at: path.dropFirst(), in: &inner)
            dictionary[first] = inner
        }
    }
}
