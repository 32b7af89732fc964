// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The change that a migration makes to each document.
package struct MigrationPlan: Sendable {
    /// The fields of a document after the migration, and the steps that changed something.
    package struct Result: Sendable {
        package var fields: FieldBytes
        package var steps: [Int]

        package init(fields: FieldBytes, steps: [Int]) {
            self.fields = fields
            self.steps = steps
        }
    }

    /// The names of the steps in reports.
    package var steps: [String]
    /// Identifies the plan in checkpoints: a run is resumed with the same one only.
    package var fingerprint: String
    /// nil for a document that needs no change. Throws the problem of a document that cannot be migrated.
    package var migrate: @Sendable (Document) throws -> Result?
    /// Looks at a migrated document in a rehearsal; throws what would be wrong with it.
    package var check: @Sendable (DocumentKey, FieldBytes) throws -> Void

    package init(
        steps: [String], fingerprint: String, migrate: @escaping @Sendable (Document) throws -> Result?,
        check: @escaping @Sendable (DocumentKey, FieldBytes) throws -> Void = { _, _ in }
    ) {
        self.steps = steps
        self.fingerprint = fingerprint
        self.migrate = migrate
        self.check = check
    }

    /// Edits in the given order, which `FieldEdit.conflict` has accepted. With a version, documents of that version or a newer one are as
    /// they should be, and documents whose version is not one cannot be migrated, as with `VersionedModel`.
    package init(edits: [FieldEdit]) {
        let version: (path: FieldPathSegments, number: Int64)? = edits.lazy.compactMap { edit in
            if case .setVersion(let path, let number) = edit { (path, number) } else { nil }
        }.first
        self.init(steps: edits.map(\.title), fingerprint: edits.map(\.description).joined(separator: "; ")) { document in
            let view = document.fields.view
            defer { withExtendedLifetime(document) {} }
            if let version, let stored = view[version.path] {
                guard let number = stored.integer, number >= 0 else { throw try Self.invalidVersion(Value(stored), at: version.path) }
                if number >= version.number { return nil }
            }
            // Most documents of a second pass need nothing: they are not decoded.
            guard edits.contains(where: { $0.mayChange(view) }) else { return nil }
            var map = try document.fields.map
            var steps: [Int] = []
            for (index, edit) in edits.enumerated() where try edit.apply(to: &map) { steps.append(index) }
            return steps.isEmpty ? nil : Result(fields: FieldBytes(map), steps: steps)
        }
    }

    private static func invalidVersion(_ stored: Value, at path: FieldPathSegments) -> FirestoreError {
        let kind = if case .integer = stored { "a negative integer" } else { "the stored \(stored.kindName)" }
        return FirestoreError(.failedPrecondition, "\(kind) is not a version, an integer of 0 or more", at: "field \(path.canonical)")
    }
}

extension FieldEdit: CustomStringConvertible {
    /// The title, and for a default the value: two plans with different defaults are two plans.
    package var description: String {
        guard case .setDefault(_, let value) = self else { return title }
        defer { withExtendedLifetime(value) {} }
        return title + "=" + value.bytes.buffer.map { String($0, radix: 16) }.joined(separator: " ")
    }
}
