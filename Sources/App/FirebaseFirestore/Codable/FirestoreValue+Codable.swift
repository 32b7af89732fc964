// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCoding
package import FirestoreCore
import Foundation

extension FirestoreValue: Codable {
    /// Reads a stored value unchanged; in other decoders the value that they hold.
    ///
    /// Throws `DecodingError.valueNotFound` if there is no value, and `FirestoreDecodingError` for a reference without a
    /// database to belong to.
    public init(from decoder: any Decoder) throws {
        if let stored = decoder as? ValueDecoder, let value = try stored.exactValue(FirestoreValue.self) {
            self = try FirestoreValue(value) { name in
                guard let firestore = ReferenceObjects.firestore(for: name, in: stored) else {
                    throw FirestoreDecodingError.decodingIsNotSupported(
                        "A DocumentReference needs a database: decode a snapshot, or use decode(_:from:in:) with its reference.")
                }
                return DocumentReference(resourceName: name, firestore: firestore)
            }
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([FirestoreValue].self) {
            self = .array(value)
        } else {
            self = .map(try container.decode(FirestoreFields.self))
        }
    }

    /// Stores the value as it is. Other encoders get the nearest value of theirs, and throw for a reference.
    public func encode(to encoder: any Encoder) throws {
        let stored = (encoder as? ValueEncoder).flatMap { $0.storesFirestoreTypes ? $0 : nil }
        switch self {
        case .timestamp(let value): try value.encode(to: encoder)
        case .reference(let value): try value.encode(to: encoder)
        case .geoPoint(let value): try value.encode(to: encoder)
        case .vector(let value): try value.encode(to: encoder)
        // NaN and the infinities are stored as they are, and bytes as bytes, whatever the strategies say.
        case .double(let value) where stored != nil: try stored?.encode(exactly: .double(value))
        case .bytes(let value) where stored != nil: try stored?.encode(exactly: .bytes([UInt8](value)))
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .boolean(let value): try Self.encode(value, to: encoder)
        case .integer(let value): try Self.encode(value, to: encoder)
        case .double(let value): try Self.encode(value, to: encoder)
        case .string(let value): try Self.encode(value, to: encoder)
        case .bytes(let value): try Self.encode(value, to: encoder)
        case .array(let value): try Self.encode(value, to: encoder)
        case .map(let value): try Self.encode(value, to: encoder)
        }
    }

    private static func encode(_ value: some Encodable, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension FirestoreFields: Codable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Reads a stored map, or a whole document, unchanged; in other decoders the values that they hold.
    public init(from decoder: any Decoder) throws {
        if decoder is ValueDecoder, case .map(let fields) = try FirestoreValue(from: decoder) {
            self = fields
            return
        }
        let container = try decoder.container(keyedBy: Name.self)
        self.init(try container.allKeys.map { ($0.stringValue, try container.decode(FirestoreValue.self, forKey: $0)) })
    }

    /// Stores the map; key strategies do not change the names.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in self { try container.encode(value, forKey: Name(stringValue: name)) }
    }
}

/// Its names are field names already.
extension FirestoreFields: StringKeyedDictionary {}

// MARK: Stored values

extension FirestoreValue {
    /// A stored value; `reference` makes the object for a resource name.
    package init(_ value: FirestoreCore.Value, reference: (String) throws -> DocumentReference) rethrows {
        switch value {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .timestamp(let value): self = .timestamp(Timestamp(seconds: value.seconds, nanoseconds: value.nanoseconds))
        case .string(let value): self = .string(value)
        case .bytes(let value): self = .bytes(Data(value))
        case .reference(let name): self = .reference(try reference(name))
        case .geoPoint(let value): self = .geoPoint(GeoPoint(latitude: value.latitude, longitude: value.longitude))
        case .array(let elements): self = .array(try elements.map { try FirestoreValue($0, reference: reference) })
        case .map(let map):
            if let components = map.vectorComponents {
                self = .vector(VectorValue(components))
            } else {
                self = .map(try FirestoreFields(map, reference: reference))
            }
        }
    }

    /// Returns the value to store. Throws `invalidArgument` for a reference whose path does not name a document.
    package func stored() throws(FirestoreError) -> FirestoreCore.Value {
        switch self {
        case .null: return .null
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .double(let value): return .double(value)
        case .timestamp(let value): return .timestamp(TimestampValue(seconds: value.seconds, nanoseconds: value.nanoseconds))
        case .string(let value): return .string(value)
        case .bytes(let value): return .bytes([UInt8](value))
        case .reference(let value): return .reference(value.firestore.databaseID.name(of: try value.location.get()))
        case .geoPoint(let value): return .geoPoint(GeoPointValue(latitude: value.latitude, longitude: value.longitude))
        case .vector(let value): return .vector(value.array)
        case .array(let elements):
            var result: [FirestoreCore.Value] = []
            for element in elements { result.append(try element.stored()) }
            return .array(result)
        case .map(let fields): return .map(try fields.stored())
        }
    }
}

extension FirestoreFields {
    /// A stored map; `reference` makes the object for a resource name.
    package init(_ map: FieldMap, reference: (String) throws -> DocumentReference) rethrows {
        self.init()
        for (name, value) in map.entries { append(name, try FirestoreValue(value, reference: reference)) }
    }

    /// Returns the fields to store. Throws `invalidArgument` for a reference whose path does not name a document.
    package func stored() throws(FirestoreError) -> FieldMap {
        var result: [(String, FirestoreCore.Value)] = []
        for (name, value) in self { result.append((name, try value.stored())) }
        return FieldMap(result)
    }
}

extension FieldMap {
    /// The components, if this is a vector (VAL-20).
    fileprivate var vectorComponents: [Double]? {
        guard entries.count == 2, case .string("__vector__")? = self["__type__"], case .array(let elements)? = self["value"] else {
            return nil
        }
        var components: [Double] = []
        for element in elements {
            guard case .double(let component) = element else { return nil }
            components.append(component)
        }
        return components
    }
}
