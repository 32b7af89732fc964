// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import Logging
import TestSupport

@testable import FirestoreArchive

/// The files of a server in a data directory, and what archives them.
final class ArchivedFiles: Sendable {
    static let set = ArchivedFileSet.accounts(project: "test")
    let folder: ScratchFolder
    let clock: ManualClock
    let store: any ArchiveStore
    private let archiver: FileSetArchiver
    let changes = Changes()

    /// What the source says of its changes.
    final class Changes: Sendable {
        private let count = Mutex<Int?>(1)
        var value: Int? {
            get { count.withLock { $0 } }
            set { count.withLock { $0 = newValue } }
        }
    }

    init(_ store: any ArchiveStore, clock: ManualClock, in folder: ScratchFolder? = nil, partBytes: Int = 100) throws {
        self.folder = try folder ?? ScratchFolder()
        self.clock = clock
        self.store = store
        var policy = ArchivePolicy()
        policy.partBytes = partBytes
        policy.objectsPerSecond = 1_000_000
        let (own, changes) = (Self.set.folder(in: self.folder.path), self.changes)
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        let source = FileSetSource(Self.set) {
            changes.value
        } copy: { target throws(FirestoreError) in
            for name in ["accounts.sqlite", "signing-key.pem"] where FileManager.default.fileExists(atPath: own + "/" + name) {
                do {
                    try FileManager.default.copyItem(atPath: own + "/" + name, toPath: target + "/" + name)
                } catch {
                    throw FirestoreError(.unavailable, "the file cannot be copied", cause: error)
                }
            }
        }
        archiver = FileSetArchiver(
            source, in: store, directory: self.folder.path, policy: policy, traffic: ArchiveTraffic(objectsPerSecond: 1_000_000),
            holder: DatabaseArchiver.makeHolder(), clock: clock, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: Self.set.folder(in: folder.path) + "/" + name))
        changes.value = changes.value.map { $0 + 1 }
    }

    /// A look for changes, after some time.
    func step(after seconds: Int64 = 60, isLast: Bool = false) async {
        clock.advance(microseconds: seconds * 1_000_000)
        await archiver.step(folder.file("copy-" + AutoID.make()), isLast: isLast)
    }

    func catalog() async throws -> FileSetCatalog { try await FileSetCatalog.load(Self.set, from: store) }

    /// The files of an archive, restored somewhere else.
    static func restored(_ store: any ArchiveStore, at moment: DocumentVersion? = nil) async throws -> [String: String] {
        let folder = try ScratchFolder()
        var restore = FileSetRestore(from: store, of: set, into: folder.path)
        restore.moment = moment
        guard case .restored(let names, _) = try await restore.run() else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: try names.map { ($0, try String(contentsOfFile: restore.folder + "/" + $0, encoding: .utf8)) })
    }

    func findings() async throws -> [String] {
        try await FileSetVerification(Self.set, in: store, folder: folder.path).run().findings
    }
}
