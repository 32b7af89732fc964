// SPDX-License-Identifier: Apache-2.0
public import FirebaseCore
import Foundation

/// Any value that Firestore can store, exactly as it is stored.
///
/// Use it for a property whose type varies from document to document, or is not known:
///
/// ```swift
/// struct Setting: Codable {
///     var name: String
///     var value: FirestoreValue
/// }
/// ```
///
/// Decoding a document and encoding it again gives the same bytes, NaN, null and the difference between `3` and `3.0`
/// included. The strategies of decoders and encoders do not apply to it. Other coders, such as `JSONDecoder`, read and write
/// the kinds that they can express. Two values are equal if they are stored alike: `3` is not `3.0`, `0.0` is not `-0.0`, strings are
/// compared by their UTF-8 bytes, and NaN is equal to NaN.
public enum FirestoreValue: Sendable {
    /// No value: the field is there, and holds nothing.
    case null
    /// A truth value.
    case boolean(Bool)
    /// An integer of 64 bits.
    case integer(Int64)
    /// A floating-point number of 64 bits.
    case double(Double)
    /// A moment, to the microsecond.
    case timestamp(Timestamp)
    /// A text.
    case string(String)
    /// Bytes.
    case bytes(Data)
    /// A document of the same database.
    case reference(DocumentReference)
    /// A place on the globe.
    case geoPoint(GeoPoint)
    /// A vector of numbers.
    case vector(VectorValue)
    /// A list, which contains no lists itself.
    case array([FirestoreValue])
    /// A map of names and values.
    case map(FirestoreFields)
}

extension FirestoreValue: Hashable {
    /// Whether both are stored alike.
    public static func == (left: FirestoreValue, right: FirestoreValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left.storedBits == right.storedBits
        case (.timestamp(let left), .timestamp(let right)): left == right
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.bytes(let left), .bytes(let right)): left == right
        case (.reference(let left), .reference(let right)): left == right
        case (.geoPoint(let left), .geoPoint(let right)): left == right
        case (.vector(let left), .vector(let right)):
            left.array.lazy.map(\.storedBits).elementsEqual(right.array.lazy.map(\.storedBits))
        case (.array(let left), .array(let right)): left == right
        case (.map(let left), .map(let right)): left == right
        default: false
        }
    }

    /// Combines the type and the stored value.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .boolean(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.storedBits)
        case .timestamp(let value): hasher.combine(value)
        case .string(let value): hasher.combine(bytesOf: value)
        case .bytes(let value): hasher.combine(value)
        case .reference(let value): hasher.combine(bytesOf: value.path)
        case .geoPoint(let value): hasher.combine(value)
        case .vector(let value): for component in value.array { hasher.combine(component.storedBits) }
        case .array(let value): hasher.combine(value)
        case .map(let value): hasher.combine(value)
        }
    }
}

extension Double {
    /// All NaNs are one value in Firestore; every other value is its bits.
    fileprivate var storedBits: UInt64 { isNaN ? Double.nan.bitPattern : bitPattern }
}

extension Hasher {
    /// Texts that differ in their bytes are different values.
    fileprivate mutating func combine(bytesOf text: String) {
        for byte in text.utf8 { combine(byte) }
        combine(UInt8.max)
    }
}

/// The fields of a map or of a whole document, exactly as they are stored, sorted by name.
///
/// A dictionary could not hold them all: Firestore distinguishes names by their bytes, Swift's dictionaries by their characters.
public struct FirestoreFields: Sendable {
    fileprivate var entries: [Entry] = []

    fileprivate struct Entry: Hashable, Sendable {
        var name: String
        var value: FirestoreValue

        static func == (left: Entry, right: Entry) -> Bool {
            left.name.utf8.elementsEqual(right.name.utf8) && left.value == right.value
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(bytesOf: name)
            hasher.combine(value)
        }
    }

    /// Creates a map without fields.
    public init() {}

    /// Creates a map. Of several fields with the same name, the last one is used.
    public init(_ fields: some Sequence<(String, FirestoreValue)>) {
        for (name, value) in fields { self[name] = value }
    }

    /// The names, sorted by their bytes.
    public var names: [String] { entries.map(\.name) }

    /// The value of a field, nil if there is none. Setting nil removes the field.
    ///
    /// The name is taken as it is: a dot in it does not lead into a map. Takes logarithmic time to read.
    public subscript(name: String) -> FirestoreValue? {
        get {
            let index = index(of: name)
            return has(name, at: index) ? entries[index].value : nil
        }
        set {
            let index = index(of: name)
            switch (has(name, at: index), newValue) {
            case (true, let value?): entries[index].value = value
            case (true, nil): entries.remove(at: index)
            case (false, let value?): entries.insert(Entry(name: name, value: value), at: index)
            case (false, nil): break
            }
        }
    }

    private func has(_ name: String, at index: Int) -> Bool {
        index < entries.count && entries[index].name.utf8.elementsEqual(name.utf8)
    }

    /// Where the name is, or where it would be inserted.
    private func index(of name: String) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].name.utf8.lexicographicallyPrecedes(name.utf8) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Appends a field whose name follows all others, as the fields of stored maps do.
    mutating func append(_ name: String, _ value: FirestoreValue) {
        if let last = entries.last, !last.name.utf8.lexicographicallyPrecedes(name.utf8) {
            self[name] = value
        } else {
            entries.append(Entry(name: name, value: value))
        }
    }
}

extension FirestoreFields: Hashable {}

extension FirestoreFields: RandomAccessCollection {
    /// A field's name and value.
    public typealias Element = (name: String, value: FirestoreValue)

    /// The position of the first field.
    public var startIndex: Int { 0 }
    /// The position after the last field.
    public var endIndex: Int { entries.count }

    /// The field at a position.
    public subscript(position: Int) -> Element { (entries[position].name, entries[position].value) }
}

// MARK: Literals

/// Null has no literal: `nil` removes a field, `.null` stores null.
extension FirestoreValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// ``boolean(_:)``.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// ``integer(_:)``.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// ``double(_:)``.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// ``string(_:)``.
    public init(stringLiteral value: String) { self = .string(value) }
    /// ``array(_:)``.
    public init(arrayLiteral elements: FirestoreValue...) { self = .array(elements) }
    /// ``map(_:)``. Of several fields with the same name, the last one is used.
    public init(dictionaryLiteral fields: (String, FirestoreValue)...) { self = .map(FirestoreFields(fields)) }
}

extension FirestoreFields: ExpressibleByDictionaryLiteral {
    /// Creates a map. Of several fields with the same name, the last one is used.
    public init(dictionaryLiteral fields: (String, FirestoreValue)...) { self.init(fields) }
}

// MARK: Readable

extension FirestoreValue: CustomStringConvertible {
    /// The value, readable: strings in quotation marks, maps in braces.
    public var description: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .timestamp(let value): "\(value)"
        case .string(let value): "\"\(value)\""
        case .bytes(let value): "<\(value.count) bytes>"
        case .reference(let value): "<reference to \(value.path)>"
        case .geoPoint(let value): "\(value)"
        case .vector(let value): "\(value)"
        case .array(let value): "[" + value.map(\.description).joined(separator: ", ") + "]"
        case .map(let value): value.description
        }
    }
}

extension FirestoreFields: CustomStringConvertible {
    /// The fields, readable, in braces.
    public var description: String {
        "{" + entries.map { "\($0.name): \($0.value)" }.joined(separator: ", ") + "}"
    }
}
