// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Foundation
import TestSupport
import Testing

@testable import FirestoreEngine

/// Copies of a database that is used (OT-6, OT-8).
@Suite struct CopyTests {
    private let folder: ScratchFolder
    private var target: String { folder.file("copy.sqlite") }

    init() throws { folder = try ScratchFolder() }

    /// All documents with their times and fields.
    private static func contents(of engine: Engine) async throws -> [DocumentKey: Document] {
        let query = StructuredQuery(scope: .kindless(under: nil, allDescendants: true))
        let documents = try await engine.run(query, context: .embedded).documents
        return Dictionary(uniqueKeysWithValues: documents.map { ($0.key, $0) })
    }

    private func contentsOfCopy() async throws -> [DocumentKey: Document] {
        let engine = try Engine.file(target)
        let contents = try await Self.contents(of: engine)
        try await engine.checkAndShutDown()
        return contents
    }

    /// What the documents were, commit by commit.
    private final class History: Sendable {
        private typealias Commit = (keys: [DocumentKey], deleted: [DocumentKey], time: DocumentVersion)

        private let commits = Mutex<[Commit]>([])

        func committed(_ keys: [DocumentKey], deleted: [DocumentKey], at time: DocumentVersion) {
            commits.withLock { $0.append((keys, deleted, time)) }
        }

        /// The documents after a commit; nil if there was none at that time.
        func documents(at time: DocumentVersion) -> [DocumentKey: DocumentVersion]? {
            var documents: [DocumentKey: DocumentVersion] = [:]
            for commit in commits.withLock({ $0 }).sorted(by: { $0.time < $1.time }) {
                for key in commit.keys { documents[key] = commit.time }
                for key in commit.deleted { documents[key] = nil }
                if commit.time == time { return documents }
            }
            return nil
        }
    }

    /// Commits without pause, one after the other, until `stop` is called.
    private static func load(_ engine: Engine, _ history: History, until isOver: @escaping @Sendable () -> Bool) async throws -> Int {
        let text = Value.string(String(repeating: "x", count: 20_000))
        var count = 0
        repeat {
            count += 1
            let (changed, deleted) = (DocumentKey(trusted: "c/\(count % 400)"), DocumentKey(trusted: "c/\((count * 7) % 400)"))
            let writes: [Write] = [.set(changed.path, ("n", .integer(Int64(count))), ("text", text))]
            let all = changed == deleted ? writes : writes + [.delete(deleted.path)]
            let response = try await engine.commit(all, context: .embedded)
            history.committed([changed], deleted: changed == deleted ? [] : [deleted], at: response.commitTime)
        } while !isOver()
        return count
    }

    private func fill(_ engine: Engine, _ history: History, documents: Int) async throws {
        let text = Value.string(String(repeating: "y", count: 20_000))
        for first in stride(from: 0, to: documents, by: 100) {
            let numbers = first..<min(documents, first + 100)
            let response = try await engine.commit(numbers.map { .set("base/\($0)", ("text", text)) }, context: .embedded)
            history.committed(numbers.map { DocumentKey(trusted: "base/\($0)") }, deleted: [], at: response.commitTime)
        }
    }

    @Test func `a copy under continuous commits ends, is sound, and is the state of the commit that it names`() async throws {
        let engine = try Engine.file(folder.file())
        let history = History()
        try await fill(engine, history, documents: TestScale.pick(quick: 2_000, full: 5_000))
        let isOver = Mutex(false)
        async let load = Self.load(engine, history) { isOver.withLock { $0 } }
        let copy: DatabaseCopy
        do { copy = try await engine.copy(to: target) } catch {
            isOver.withLock { $0 = true }
            throw error
        }
        isOver.withLock { $0 = true }
        #expect(try await load > 0)
        #expect(folder.names.filter { $0.hasPrefix("copy.sqlite") } == ["copy.sqlite"])
        let expected = try #require(history.documents(at: copy.time), "the copy names no commit")
        let found = try await contentsOfCopy()
        #expect(found.mapValues(\.updateTime) == expected)
        #expect(copy.documents == expected.count)
        try await engine.checkAndShutDown()
    }

    @Test func `a copy of an idle database makes progress by itself`() async throws {
        let engine = try Engine.file(folder.file())
        let history = History()
        try await fill(engine, history, documents: 300)
        let copy = try await engine.copy(to: target)
        #expect(copy.documents == 300)
        #expect(copy.bytes == Int64(try folder.bytes(of: "copy.sqlite").count))
        #expect(try await contentsOfCopy() == Self.contents(of: engine))
        try await engine.checkAndShutDown()
    }

    @Test func `a database in memory is copied into a file like every other`() async throws {
        let engine = try Engine.open(EngineConfiguration(location: .memory, databaseID: testDatabase))
        let history = History()
        try await fill(engine, history, documents: 300)
        try await engine.configureIndexes([IndexDefinition(collectionID: "base", scope: .collection, fields: [.init(FieldPathSegments("text"))])])
        try await engine.indexesSettled()
        let copy = try await engine.copy(to: target)
        #expect(copy.documents == 300)
        #expect(try await contentsOfCopy() == Self.contents(of: engine))
        try await engine.checkAndShutDown()
    }

