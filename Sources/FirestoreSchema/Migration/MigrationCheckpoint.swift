// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import Foundation

/// How far a migration has come: everything up to `last` of the pass is done.
package struct MigrationCheckpoint: Sendable, Codable, Equatable {
    /// What is migrated, and how: a run is resumed with the same only.
    package var fingerprint: String
    package var pass: Int
    /// The path of the last document that is done; nil at the start of a pass.
    package var last: String?
    package var read: Int
    package var migrated: Int
    /// Of this pass: if it is not zero, another pass follows.
    package var migratedInPass: Int
    package var steps: [Int]

    package init(fingerprint: String, pass: Int, last: String?, read: Int, migrated: Int, migratedInPass: Int, steps: [Int]) {
        self.fingerprint = fingerprint
        self.pass = pass
        self.last = last
        self.read = read
        self.migrated = migrated
        self.migratedInPass = migratedInPass
        self.steps = steps
    }

    package var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            return try encoder.encode(self)
        }
    }

    package init(json: Data) throws { self = try JSONDecoder().decode(MigrationCheckpoint.self, from: json) }
}

/// Where a checkpoint is kept.
package protocol MigrationCheckpointStore: Sendable {
    /// For messages.
    var name: String { get }
    func load() async throws -> MigrationCheckpoint?
    func save(_ checkpoint: MigrationCheckpoint) async throws
    func remove() async throws
}

/// A file, replaced as a whole: whenever the process ends, it holds one checkpoint or the next.
package struct MigrationCheckpointFile: MigrationCheckpointStore {
    private let url: URL

    package init(path: String) { url = URL(fileURLWithPath: path) }

    package var name: String { "the checkpoint \(url.path)" }

    package func load() async throws -> MigrationCheckpoint? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        return try MigrationCheckpoint(json: Data(contentsOf: url))
    }

    package func save(_ checkpoint: MigrationCheckpoint) async throws { try checkpoint.json.write(to: url, options: .atomic) }

    package func remove() async throws {
        if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
    }
}

/// A document with one field, `checkpoint`.
package struct MigrationCheckpointDocument: MigrationCheckpointStore {
    private static let field = "checkpoint"

    private let key: DocumentKey
    private let service: any DocumentService
    private let context: @Sendable () throws(FirestoreError) -> RequestContext

    package init(
        _ key: DocumentKey, in service: any DocumentService, context: @escaping @Sendable () throws(FirestoreError) -> RequestContext
    ) {
        self.key = key
        self.service = service
        self.context = context
    }

    package var name: String { "the checkpoint \(key.path)" }

    package func load() async throws -> MigrationCheckpoint? {
        let found = try await service.documents([key], context: context()).documents.first ?? nil
        guard let found else { return nil }
        guard case .string(let text)? = try found.fields.map[Self.field] else {
            throw FirestoreError(.failedPrecondition, "the document is not the checkpoint of a migration", at: key.path)
        }
        return try MigrationCheckpoint(json: Data(text.utf8))
    }

    package func save(_ checkpoint: MigrationCheckpoint) async throws {
        let text = String(decoding: try checkpoint.json, as: UTF8.self)
        let write = Write(key: key, operation: .set(FieldBytes(FieldMap([(Self.field, .string(text))]))))
        _ = try await service.commit([write], context: context())
    }

    package func remove() async throws {
        _ = try await service.commit([Write(key: key, operation: .delete)], context: context())
    }
}
