// SPDX-License-Identifier: Apache-2.0
public import FirestoreCoding
import FirestoreCore

/// A type that can hold the id of a document: `String`, `DocumentReference`, or a custom type.
public protocol DocumentIDWrappable {
    /// Makes the value from the document's reference. An error thrown here is thrown by decoding.
    static func wrap(_ documentReference: DocumentReference) throws -> Self
}

extension String: DocumentIDWrappable {
    /// The last segment of the document's path.
    public static func wrap(_ documentReference: DocumentReference) throws -> String { documentReference.documentID }
}

extension DocumentReference: DocumentIDWrappable {
    /// The reference itself.
    public static func wrap(_ documentReference: DocumentReference) throws -> Self {
        guard let same = documentReference as? Self else {
            throw FirestoreDecodingError.decodingIsNotSupported("A document reference is a DocumentReference.")
        }
        return same
    }
}

/// A property that holds the id of the document it was read from.
///
/// ```swift
/// struct Book: Codable {
///     @DocumentID var id: String?
///     var title: String
/// }
/// ```
/// The property is filled when a document is decoded, even if the document has a field of that name, and it is never
/// stored. It is filled as well when the type's `CodingKeys` leave it out: a nil that is created while a document is
/// decoded becomes that document's id. Give it no other default value then, which would hide the id; the log says so, once for each type.
/// Other coders (`JSONEncoder`, `JSONDecoder`) encode and decode the value itself.
@propertyWrapper
public struct DocumentID<Value: DocumentIDWrappable & Codable> {
    /// The id; nil for a value that was never in the database.
    public var wrappedValue: Value?

    /// Creates the property with a value of your choice, which is held in memory and never stored.
    @inlinable
    public init(wrappedValue value: Value?) {
        // Inlined, since every decoded document needs it: only the app knows the type of its ids.
        if let value {
            wrappedValue = value
            DecodedDocument.noteDefault()
        } else if let reference = DecodedDocument.reference {
            wrappedValue = try? Value.wrap(reference)
        } else {
            wrappedValue = nil
        }
    }
}

extension DocumentID: Codable, StructureCodingUncodedUnkeyed {
    /// Reads the id of the document that is being decoded, or nil for a row of a pipeline without a document; in other decoders the value
    /// itself.
    ///
    /// Throws `FirestoreDecodingError` if there is no document, as in `Firestore.Decoder().decode(_:from:)`.
    @_specialize(where Value == String)
    public init(from decoder: any Decoder) throws {
        // The locals of a generic function take longer than what it does here; this one has none.
        try self.init(reading: decoder)
    }

    @inline(never)
    private init(reading decoder: any Decoder) throws {
        guard let document = decoder as? ValueDecoder else {
            let container = try decoder.singleValueContainer()
            wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
            return
        }
        guard let reference = document.documentReference as? DocumentReference else {
            if ReferenceObjects.isOfRow(document) {
                wrappedValue = nil
                return
            }
            throw FirestoreDecodingError.decodingIsNotSupported(
                "A @DocumentID needs a document: decode a snapshot, or use decode(_:from:in:) with its reference.")
        }
        wrappedValue = try Value.wrap(reference)
    }

    /// The value itself, for other encoders. `Firestore.Encoder` leaves the property out.
    public func encode(to encoder: any Encoder) throws {
        if encoder is ValueEncoder {
            throw FirestoreEncodingError.encodingIsNotSupported(
                "A DocumentID is a property of a document, not an element of an array or the value of a dictionary.")
        }
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension DocumentID: Equatable where Value: Equatable {}
extension DocumentID: Hashable where Value: Hashable {}
extension DocumentID: Sendable where Value: Sendable {}

extension KeyedDecodingContainer {
    /// Makes a missing id nil in other decoders.
    ///
    /// Beyond the Apple SDK.
    @inlinable
    public func decode<Value>(_ type: DocumentID<Value>.Type, forKey key: Key) throws -> DocumentID<Value> {
        try decodeOrNil(type, forKey: key) { DocumentID(wrappedValue: nil) }
    }

    /// Makes a missing field nil in other decoders.
    ///
    /// Beyond the Apple SDK.
    @inlinable
    public func decode<Value>(_ type: ServerTimestamp<Value>.Type, forKey key: Key) throws -> ServerTimestamp<Value> {
        try decodeOrNil(type, forKey: key) { ServerTimestamp(wrappedValue: nil) }
    }

    /// Makes a missing field nil in other decoders.
    ///
    /// Beyond the Apple SDK.
    @inlinable
    public func decode<Value: Decodable>(
        _ type: ExplicitNull<Value>.Type, forKey key: Key
    ) throws -> ExplicitNull<Value> {
        try decodeOrNil(type, forKey: key) { ExplicitNull(wrappedValue: nil) }
    }

    /// Called with a generic type, so that the container's own method is selected.
    @inlinable
    func decodeOrNil<Wrapper: Decodable>(
        _ type: Wrapper.Type, forKey key: Key, _ nothing: () -> Wrapper
    ) throws -> Wrapper {
        do {
            return try decode(type, forKey: key)
        } catch DecodingError.keyNotFound(let missing, _) where missing.stringValue == key.stringValue && !contains(key) {
            return nothing()
        }
    }
}
