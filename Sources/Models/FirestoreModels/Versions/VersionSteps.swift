// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import FirestoreSchema

/// The steps of a model, checked: from version 0 to the current one.
struct VersionSteps: Sendable {
    let model: String
    let current: Int
    let path: FieldPathSegments
    let acceptsNewerVersions: Bool
    private let steps: [ModelMigration]

    init(_ type: any VersionedModel.Type) throws {
        let model = "\(type)"
        let (current, steps) = (type.schemaVersion, type.migrations)
        func invalid(_ reason: String) -> FirestoreModelError { .invalidMigrations(model: model, reason: reason) }
        guard current >= 1 else { throw invalid("schemaVersion is \(current) and must be at least 1") }
        for (index, step) in steps.enumerated() where step.version != index {
            throw invalid(
                "step \(index + 1) starts from version \(step.version) instead of \(index); list one step for each version, in order")
        }
        guard steps.count == current else {
            throw invalid("they lead to version \(steps.count), and schemaVersion is \(current)")
        }
        do {
            path = try PathCheck.fieldPath(segments: [type.versionField])
            try FieldEdit.setVersion(path, 0).validate()
        } catch {
            throw invalid("versionField is not the name of a field: \(error)")
        }
        self.model = model
        self.current = current
        self.steps = steps
        acceptsNewerVersions = type.acceptsNewerVersions
    }

    /// The names of the steps in reports.
    var titles: [String] { (0..<current).map { "version \($0) to \($0 + 1)" } }

    /// The fields in the current version, and the version they had; nil if they have it already.
    func migrated(_ fields: FieldBytes, of reference: DocumentReference?) throws -> (fields: FieldBytes, from: Int)? {
        let stored = try version(of: fields, document: reference?.path)
        if stored == current { return nil }
        guard stored < current else {
            if acceptsNewerVersions { return nil }
            throw FirestoreModelError.newerVersion(document: reference?.path, found: stored, known: current)
        }
        var migrating = MigratingFields(try fields.map, of: reference?.firestore)
        for version in stored..<current {
            do {
                try steps[version].change(&migrating)
                if let error = migrating.error { throw error }
            } catch {
                throw FirestoreModelError.migrationFailed(document: reference?.path, from: version, underlying: error)
            }
        }
        migrating.map[path] = .integer(Int64(current))
        return (FieldBytes(migrating.map), stored)
    }

    private func version(of fields: FieldBytes, document: String?) throws -> Int {
        defer { withExtendedLifetime(fields) {} }
        guard let value = fields.view[path] else { return 0 }
        guard let version = value.integer, version >= 0, let version = Int(exactly: version) else {
            throw FirestoreModelError.invalidVersion(document: document, field: path.canonical)
        }
        return version
    }

    /// The encoded fields with the current version, unless the type encodes it itself.
    func stamped(_ fields: FieldBytes) throws -> FieldBytes {
        if fields.view[path] != nil { return fields }
        var map = try fields.map
        map[path] = .integer(Int64(current))
        return FieldBytes(map)
    }
}
