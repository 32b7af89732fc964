// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreArchive
import FirestoreCore
import FirestoreEngine
import FirestoreStorage
import TestSupport
import Testing

/// Random commits, copies, restarts and gathering: every moment that the archive offers is restored as it was.
@Suite struct ArchiveModelTests {
    /// OT-9
    @Test("copy and journal up to a moment are the state at that moment", arguments: 0..<TestScale.pick(quick: 6 as UInt64, full: 500))
    func model(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let store = MemoryArchive()
        let database = try ArchivedDatabase(store)
        // Before there is an archive.
        for _ in 0..<Int.random(in: 0..<4, using: &generator) { try await database.commitRandomly(&generator) }
        try await database.archiver.archiveCommits()
        await database.archiver.copyFinished()
        let first = try #require(await database.archiver.status.lastBase)
        for _ in 0..<50 {
            switch Int.random(in: 0..<20, using: &generator) {
            case 0: try await database.restart()
            case 1: await database.archiver.copy()
            case 2: database.clock.advance(microseconds: 3_700_000_000)
            case 3...8: try await database.archiver.archiveCommits()
            default: try await database.commitRandomly(&generator)
            }
        }
        try await database.archiver.archiveCommits()
        await database.archiver.copyFinished()
        for _ in 0..<TestScale.pick(quick: 4, full: 20) {
            guard let moment = database.moments.randomElement(using: &generator), moment.time >= first else { continue }
            // Exactly a commit, just before the next one, or in between.
            let time = DocumentVersion(microseconds: moment.time.microseconds + .random(in: 0...1_000_000, using: &generator))
            let found = try await database.restored(at: min(time, DocumentVersion(microseconds: database.clock.now())))
            #expect(found == database.expected(at: time), "seed \(seed), \(time)")
        }
        #expect(try await database.restored(at: nil) == database.state)
        #expect(try await database.findings() == [])
        await database.close()
    }

