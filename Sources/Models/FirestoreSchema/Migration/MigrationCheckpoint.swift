// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import Foundation

/// How far a migration has come: everything up to `last` of the pass is done.
package struct MigrationCheckpoint: Sendable, Codable, Equatable {
    /// The plan of the migration: a run is resumed with the same plan only.
    package var fingerprint: String
    package var pass: Int
    /// The path of the last document that is done; nil at the start of a pass.
    package var last: String?
    package var read: Int
    package var migrated: Int
    /// Of this pass: if it is not zero, another pass follows.
    package var migratedInPass: Int
    package var steps: [Int]
}

extension MigrationCheckpoint {
    package var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            return try encoder.encode(self)
        }
    }

    /// Throws `failedPrecondition` if the data is not a checkpoint.
    package init(json: Data, of name: String) throws(FirestoreError) {
        let most = 1 << 53
        guard let found = try? JSONDecoder().decode(MigrationCheckpoint.self, from: json), (1...most).contains(found.pass),
            ([found.read, found.migrated, found.migratedInPass] + found.steps).allSatisfy({ (0...most).contains($0) }),
            found.last.map({ (try? PathCheck.documentKey($0)) != nil }) ?? true
        else {
            throw FirestoreError(
                .failedPrecondition, "it is damaged, or not the checkpoint of a migration; choose another one, or remove it to start again",
                at: name)
        }
        self = found
    }
}

/// The storage of a checkpoint.
package protocol MigrationCheckpointStore: Sendable {
    /// For messages.
    var name: String { get }
    /// The document that contains the checkpoint, if it is stored in one.
    var document: DocumentKey? { get }
    /// Throws if nothing can be saved. Called before the first document is written.
    func check() async throws
    func load() async throws -> MigrationCheckpoint?
    func save(_ checkpoint: MigrationCheckpoint) async throws
    func remove() async throws
}

/// A file, replaced as a whole: whenever the process ends, it holds one checkpoint or the next.
package struct MigrationCheckpointFile: MigrationCheckpointStore {
    private let url: URL

    package init(path: String) { url = URL(fileURLWithPath: path) }

    package var name: String { "the checkpoint \(url.path)" }
    package var document: DocumentKey? { nil }

    package func check() async throws {
        // It is replaced as a whole, so a new file must be possible beside it.
        let beside = url.deletingLastPathComponent().appendingPathComponent(".hearth-\(UUID().uuidString)")
        let probe = try exists() ? beside : url
        try inWords("it cannot be written") {
            try Data().write(to: probe, options: .withoutOverwriting)
            try FileManager.default.removeItem(at: probe)
        }
    }

    package func load() async throws -> MigrationCheckpoint? {
        guard try exists() else { return nil }
        return try MigrationCheckpoint(json: inWords("it cannot be read") { try Data(contentsOf: url) }, of: name)
    }

    package func save(_ checkpoint: MigrationCheckpoint) async throws {
        let json = try checkpoint.json
        try inWords("it cannot be written") { try json.write(to: url, options: .atomic) }
    }

    package func remove() async throws {
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        try inWords("it cannot be removed") { try FileManager.default.removeItem(at: url) }
    }

    /// Throws if something is there that is not a file.
    private func exists() throws(FirestoreError) -> Bool {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else { return false }
        if isDirectory.boolValue { throw FirestoreError(.failedPrecondition, "it is a directory; name a file", at: name) }
        let kind = try? FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType
        guard kind == .typeRegular || kind == .typeSymbolicLink else {
            throw FirestoreError(.failedPrecondition, "it is not a file; name another one", at: name)
        }
        return true
    }

    private func inWords<R>(_ problem: String, _ body: () throws -> R) throws(FirestoreError) -> R {
        do {
            return try body()
        } catch {
            throw FirestoreError(.failedPrecondition, "\(problem): \(Self.reason(of: error as NSError))", at: name, cause: error)
        }
    }

    /// The system's error text, without the wrapping of Foundation.
    private static func reason(of error: NSError) -> String {
        let source = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
        for candidate in [source, error] {
            if let candidate, candidate.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(candidate.code))) }
        }
        switch CocoaError.Code(rawValue: error.code) {
        case .fileNoSuchFile, .fileReadNoSuchFile: return String(cString: strerror(ENOENT))
        case .fileReadNoPermission, .fileWriteNoPermission: return String(cString: strerror(EACCES))
        case .fileWriteOutOfSpace: return String(cString: strerror(ENOSPC))
        case .fileWriteVolumeReadOnly: return String(cString: strerror(EROFS))
        case .fileWriteInvalidFileName, .fileReadInvalidFileName: return "no file can have this name"
        default: return "the system refuses it"
        }
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
    package var document: DocumentKey? { key }

    package func check() async throws {}

    package func load() async throws -> MigrationCheckpoint? {
        let found = try await service.documents([key], context: context()).documents.first ?? nil
        guard let found else { return nil }
        guard case .string(let text)? = try found.fields.map[Self.field] else {
            throw FirestoreError(.failedPrecondition, "the document is not the checkpoint of a migration", at: key.path)
        }
        return try MigrationCheckpoint(json: Data(text.utf8), of: name)
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