    @Test func `a second copy is rejected while the first is being made, and accepted afterwards`() async throws {
        let engine = try Engine.open(EngineConfiguration(location: .memory, databaseID: testDatabase))
        try await fill(engine, History(), documents: 10)
        let hold = CommitterHold(engine)
        async let first = engine.copy(to: target)
        try await waitForCopy(of: engine)
        await #expect { try await engine.copy(to: folder.file("other.sqlite")) } throws: {
            ($0 as? FirestoreError)?.code == .aborted && "\($0)".contains("a copy of the database is being made already")
        }
        hold.release()
        #expect(try await first.documents == 10)
        #expect(try await engine.copy(to: folder.file("other.sqlite")).documents == 10)
        #expect(folder.names == ["copy.sqlite", "other.sqlite"])
        await engine.shutdown()
    }

    /// Waits until a copy has begun; it does not continue while the committer is held.
    private func waitForCopy(of engine: Engine) async throws {
        for _ in 0..<10_000 where engine.core.committer.copies?.isBusy != true { try await Task.sleep(for: .milliseconds(2)) }
        try #require(engine.core.committer.copies?.isBusy == true)
    }

    @Test func `a copy that is cancelled leaves nothing, and the next one is made`() async throws {
        let engine = try Engine.file(folder.file())
        try await fill(engine, History(), documents: 10)
        let hold = CommitterHold(engine)
        let copying = Task { try await engine.copy(to: target) }
        try await waitForCopy(of: engine)
        copying.cancel()
        hold.release()
        await #expect { try await copying.value } throws: { ($0 as? FirestoreError)?.code == .cancelled }
        #expect(!folder.names.contains { $0.hasPrefix("copy") }, "\(folder.names)")
        #expect(try await engine.copy(to: target).documents == 10)
        try await engine.checkAndShutDown()
    }

    @Test func `a copy whose database is shut down ends with an error and leaves nothing, or is complete`() async throws {
        let engine = try Engine.file(folder.file())
        try await fill(engine, History(), documents: 500)
        let hold = CommitterHold(engine)
        let copying = Task { try await engine.copy(to: target) }
        try await waitForCopy(of: engine)
        async let ending: Void = engine.shutdown()
        hold.release()
        await ending
        switch await copying.result {
        case .success(let copy): #expect(copy.documents == 500)
        case .failure(let error):
            #expect((error as? FirestoreError)?.code == .failedPrecondition, "\(error)")
            #expect(!folder.names.contains { $0.hasPrefix("copy") }, "\(folder.names)")
        }
    }

    @Test func `an existing file is replaced only if that is wanted`() async throws {
        let engine = try Engine.open(EngineConfiguration(location: .memory, databaseID: testDatabase))
        _ = try folder.file("copy.sqlite", "something else")
        await #expect { try await engine.copy(to: target) } throws: { ($0 as? FirestoreError)?.code == .alreadyExists }
        #expect(try folder.bytes(of: "copy.sqlite") == Array("something else".utf8))
        #expect(try await engine.copy(to: target, replacing: true).documents == 0)
        #expect(try await contentsOfCopy().isEmpty)
        await engine.shutdown()
    }

    @Test func `commits that fail and roll back do not spoil a copy`() async throws {
        let engine = try Engine.file(folder.file())
        let history = History()
        try await fill(engine, history, documents: 500)
        let isOver = Mutex(false)
        async let failures: Int = {
            var count = 0
            repeat {
                do {
                    _ = try await engine.commit([.set("x/1"), .set("x/1", precondition: .exists(false))], context: .embedded)
                } catch { count += 1 }
            } while !isOver.withLock { $0 }
            return count
        }()
        let result = await Task { try await engine.copy(to: target) }.result
        isOver.withLock { $0 = true }
        #expect(await failures > 0)
        let copy = try result.get()
        #expect(copy.documents == 500)
        #expect(try await contentsOfCopy() == Self.contents(of: engine))
        try await engine.checkAndShutDown()
    }

    @Test func `a file that no process has open is copied without a change to it`() async throws {
        let engine = try Engine.file(folder.file())
        try await fill(engine, History(), documents: 20)
        #expect(throws: FirestoreError.self) {
            try DatabaseInspection.copy(folder.file(), to: target, advice: "use another way")
        }
        await engine.shutdown()
        let before = try folder.bytes(of: "test.db")
        let copy = try DatabaseInspection.copy(folder.file(), to: target, advice: "")
        #expect(copy.documents == 20)
        #expect(try folder.bytes(of: "test.db") == before)
        #expect(folder.names == ["copy.sqlite", "test.db", "test.db.lock"])
    }
}
