// SPDX-License-Identifier: Apache-2.0
/// What can be done with a field: one of ``Required``, ``Maybe``, ``Nullable``, ``Stamped`` and ``Identity``.
///
/// Beyond the Apple SDK.
public protocol ModelFieldKind: Sendable {
    /// The kind of the same field inside an optional struct.
    associatedtype ThroughOptional: ModelFieldKind
}

/// The kind of a field that is stored in the document: every kind but ``Identity``.
///
/// Beyond the Apple SDK.
public protocol StoredFieldKind: ModelFieldKind {}

/// The kind of a field that a document may lack, so that it can be deleted.
///
/// Beyond the Apple SDK.
public protocol DeletableFieldKind: StoredFieldKind {}

/// The kind of a property that is not optional: every document has the field.
public enum Required: StoredFieldKind {
    /// A document without the struct lacks the field.
    public typealias ThroughOptional = Maybe
}

/// The kind of an optional property: nil is a missing field, which no query finds.
public enum Maybe: DeletableFieldKind {
    /// The same.
    public typealias ThroughOptional = Maybe
}

/// The kind of an `@ExplicitNull` property: nil is stored as null, which queries find.
public enum Nullable: DeletableFieldKind {
    /// The same.
    public typealias ThroughOptional = Nullable
}

/// The kind of a `@ServerTimestamp` property: the database sets it to the time of the commit.
public enum Stamped: DeletableFieldKind {
    /// The same.
    public typealias ThroughOptional = Stamped
}

/// The kind of a `@DocumentID` property: not a field, but the name of the document.
public enum Identity: ModelFieldKind {
    /// The same.
    public typealias ThroughOptional = Identity
}
