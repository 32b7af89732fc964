// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The writes that turn a document that was encoded as one value into another, as far as the type knows it (MP-71).
///
/// Values that are encoded alike are not written: fields that the type does not know, digits that decoding rounded, and unchanged
/// values stay as they are stored.
package struct EncodedDifference: Sendable {
    package let fields: FieldBytes
    /// The paths to set or delete.
    package let mask: [FieldPathSegments]
    /// The field values of `new`: a `@ServerTimestamp` that is nil, an increment (MP-73).
    package let transforms: [FieldTransform]

    package init(from old: WriteContent, to new: WriteContent) {
        if new.transforms.isEmpty, new.deletions.isEmpty {
            let difference = FieldDifference(from: old.fields, to: new.fields)
            (fields, mask, transforms) = (difference.fields, difference.mask, [])
            return
        }
        let difference = FieldDifference(from: old.fields, to: new.fields, keeping: new.transforms.map(\.path) + new.deletions)
        fields = difference.fields
        // A deletion inside a map that is written as a whole has happened with it.
        let deletions = new.deletions.filter { path in !difference.mask.contains { $0.isPrefix(of: path) } }
        mask = difference.mask + deletions
        transforms = new.transforms
    }

    /// Of documents that are not encoded: what turns one into the other.
    package init(_ difference: FieldDifference, transforms: [FieldTransform] = []) {
        fields = difference.fields
        mask = difference.mask
        self.transforms = transforms
    }

    package var isEmpty: Bool { mask.isEmpty && transforms.isEmpty }

    /// The fields after the change, without the transforms.
    func applied(to stored: FieldBytes) throws(FirestoreError) -> FieldBytes {
        var map = try stored.map
        let view = fields.view
        defer { withExtendedLifetime(fields) {} }
        for path in mask { map[path] = try view[path].map { (value) throws(FirestoreError) in try Value(value) } }
        return FieldBytes(map)
    }

    func write(_ key: DocumentKey, on precondition: FirestoreCore.Precondition) -> Write {
        Write(key: key, operation: .patch(fields, mask: mask), precondition: precondition, transforms: transforms)
    }
}

/// The effect of an update that changes nothing.
///
/// Beyond the Apple SDK.
public enum UnchangedUpdate: Sendable, Hashable {
    /// Nothing is sent, so the document keeps its update time and listeners are not notified. The default.
    case skipped
    /// The condition is checked all the same: the call fails if the document does not exist, or has changed meanwhile.
    case checked
}
