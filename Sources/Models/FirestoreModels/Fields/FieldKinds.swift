// SPDX-License-Identifier: Apache-2.0
/// The operations that a field supports: one of the types in ``FieldKind``.
///
/// Beyond the Apple SDK.
public protocol ModelFieldKind: Sendable {
    /// The kind of the same field inside an optional struct.
    associatedtype ThroughOptional: ModelFieldKind
}

/// The kind of a field that is stored in the document: every kind but ``FieldKind/DocumentID``.
///
/// Beyond the Apple SDK.
public protocol StoredFieldKind: ModelFieldKind {}

/// The kind of a field that a document may lack, so that it can be deleted.
///
/// Beyond the Apple SDK.
public protocol DeletableFieldKind: StoredFieldKind {}

/// The kinds of fields, named by what the property says: `ModelField<City, Int, FieldKind.Required>`.
///
/// Beyond the Apple SDK.
public enum FieldKind {
    /// The kind of a property that is not optional: every document has the field.
    public enum Required: StoredFieldKind {
        /// A document without the struct lacks the field.
        public typealias ThroughOptional = FieldKind.Optional
    }

    /// The kind of an optional property: nil is a missing field, which no query finds.
    public enum Optional: DeletableFieldKind {
        /// The kind that the field has through an optional struct: this kind.
        public typealias ThroughOptional = FieldKind.Optional
    }

    /// The kind of an `@ExplicitNull` property: nil is stored as null, which queries find.
    public enum ExplicitNull: DeletableFieldKind {
        /// The kind that the field has through an optional struct: this kind.
        public typealias ThroughOptional = FieldKind.ExplicitNull
    }

    /// The kind of a `@ServerTimestamp` property: the database sets it to the time of the commit.
    public enum ServerTimestamp: DeletableFieldKind {
        /// The kind that the field has through an optional struct: this kind.
        public typealias ThroughOptional = FieldKind.ServerTimestamp
    }

    /// The kind of a `@DocumentID` property: not a field, but the name of the document.
    public enum DocumentID: ModelFieldKind {
        /// The kind that the field has through an optional struct: this kind.
        public typealias ThroughOptional = FieldKind.DocumentID
    }
}
