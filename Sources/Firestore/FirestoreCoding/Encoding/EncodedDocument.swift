// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The result of encoding a value: the fields as canonical bytes, and the parts that have no form as bytes.
package struct EncodedDocument {
    /// The fields without sentinels. A map that contained only sentinels remains, empty.
    package let fields: FieldBytes
    /// In the order of encoding.
    package let sentinels: [PlacedSentinel]

    package init(fields: FieldBytes, sentinels: [PlacedSentinel]) {
        self.fields = fields
        self.sentinels = sentinels
    }

    /// Changes that are computed at the commit: server timestamps, increments, array unions and so on.
    package var transforms: [FieldTransform] {
        sentinels.compactMap { placed in
            guard case .transform(let kind) = placed.sentinel.operation else { return nil }
            return FieldTransform(path: placed.path, kind: kind)
        }
    }

    /// The fields to delete; allowed only with a merge.
    package var deletes: [FieldPathSegments] {
        sentinels.compactMap { placed in
            guard case .delete = placed.sentinel.operation else { return nil }
            return placed.path
        }
    }
}

/// A value that represents a change: a server timestamp, an increment, a deletion.
package struct Sentinel {
    package enum Operation: Sendable {
        case transform(FieldTransform.Kind)
        case delete
    }

    package let operation: Operation
    /// The object it came from, for `Firestore.Encoder.encode`, whose dictionary contains that object (R31).
    package let object: AnyObject?

    package init(_ operation: Operation, object: AnyObject? = nil) {
        self.operation = operation
        self.object = object
    }
}

/// A sentinel and its field.
package struct PlacedSentinel {
    package let path: FieldPathSegments
    package let sentinel: Sentinel
}
