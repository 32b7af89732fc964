// SPDX-License-Identifier: Apache-2.0

/// One operation of a commit (`google.firestore.v1.Write`, WR-1).
package struct Write: Sendable {
    package enum Operation: Sendable {
        /// Replaces the whole document; creates it if missing (WR-4).
        case set(FieldBytes)
        /// Merges: sets the masked fields that are present, deletes the masked fields that are not (WR-5, WR-6). An empty mask is
        /// valid and still creates a missing document.
        case patch(FieldBytes, mask: [FieldPathSegments])
        case delete
        /// Changes nothing, checks the precondition (WR-12).
        case verify
    }

    package var key: DocumentKey
    package var operation: Operation
    package var precondition: Precondition?
    /// Applied after the operation, in order (WR-28). Only with `set` and `patch`.
    package var transforms: [FieldTransform]

    package init(
        key: DocumentKey, operation: Operation, precondition: Precondition? = nil, transforms: [FieldTransform] = []
    ) {
        self.key = key
        self.operation = operation
        self.precondition = precondition
        self.transforms = transforms
    }
}

/// The condition for a write to apply (WR-3, WR-11).
package enum Precondition: Sendable, Equatable {
    case exists(Bool)
    /// The document exists and was last changed at exactly this time.
    case updateTime(DocumentVersion)
}

/// A change whose result depends on the stored value or the commit (WR-28 … WR-39).
package struct FieldTransform: Sendable {
    package enum Kind: Sendable {
        /// The commit's request time, in milliseconds (WR-32).
        case serverTimestamp
        case increment(Value)
        case maximum(Value)
        case minimum(Value)
        case appendMissingElements([Value])
        case removeAllFromArray([Value])
    }

    package var path: FieldPathSegments
    package var kind: Kind

    package init(path: FieldPathSegments, kind: Kind) {
        self.path = path
        self.kind = kind
    }
}

/// The result of one write of a commit. `updateTime` is nil for deletes; a no-op reports the old time (WR-22).
package struct WriteResult: Sendable {
    package var updateTime: DocumentVersion?
    package var transformResults: [Value]

    package init(updateTime: DocumentVersion?, transformResults: [Value] = []) {
        self.updateTime = updateTime
        self.transformResults = transformResults
    }
}
