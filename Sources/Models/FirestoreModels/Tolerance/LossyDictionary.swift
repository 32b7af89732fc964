// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCoding

/// A dictionary that leaves out the entries that do not decode.
///
/// Omitted entries are stored in `failures` and written back under their keys, unless the dictionary has an entry with that key by then.
/// A missing or null field is the empty dictionary; a field that is not a map is an error. Equality ignores the failures.
///
/// Beyond the Apple SDK.
@propertyWrapper
public struct LossyDictionary<Value: Codable> {
    /// The entries that decode.
    public var wrappedValue: [String: Value]
    /// The entries that do not, by key.
    public private(set) var failures: [LossyFailure] = []

    /// The property with its failures.
    public var projectedValue: LossyDictionary { self }

    /// Creates the property.
    public init(wrappedValue: [String: Value]) { self.wrappedValue = wrappedValue }
}

/// Any key.
private struct EntryKey: CodingKey {
    let stringValue: String

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }

    var intValue: Int? { nil }
}

extension LossyDictionary: StringKeyedDictionary {}

extension LossyDictionary: Codable {
    /// Reads the entries that decode.
    public init(from decoder: any Decoder) throws {
        wrappedValue = [:]
        let stored = decoder as? ValueDecoder
        if try decoder.singleValueContainer().decodeNil() { return }
        let container = try decoder.container(keyedBy: EntryKey.self)
        for key in container.allKeys {
            do {
                wrappedValue[key.stringValue] = try container.decode(Value.self, forKey: key)
            } catch {
                let value = try stored.map { _ in try container.decode(FirestoreValue.self, forKey: key) }
                failures.append(LossyFailure(index: nil, key: key.stringValue, stored: value, error: error))
                stored?.tolerate(.entryLost)
            }
        }
    }

    /// Writes the entries, and to Firestore those that did not decode.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: EntryKey.self)
        for (key, value) in wrappedValue { try container.encode(value, forKey: EntryKey(key)) }
        guard encoder is ValueEncoder else { return }
        for failure in failures {
            guard let key = failure.key, let stored = failure.stored, wrappedValue[key] == nil else { continue }
            try container.encode(stored, forKey: EntryKey(key))
        }
    }
}

extension LossyDictionary: DecodableFromMissingField {
    package init(missingField: Void) { self.init(wrappedValue: [:]) }
}

extension LossyDictionary: Equatable where Value: Equatable {
    /// Whether the entries are equal.
    public static func == (left: LossyDictionary, right: LossyDictionary) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension LossyDictionary: Hashable where Value: Hashable {
    /// Combines the entries.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension LossyDictionary: Sendable where Value: Sendable {}
extension LossyDictionary: NamedType { package static var writtenName: String { TypeNames.name([String: Value].self) } }
