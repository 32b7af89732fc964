// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreCore
import FirestoreEngine
import FirestoreStorage
import Foundation
import Logging
import TestSupport
import Testing

@testable import FirestoreArchive

/// A database in a file with an archive, and what it was like at every moment.
final class ArchivedDatabase {
    typealias State = [DocumentKey: Document]

    static let id = DatabaseID(projectID: "test")
    let folder: ScratchFolder
    let clock: ManualClock
    let store: any ArchiveStore
    private(set) var engine: Engine
    private(set) var archiver: DatabaseArchiver
    /// After each commit.
    private(set) var moments: [(time: DocumentVersion, state: State)] = []
    private(set) var state = State()
    private let policy: ArchivePolicy
    private var holder = DatabaseArchiver.makeHolder()

    init(
        _ store: any ArchiveStore, clock: ManualClock? = nil, policy: ArchivePolicy? = nil, file: String = "db.sqlite",
        in existing: ScratchFolder? = nil
    ) throws {
        folder = try existing ?? ScratchFolder()
        self.clock = clock ?? ManualClock(microseconds: 1_700_000_000_000_000)
        self.store = store
        var usual = ArchivePolicy()
        usual.partBytes = 20_000
        usual.objectsPerSecond = 1_000_000
        self.policy = policy ?? usual
        (engine, archiver) = try Self.open(folder, file, self.clock, store, self.policy, holder)
    }

    private static func open(
        _ folder: ScratchFolder, _ file: String, _ clock: ManualClock, _ store: any ArchiveStore, _ policy: ArchivePolicy,
        _ holder: String
    ) throws -> (Engine, DatabaseArchiver) {
        let engine = try Engine.open(
            EngineConfiguration(location: .file(path: folder.file(file)), durability: .relaxed, databaseID: id, clock: clock))
        let path = folder.file("copies")
        let archiver = DatabaseArchiver(
            engine, of: id, in: store, policy: policy, holder: holder, clock: clock, backoff: Backoff(sleep: { _ in }), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { () throws(FirestoreError) in path + "-" + AutoID.make() }
        return (engine, archiver)
    }

    var path: String { folder.file("db.sqlite") }

    /// As in the names of objects.
    var historyFolder: String { engine.history.map { "/\(ArchiveLayout.text(ofHistory: $0.number))/" } ?? "" }

    /// Begins with what is in the file.
    func adopt() async throws {
        let all = StructuredQuery(scope: .kindless(under: nil, allDescendants: true))
        let found = try await engine.run(all, options: ReadOptions(), context: .embedded)
        state = Dictionary(uniqueKeysWithValues: found.documents.map { ($0.key, $0) })
    }

    /// Ends the process, as it were, and starts another one.
    func restart(asOtherProcess: Bool = true) async throws {
        if asOtherProcess { holder = DatabaseArchiver.makeHolder() }
        await archiver.finish(within: .seconds(10))
        await engine.shutdown()
        (engine, archiver) = try Self.open(folder, "db.sqlite", clock, store, policy, holder)
    }

    func close() async {
        await archiver.finish(within: .seconds(10))
        await engine.shutdown()
    }

    /// A commit with a few sets and deletes of few documents, a moment later.
    func commitRandomly(_ generator: inout SeededGenerator) async throws {
        clock.advance(microseconds: .random(in: 1...2_000_000, using: &generator))
        var writes: [Write] = []
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let path = "\(["c", "d", "c/1/c"].randomElement(using: &generator)!)/\(Int.random(in: 0..<9, using: &generator))"
            let text = String(repeating: "text \(Int.random(in: 0..<99, using: &generator))", count: .random(in: 0..<40, using: &generator))
            writes.append(
                Int.random(in: 0..<3, using: &generator) == 0
                    ? .delete(path) : .set(path, ("n", .integer(.random(in: 0..<4, using: &generator))), ("text", .string(text))))
        }
        try await commit(writes)
    }

    func commit(_ writes: [Write]) async throws {
        let before = try await engine.log.lastCommit()
        _ = try await engine.commit(writes, context: .embedded)
        for commit in try engine.log.commits(after: before, limit: .max).commits {
            for change in commit.changes { state[change.key] = change.new }
            moments.append((commit.time, state))
        }
    }

    /// What the database was like at a moment.
    func expected(at time: DocumentVersion) -> State { moments.last { $0.time <= time }?.state ?? [:] }

    /// Restores the archive somewhere else, and returns what is there.
    func restored(at time: DocumentVersion?, _ change: (inout ArchiveRestore) -> Void = { _ in }) async throws -> State {
        let folder = try ScratchFolder()
        var restore = ArchiveRestore(from: store, of: Self.id, to: folder.file("restored.sqlite"))
        restore.moment = time
        restore.keepsTimes = true
        restore.clock = ManualClock(microseconds: clock.now() + 1_000_000)
        change(&restore)
        _ = try await restore.run()
        return try await Self.content(of: folder.file("restored.sqlite"), restore.name ?? Self.id)
    }

    static func content(of file: String, _ database: DatabaseID = id) async throws -> State {
        let engine = try Engine.open(
            EngineConfiguration(location: .file(path: file), durability: .relaxed, databaseID: database))
        let all = StructuredQuery(scope: .kindless(under: nil, allDescendants: true))
        let found = try await engine.run(all, options: ReadOptions(), context: .embedded)
        #expect(try engine.check() == [])
        await engine.shutdown()
        return Dictionary(uniqueKeysWithValues: found.documents.map { ($0.key, $0) })
    }

    /// Everything that a check of the archive finds.
    func findings() async throws -> [String] {
        try await ArchiveVerification(Self.id, in: store, folder: folder.path).run().findings
    }
}
