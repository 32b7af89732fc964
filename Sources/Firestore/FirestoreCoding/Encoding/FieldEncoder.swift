// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// One step of the path to a field, as Swift names it.
package struct FieldKey: Sendable {
    package let key: any CodingKey
    /// Whether it is the key of a dictionary, which key strategies leave as it is (R67).
    package let isDictionaryKey: Bool

    package init(_ key: any CodingKey) {
        self.key = key
        isDictionaryKey = false
    }

    package init(dictionaryKey: String) {
        key = NameKey(dictionaryKey)
        isDictionaryKey = true
    }
}

/// Encodes one value at its place in a document: with the names, the strategies and the error paths that it has there.
package enum FieldEncoder {
    /// The names of a field in a document.
    package static func names(of path: [FieldKey], options: EncodingOptions) -> [String] {
        var codingPath: [any CodingKey] = []
        return path.map { step in
            defer { codingPath.append(step.key) }
            if step.isDictionaryKey { return step.key.stringValue }
            switch options.keys {
            case .useDefaultKeys: return step.key.stringValue
            case .convertToSnakeCase: return SnakeCase.fromCamelCase(step.key.stringValue)
            case .custom(let convert): return convert(codingPath + [step.key]).stringValue
            }
        }
    }

    /// A document that contains nothing but the value.
    ///
    /// - Throws: `EncodingError`, with the path of the field, or whatever the value's own `encode(to:)` throws.
    package static func encode<T: Encodable>(
        _ value: T, at path: [FieldKey], options: EncodingOptions = EncodingOptions()
    ) throws -> EncodedDocument {
        if path.first?.isDictionaryKey == true {
            return try DocumentEncoder.encode(DictionaryLevel(level: Level(value: value, path: path[...])), options: options)
        }
        return try DocumentEncoder.encode(Level(value: value, path: path[...]), options: options)
    }

    /// The maps around the value.
    private struct Level<Value: Encodable>: Encodable {
        let value: Value
        let path: ArraySlice<FieldKey>

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: NameKey.self)
            guard let step = path.first else { return }
            let key = NameKey(step.key.stringValue)
            let inner = path.dropFirst()
            guard let next = inner.first else { return try container.encode(value, forKey: key) }
            let level = Level(value: value, path: inner)
            if next.isDictionaryKey {
                try container.encode(DictionaryLevel(level: level), forKey: key)
            } else {
                try container.encode(level, forKey: key)
            }
        }
    }

    /// A map whose keys are those of a dictionary.
    private struct DictionaryLevel<Value: Encodable>: Encodable, StringKeyedDictionary {
        let level: Level<Value>

        func encode(to encoder: any Encoder) throws { try level.encode(to: encoder) }
    }
}
