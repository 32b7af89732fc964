package import FirestoreCore

/// What encoding a value came to: the fields as canonical bytes, and beside them what no bytes can say.
package struct EncodedDocument {
    /// The fields without sentinels. A map that held only sentinels is left behind empty.
    package let fields: FieldBytes
    /// In the order of encoding.
    package let sentinels: [PlacedSentinel]

    /// Changes that the commit works out: server timestamps, increments, array unions, …
    package var transforms: [FieldTransform] {
        sentinels.compactMap { placed in
            guard case .transform(let kind) = placed.sentinel.operation else { return nil }
            return FieldTransform(path: placed.path, kind: kind)
        }
    }

    /// Fields to delete; legal only with a merge.
    package var deletes: [FieldPathSegments] {
        sentinels.compactMap { placed in
            guard case .delete = placed.sentinel.operation else { return nil }
            return placed.path
        }
    }
}

/// A value that stands for a change instead of being one: a server timestamp, an increment, a deletion.
package struct Sentinel {
    package enum Operation: Sendable {
        case transform(FieldTransform.Kind)
        case delete
    }

    package let operation: Operation
    /// The object it came from, for `Firestore.Encoder.encode`, whose dictionary holds that very object (R31).
    package let object: AnyObject?

    package init(_ operation: Operation, object: AnyObject? = nil) {
        self.operation = operation
        self.object = object
    }
}

/// A sentinel and the field it stands in.
package struct PlacedSentinel {
    package let path: FieldPathSegments
    package let sentinel: Sentinel
}
