// SPDX-License-Identifier: Apache-2.0
import FirestoreCoding
import FirestoreCore

extension GeoPoint: Codable {
    private enum CodingKeys: String, CodingKey { case latitude, longitude }

    /// Reads a stored geopoint, or a map of `latitude` and `longitude`.
    public convenience init(from decoder: any Decoder) throws {
        if let stored = decoder as? ValueDecoder, let point = try stored.read(GeoPoint.self, { $0.geoPoint }) {
            self.init(latitude: point.latitude, longitude: point.longitude)
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let point = GeoPointValue(
            latitude: try container.decode(Double.self, forKey: .latitude),
            longitude: try container.decode(Double.self, forKey: .longitude))
        guard point.isValid else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "a geopoint must lie within ±90 and ±180 degrees"))
        }
        self.init(latitude: point.latitude, longitude: point.longitude)
    }

    /// Stores a geopoint; other encoders get a map of `latitude` and `longitude`.
    public func encode(to encoder: any Encoder) throws {
        if let stored = encoder as? ValueEncoder, stored.storesFirestoreTypes {
            return try stored.encode(GeoPointValue(latitude: latitude, longitude: longitude))
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(latitude, forKey: .latitude)
        try container.encode(longitude, forKey: .longitude)
    }
}

extension VectorValue: Codable {
    private enum CodingKeys: String, CodingKey { case array }

    /// Reads a stored vector, or a map with the components under `array`.
    public convenience init(from decoder: any Decoder) throws {
        if let stored = decoder as? ValueDecoder, let vector = try stored.read(VectorValue.self, { $0.vector }) {
            self.init(vector.compactMap { $0.double ?? $0.integer.map(Double.init) })
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(try container.decode([Double].self, forKey: .array))
    }

    /// Stores a vector; other encoders get a map with the components under `array`.
    public func encode(to encoder: any Encoder) throws {
        if let stored = encoder as? ValueEncoder, stored.storesFirestoreTypes {
            return try stored.encode(vector: array)
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(array, forKey: .array)
    }
}

extension FieldValue: Encodable {
    /// Stores the operation on the field. Other encoders throw.
    public func encode(to encoder: any Encoder) throws {
        guard let stored = encoder as? ValueEncoder, stored.storesFirestoreTypes else {
            throw FirestoreEncodingError.encodingIsNotSupported(
                "FieldValue.\(name)() can be encoded by Firestore.Encoder only.")
        }
        switch operation {
        case .delete: try stored.encode(Sentinel(.delete, object: self))
        case .transform(let kind): try stored.encode(Sentinel(.transform(kind), object: self))
        case .invalid(let elements):
            let below = FieldPathSegments(checked: elements.path).map { "\($0.canonical) of an element: " } ?? ""
            throw EncodingError.invalidValue(
                self, EncodingError.Context(codingPath: stored.codingPath, debugDescription: below + elements.error.message))
        }
    }
}

extension DocumentReference: Codable {
    /// Reads a stored reference; throws `FirestoreDecodingError` for anything else, and in other decoders.
    public convenience init(from decoder: any Decoder) throws {
        guard let stored = decoder as? ValueDecoder else {
            throw FirestoreDecodingError.decodingIsNotSupported(
                "A DocumentReference can be decoded from a Firestore document only.")
        }
        guard let name = stored.referenceName else {
            throw FirestoreDecodingError.decodingIsNotSupported(
                "\(stored.storedDescription), but a DocumentReference was expected.")
        }
        guard let firestore = ReferenceObjects.firestore(for: name, in: stored) else {
            throw FirestoreDecodingError.decodingIsNotSupported(
                "A DocumentReference needs a database: decode a snapshot, or use decode(_:from:in:) with its reference.")
        }
        self.init(resourceName: name, firestore: firestore)
    }

    /// Stores a reference. Other encoders throw.
    public func encode(to encoder: any Encoder) throws {
        guard let stored = encoder as? ValueEncoder, stored.storesFirestoreTypes else {
            throw FirestoreEncodingError.encodingIsNotSupported(
                "A DocumentReference can be encoded by Firestore.Encoder only.")
        }
        let context = { (text: String) in
            EncodingError.Context(codingPath: stored.codingPath, debugDescription: text)
        }
        if let database = stored.database, database != firestore.databaseID {
            throw EncodingError.invalidValue(
                self, context("a reference must belong to the same database as the document it is stored in"))
        }
        let key: DocumentKey
        do {
            key = try location.get()
        } catch {
            throw EncodingError.invalidValue(self, context("the reference has an invalid path: \(error.message)"))
        }
        let name = firestore.databaseID.name(of: key)
        (stored.companion as? ReferenceObjects)?.add(self, name: name)
        try stored.encode(reference: name)
    }
}
