// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The encoded content of a document: the bytes, and the sentinels found while encoding.
package struct WriteContent: Sendable {
    package var fields: FieldBytes
    package var transforms: [FieldTransform]
    /// The fields whose value is `FieldValue.delete()`.
    package var deletions: [FieldPathSegments]

    package init(fields: FieldBytes, transforms: [FieldTransform] = [], deletions: [FieldPathSegments] = []) {
        self.fields = fields
        self.transforms = transforms
        self.deletions = deletions
    }

    init(fields: FieldMap, transforms: [FieldTransform], deletions: [FieldPathSegments]) {
        self.init(fields: FieldBytes(fields), transforms: transforms, deletions: deletions)
    }

    /// Creates or overwrites the document (WR-40), or merges the fields into it.
    func set(_ key: DocumentKey, merge: Bool = false) throws(FirestoreError) -> Write {
        if merge { return self.merge(key) }
        if let deletion = deletions.first {
            throw .invalidArgument(
                "FieldValue.delete() needs updateData, or setData with merge or mergeFields",
                at: "\(key.path), field \(deletion.canonical)")
        }
        return Write(key: key, operation: .set(fields), transforms: transforms)
    }

    /// Writes the given leaf fields and leaves the others unchanged (WR-41).
    func merge(_ key: DocumentKey) -> Write {
        Write(key: key, operation: .patch(fields, mask: leaves + deletions), transforms: transforms)
    }

    /// Writes only the listed fields, each as a whole (WR-42).
    func merge(_ key: DocumentKey, fields listed: [FieldPathSegments]) throws(FirestoreError) -> Write {
        let fieldsView = fields.view
        defer { withExtendedLifetime(fields) {} }
        for path in listed {
            let isPresent =
                fieldsView[path] != nil || deletions.contains { path.isPrefix(of: $0) }
                || transforms.contains { path.isPrefix(of: $0.path) }
            guard isPresent else {
                throw .invalidArgument(
                    "a field listed in mergeFields is missing in the data", at: "\(key.path), field \(path.canonical)")
            }
        }
        let kept = transforms.filter { transform in listed.contains { $0.isPrefix(of: transform.path) } }
        // A transform works on the stored value, which naming its field in the mask would remove first.
        let mask = listed.filter { path in !kept.contains { $0.path == path } }
        return Write(key: key, operation: .patch(fields, mask: mask), transforms: kept)
    }

    /// Changes the given fields of an existing document (R103).
    func update(_ key: DocumentKey) -> Write {
        Write(
            key: key, operation: .patch(fields, mask: leaves + deletions), precondition: .exists(true),
            transforms: transforms)
    }

    /// The paths of all leaves, without empty maps that contained only sentinels.
    private var leaves: [FieldPathSegments] {
        if transforms.isEmpty, deletions.isEmpty { return fields.leafPaths }
        let view = fields.view
        defer { withExtendedLifetime(fields) {} }
        return fields.leafPaths.filter { !(view[$0]?.fields?.isEmpty == true && holdsSentinel($0)) }
    }

    private func holdsSentinel(_ path: FieldPathSegments) -> Bool {
        deletions.contains { path.isPrefix(of: $0) } || transforms.contains { path.isPrefix(of: $0.path) }
    }
}

/// The content of an update: each value replaces the one at its path (WR-43).
package struct UpdateContent {
    /// Every path of the update, whatever its value.
    package var keys: [FieldPathSegments] = []
    package var values: [(path: FieldPathSegments, value: Value)] = []
    package var deletions: [FieldPathSegments] = []
    package var transforms: [FieldTransform] = []

    package init() {}

    func update(_ key: DocumentKey) throws(FirestoreError) -> Write {
        var fields = FieldMap()
        for (path, value) in values { fields[path] = value }
        let sorted = keys.sorted()
        for (path, next) in zip(sorted, sorted.dropFirst()) where path.isPrefix(of: next) {
            throw .invalidArgument(
                "an update cannot name a field and a field inside it: \(path.canonical) and \(next.canonical)",
                at: key.path)
        }
        let mask = values.map(\.path) + deletions
        return Write(
            key: key, operation: .patch(FieldBytes(fields), mask: mask), precondition: .exists(true),
            transforms: transforms)
    }
}