    /// OT-9, OT-18
    @Test("a copy that is newer than the journal leaves no gap, whatever the server had archived when it ended")
    func copyAheadOfTheJournal() async throws {
        var generator = SeededGenerator(seed: 5)
        let database = try ArchivedDatabase(MemoryArchive())
        try await database.commit([.delete("c/missing")])
        try await database.archiver.archiveCommits()
        await database.archiver.copyFinished()
        for _ in 0..<3 { try await database.commitRandomly(&generator) }
        await database.archiver.copy()
        try await database.restart()
        try await database.commitRandomly(&generator)
        try await database.archiver.archiveCommits()
        await database.archiver.copyFinished()
        for moment in database.moments { #expect(try await database.restored(at: moment.time) == moment.state) }
        #expect(try await database.findings() == [])
        await database.close()
    }

    /// OT-19
    @Test("moments that cannot be restored are refused, with those that can")
    func refusals() async throws {
        var generator = SeededGenerator(seed: 3)
        let database = try ArchivedDatabase(MemoryArchive())
        await #expect(throws: FirestoreError.self) { _ = try await database.restored(at: nil) }
        try await database.commitRandomly(&generator)
        try await database.archiver.archiveCommits()
        await database.archiver.copyFinished()
        try await database.commitRandomly(&generator)
        try await database.archiver.archiveCommits()
        let (first, last) = (try #require(database.moments.first?.time), try #require(database.moments.last?.time))
        func refusal(_ time: DocumentVersion) async -> String {
            do {
                _ = try await database.restored(at: time)
                return ""
            } catch {
                return "\(error)"
            }
        }
        let range = "it reaches from \(first.timestamp.text) to \(last.timestamp.text)"
        let early = await refusal(DocumentVersion(microseconds: first.microseconds - 1))
        #expect(early.contains(range))
        let late = await refusal(DocumentVersion(microseconds: last.microseconds + 3_600_000_000))
        #expect(late.contains("lies in the future"))
        // Nothing was committed since.
        database.clock.advance(microseconds: 3_600_000_000)
        let later = DocumentVersion(microseconds: last.microseconds + 1_800_000_000)
        #expect(try await database.restored(at: later) == database.state)
        await database.close()
    }

    /// OT-14
    @Test("a gap is never passed: moments behind it are restored from the next copy, those in it not at all")
    func gap() async throws {
        var generator = SeededGenerator(seed: 9)
        let store = MemoryArchive()
        let database = try ArchivedDatabase(store)
        for round in 0..<4 {
            for _ in 0..<3 { try await database.commitRandomly(&generator) }
            try await database.archiver.archiveCommits()
            await database.archiver.copyFinished()
            if round == 2 { await database.archiver.copy() }
        }
        let catalog = try await ArchiveCatalog.load(ArchiveLayout(ArchivedDatabase.id), from: store)
        // The end of the second round, before the second copy.
        let plan = try catalog.plan(at: database.moments[5].time, now: database.clock.now())
        let lost = try #require(plan.segments.first)
        let name = try #require(store.names.first { $0.hasSuffix("journal/" + lost.text) })
        store[name] = nil
        await #expect(throws: FirestoreError.self) { _ = try await database.restored(at: lost.through) }
        #expect(try await database.restored(at: lost.after) == database.expected(at: lost.after))
        #expect(try await database.restored(at: nil) == database.state)
        let findings = try await database.findings()
        #expect(findings.contains { $0.contains("are missing") })
        await database.close()
    }

    @Test("a restore continues the clock, begins a history, and gives documents a new time unless they are to keep it")
    func times() async throws {
        var generator = SeededGenerator(seed: 4)
        let database = try ArchivedDatabase(MemoryArchive())
        for _ in 0..<5 { try await database.commitRandomly(&generator) }
        try await database.commit([.set("c/new", ("n", .integer(1)))])
        try await database.archiver.archiveCommits()
        await database.archiver.copyFinished()
        let history = database.engine.history
        await database.close()
        var restore = ArchiveRestore(from: database.store, of: ArchivedDatabase.id, to: database.path)
        restore.clock = database.clock
        await #expect(throws: FirestoreError.self) { _ = try await restore.run() }
        restore.replaces = true
        let outcome = try await restore.run()
        #expect(outcome.lastCommit == database.moments.last?.time)
        #expect(outcome.restored.time > outcome.lastCommit)
        let content = try await ArchivedDatabase.content(of: database.path)
        #expect(content.values.allSatisfy { $0.updateTime == outcome.restored.time })
        #expect(content.mapValues(\.fields) == database.state.mapValues(\.fields))
        let engine = try Engine.open(EngineConfiguration(location: .file(path: database.path), databaseID: ArchivedDatabase.id))
        #expect(engine.history?.number != history?.number)
        await engine.shutdown()
        // Nothing is left beside it but the replaced one.
        #expect(database.folder.names.allSatisfy { !$0.contains("restoring") })
    }

    /// OT-20
    @Test("under another name references follow, and queries and indexes with them; references elsewhere stay")
    func rename() async throws {
        let database = try ArchivedDatabase(MemoryArchive())
        let own = "projects/test/databases/(default)/documents/"
        try await database.engine.configureIndexes([
            IndexDefinition(
                collectionID: "c", scope: .collection, fields: [.init(FieldPathSegments("to"), .ascending), .init(FieldPathSegments("n"), .ascending)],
                nameDirection: .ascending)
        ])
        for number in 0..<9 {
            try await database.commit([
                .set(
                    "c/\(number)", ("n", .integer(Int64(number))), ("to", .reference(own + "d/\(number % 3)")),
                    ("list", .array([.reference(own + "d/1"), .reference("projects/other/databases/(default)/documents/d/1")])))
            ])
        }
        try await database.archiver.archiveCommits()
        await database.archiver.copyFinished()
        let name = DatabaseID(projectID: "other-project", databaseID: "copy")
        let folder = try ScratchFolder()
        var restore = ArchiveRestore(from: database.store, of: ArchivedDatabase.id, to: folder.file("copy.sqlite"))
        restore.name = name
        restore.clock = database.clock
        _ = try await restore.run()
        let engine = try Engine.open(EngineConfiguration(location: .file(path: folder.file("copy.sqlite")), databaseID: name))
        try await engine.indexesSettled()
        let query = StructuredQuery(
            scope: .collection(CollectionPath(trusted: "c")),
            filter: .field(FieldPathSegments("to"), .equal, ValueBytes(.reference("projects/other-project/databases/copy/documents/d/1"))))
        #expect(try await engine.run(query, options: ReadOptions(), context: .embedded).documents.count == 3)
        let document = try #require(try await engine.get("c/1"))
        let text = try document.json(in: name).text()
        #expect(text.contains("projects/other/databases/(default)/documents/d/1"))
        #expect(!text.contains("projects/test/"))
        #expect(try engine.check() == [])
        await engine.shutdown()
        await database.close()
    }
}
