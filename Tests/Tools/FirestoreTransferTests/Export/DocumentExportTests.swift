// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreTransfer
import TestSupport
import Testing

struct DocumentExportTests {
    /// Records what it is given.
    final class ListOutput: DocumentOutput {
        let onWrite: @Sendable (TransferredDocument) throws(FirestoreError) -> Void
        init(_ onWrite: @escaping @Sendable (TransferredDocument) throws(FirestoreError) -> Void) { self.onWrite = onWrite }
        var bytesWritten: Int64 { 0 }
        func write(_ document: TransferredDocument) throws(FirestoreError) { try onWrite(document) }
        func finish() throws(FirestoreError) { try onWrite(TestDatabase.document("end/end")) }
    }

    /// Paths in the order they were written.
    private func paths(
        _ service: any DocumentService, _ selections: [ExportSelection] = [.everything], retries: Int = 0,
        onWrite: @escaping @Sendable (TransferredDocument) throws(FirestoreError) -> Void = { _ throws(FirestoreError) in }
    ) async throws -> [String] {
        let written = Mutex<[String]>([])
        let export = DocumentExport(of: service, database: TestDatabase.id, context: .embedded, retries: retries)
        let output = ListOutput { (document) throws(FirestoreError) in
            written.withLock { $0.append(document.key.path) }
            try onWrite(document)
        }
        let progress = try await export.run(selections, into: output)
        var paths = written.withLock { $0 }
        #expect(paths.popLast() == "end/end")
        #expect(progress.documents == paths.count)
        return paths
    }

    private static let all = [
        "a/1", "a/1/b/1", "a/1/b/1/c/1", "a/2/b/1", "a/__id7__", "a-b/1", "b/1", "b/1/a/x", "c/1",
    ]

    private func database() async throws -> TestDatabase {
        let database = try TestDatabase()
        try await database.put(Self.all.map { TestDatabase.document($0) })
        return database
    }

    @Test func `everything is exported in the order of names, below missing documents too`() async throws {
        let database = try await database()
        #expect(try await paths(database.engine) == ["a/__id7__", "a/1", "a/1/b/1", "a/1/b/1/c/1", "a/2/b/1", "a-b/1", "b/1", "b/1/a/x", "c/1"])
        #expect(try await paths(TestDatabase().engine) == [])
    }

    static let selections: [(selections: [ExportSelection], paths: [String])] = [
        ([.collection(CollectionPath(trusted: "a"), withBelow: true)], ["a/__id7__", "a/1", "a/1/b/1", "a/1/b/1/c/1", "a/2/b/1"]),
        ([.collection(CollectionPath(trusted: "a"), withBelow: false)], ["a/__id7__", "a/1"]),
        ([.collection(CollectionPath(trusted: "a/1/b"), withBelow: true)], ["a/1/b/1", "a/1/b/1/c/1"]),
        ([.collection(CollectionPath(trusted: "nothing"), withBelow: true)], []),
        ([.group("b")], ["a/1/b/1", "a/2/b/1", "b/1"]), ([.group("a")], ["a/__id7__", "a/1", "b/1/a/x"]),
        // What two of them choose comes once.
        (
            [.group("b"), .collection(CollectionPath(trusted: "b"), withBelow: true), .collection(CollectionPath(trusted: "a/1/b"), withBelow: false)],
            ["a/1/b/1", "b/1", "b/1/a/x", "a/2/b/1"]
        ),
        ([.collection(CollectionPath(trusted: "b"), withBelow: false), .collection(CollectionPath(trusted: "a-b"), withBelow: false)], ["a-b/1", "b/1"]),
    ]

    @Test(arguments: selections.indices)
    func `collections and groups choose`(index: Int) async throws {
        let database = try await database()
        #expect(try await paths(database.engine, Self.selections[index].selections) == Self.selections[index].paths)
    }

    @Test func `a broken connection is taken up behind the last document, at the same moment`() async throws {
        let database = try await database()
        let gone = FirestoreError(.unavailable, "gone")
        let service = FlakyService(database.engine, .init(queries: [gone, gone]))
        let changed = Mutex(false)
        let engine = database.engine
        let found = try await paths(service, retries: 1) { (_) throws(FirestoreError) in
            // Writes continue meanwhile.
            let isFirst = changed.withLock { changed in
                defer { changed = true }
                return !changed
            }
            if isFirst { engine.submit([TestDatabase.document("zz/late").write, Write(key: DocumentKey(trusted: "c/1"), operation: .delete)], context: .embedded) { _ in } }
        }
        #expect(found == ["a/__id7__", "a/1", "a/1/b/1", "a/1/b/1/c/1", "a/2/b/1", "a-b/1", "b/1", "b/1/a/x", "c/1"])
        let moments = service.plan.withLock { $0.moments }
        #expect(moments.count == 3)
        #expect(moments[0] == .latest && moments[1] == moments[2] && moments[1] != .latest)
        let failing = FlakyService(database.engine, .init(queries: [gone, FirestoreError(.permissionDenied, "no")]))
        await #expect(throws: FirestoreError.self) { try await self.paths(failing, retries: 5) }
    }

    @Test func `several choices are of one moment`() async throws {
        let database = try await database()
        let engine = database.engine
        let found = try await paths(
            engine, [.collection(CollectionPath(trusted: "a"), withBelow: false), .collection(CollectionPath(trusted: "c"), withBelow: false)]
        ) { (_) throws(FirestoreError) in
            engine.submit([TestDatabase.document("c/late").write], context: .embedded) { _ in }
        }
        #expect(found == ["a/__id7__", "a/1", "c/1"])
    }
}
