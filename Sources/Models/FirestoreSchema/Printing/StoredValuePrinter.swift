// SPDX-License-Identifier: Apache-2.0

/// Prints the types for places whose type the data does not show, with nothing but the Apple SDK.
enum StoredValuePrinter {
    static func text(access: String, conformances: String) -> String {
        """
        // Any stored value.
        \(access)enum StoredValue: \(conformances) {
            case null
            case bool(Bool)
            case int(Int)
            case double(Double)
            case string(String)
            case timestamp(Timestamp)
            case geoPoint(GeoPoint)
            case reference(DocumentReference)
            case vector(VectorValue)
            case data(Data)
            case array([StoredValue])
            case map([String: StoredValue])

            \(access)init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if container.decodeNil() {
                    self = .null
                } else if let value = try? container.decode(Bool.self) {
                    self = .bool(value)
                } else if let value = try? container.decode(Int.self) {
                    self = .int(value)
                } else if let value = try? container.decode(Double.self) {
                    self = .double(value)
                } else if let value = try? container.decode(String.self) {
                    self = .string(value)
                } else if let map = try? decoder.container(keyedBy: StoredName.self), !map.allKeys.contains(where: \\.isTypeName) {
                    self = .map(try container.decode([String: StoredValue].self))
                } else if let value = try? container.decode(Timestamp.self) {
                    self = .timestamp(value)
                } else if let value = try? container.decode(GeoPoint.self) {
                    self = .geoPoint(value)
                } else if let value = try? container.decode(DocumentReference.self) {
                    self = .reference(value)
                } else if let value = try? container.decode(VectorValue.self) {
                    self = .vector(value)
                } else if let value = try? container.decode(Data.self) {
                    self = .data(value)
                } else {
                    self = .array(try container.decode([StoredValue].self))
                }
            }

            \(access)func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                switch self {
                case .null: try container.encodeNil()
                case .bool(let value): try container.encode(value)
                case .int(let value): try container.encode(value)
                case .double(let value): try container.encode(value)
                case .string(let value): try container.encode(value)
                case .timestamp(let value): try container.encode(value)
                case .geoPoint(let value): try container.encode(value)
                case .reference(let value): try container.encode(value)
                case .vector(let value): try container.encode(value)
                case .data(let value): try container.encode(value)
                case .array(let value): try container.encode(value)
                case .map(let value): try container.encode(value)
                }
            }
        }
        """
    }

    /// A name of a field that may be any.
    static func nameText(access: String) -> String {
        """
        private struct StoredName: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            // Vectors are stored as maps with this reserved name.
            var isTypeName: Bool { stringValue == "__type__" }

            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        """
    }
}
