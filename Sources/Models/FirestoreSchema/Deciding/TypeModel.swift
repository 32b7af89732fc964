// SPDX-License-Identifier: Apache-2.0

/// The type of a property, an element or a value.
indirect enum FieldType {
    case boolean, integer, double, string, url, date, timestamp, data, geoPoint, reference, vector
    /// Any stored value.
    case value
    case array(FieldType)
    case dictionary(FieldType)
    case optional(FieldType)
    case declared(DeclaredType)

    /// The declared type in it, if there is one.
    var declaration: DeclaredType? {
        switch self {
        case .declared(let type): type
        case .array(let inner), .dictionary(let inner), .optional(let inner): inner.declaration
        default: nil
        }
    }

    /// Whether it is `Hashable` in any case: what is neither declared here nor a collection, perhaps optional.
    var isPlain: Bool {
        switch self {
        case .boolean, .integer, .double, .string, .url, .date, .timestamp, .data: true
        case .optional(let inner): inner.isPlain
        default: false
        }
    }

    var usesStoredValue: Bool {
        switch self {
        case .value: true
        case .array(let inner), .dictionary(let inner), .optional(let inner): inner.usesStoredValue
        case .declared(let type): type.usesStoredValue
        default: false
        }
    }

    var usesFoundation: Bool {
        switch self {
        case .url, .date, .data: true
        case .array(let inner), .dictionary(let inner), .optional(let inner): inner.usesFoundation
        case .declared(let type): type.usesFoundation
        default: false
        }
    }
}

/// A type that generated code declares. A reference, because several properties may have it.
final class DeclaredType {
    enum Body {
        case structure(Structure)
        /// One case per stored type.
        case choice([ChoiceCase])
        /// A few strings.
        case words([WordCase], isOpen: Bool)
        /// Documents whose fields have data for names.
        case wholeDictionary(FieldType)
    }

    var name: String
    var body: Body
    var notes: [String] = []
    /// In the order of their names.
    var nested: [DeclaredType] = []

    init(name: String, body: Body) {
        self.name = name
        self.body = body
    }

    private var types: [FieldType] {
        switch body {
        case .structure(let structure): structure.properties.map(\.type)
        case .choice(let cases): cases.map(\.type)
        case .words: []
        case .wholeDictionary(let type): [type]
        }
    }

    var usesStoredValue: Bool { types.contains(where: \.usesStoredValue) }
    var usesFoundation: Bool { types.contains(where: \.usesFoundation) }
}

struct Structure {
    /// The property for the document's id; nil in nested structures.
    var id: String?
    var idNotes: [String] = []
    var properties: [Property] = []

    /// Whether a property is named differently from its field.
    var isRenamed: Bool { properties.contains { !equalBytes($0.name, $0.stored) } }
}

private func equalBytes(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

struct Property {
    enum Wrapper: String {
        case none = ""
        case explicitNull = "@ExplicitNull"
        case serverTimestamp = "@ServerTimestamp"
    }

    var stored: String
    var name: String
    var type: FieldType
    var wrapper = Wrapper.none
    var notes: [String] = []
}

struct ChoiceCase {
    var stored: StoredType
    var name: String
    var type: FieldType
}

struct WordCase {
    var name: String
    var text: String
}
