// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreTransfer
import TestSupport
import Testing

struct DocumentImportTests {
    private static let bad = FirestoreError.invalidArgument("no document")

    private func run(
        _ items: [Result<TransferredDocument, FirestoreError>], into service: any DocumentService, failure: FirestoreError? = nil,
        limits: ImportLimits = ImportLimits(), badAllowed: Int = 0, onBad: @escaping @Sendable (FirestoreError) -> Void = { _ in },
        pause: @escaping @Sendable (Duration) -> Void = { _ in }
    ) async -> ImportSummary {
        let transfer = DocumentImport(
            into: service, context: .embedded, limits: limits, badAllowed: badAllowed, onBadDocument: onBad, pause: pause)
        return await transfer.run { () throws(FirestoreError) in ListInput(items, failure: failure) }
    }

    private func numbered(_ count: Int) -> [TransferredDocument] { (0..<count).map { TestDatabase.document("c/\(10_000 + $0)", $0) } }

    @Test(arguments: [0, 1, 499, 500, 501, 3_000])
    func `everything comes in`(count: Int) async throws {
        let database = try TestDatabase()
        let documents = numbered(count)
        let summary = await run(documents.map { .success($0) }, into: database.engine)
        #expect(summary.failure == nil)
        #expect(summary.progress.documents == count)
        #expect(try await database.documents == documents)
        // Once more changes nothing.
        let again = await run(documents.map { .success($0) }, into: database.engine)
        #expect(again.progress.documents == count)
        #expect(try await database.documents == documents)
        await database.engine.shutdown()
    }

    @Test func `commits stay within their limits`() async throws {
        let database = try TestDatabase()
        let service = FlakyService(database.engine)
        let limits = ImportLimits(documentsPerCommit: 7, bytesPerCommit: 1_000)
        let large = TransferredDocument(key: DocumentKey(trusted: "c/large"), fields: FieldBytes(FieldMap([("s", .string(String(repeating: "x", count: 5_000)))])))
        let documents = numbered(20) + [large] + numbered(3)
        let summary = await run(documents.map { .success($0) }, into: service, limits: limits)
        #expect(summary.progress.documents == 24)
        let sizes = service.plan.withLock { $0.submitted.map(\.count) }
        #expect(sizes == [7, 7, 6, 1, 3])
    }

    @Test func `of a path that is there twice the later one stays, whatever fails in between`() async throws {
        let database = try TestDatabase()
        let service = FlakyService(database.engine, .init(commits: [FirestoreError(.unavailable, "gone"), nil, nil]))
        let items = (0..<30).map { Result<_, FirestoreError>.success(TestDatabase.document("c/same", $0)) }
        let summary = await run(items, into: service, limits: ImportLimits(documentsPerCommit: 1, commitsInFlight: 4, retries: 1))
        #expect(summary.failure == nil)
        #expect(summary.progress.documents == 30)
        #expect(try await database.documents == [TestDatabase.document("c/same", 29)])
    }

    @Test func `a bad document stops an import; the documents before it are written, and the position is named`() async throws {
        let database = try TestDatabase()
        let documents = numbered(800)
        let summary = await run(
            documents[..<700].map { .success($0) } + [.failure(Self.bad)] + documents[700...].map { .success($0) }, into: database.engine)
        #expect(summary.failure?.location == "list, line 701")
        #expect(summary.progress.documents == 700)
        #expect(try await database.documents.count == 700)
    }

    @Test func `bad documents are left out as far as allowed`() async throws {
        let database = try TestDatabase()
        let told = Mutex<[String?]>([])
        let items: [Result<TransferredDocument, FirestoreError>] = [.failure(Self.bad), .success(TestDatabase.document("c/1")), .failure(Self.bad)]
        let summary = await run(items, into: database.engine, badAllowed: 2, onBad: { error in told.withLock { $0.append(error.location) } })
        #expect(summary.failure == nil)
        #expect(summary.bad == 2)
        #expect(told.withLock { $0 } == ["list, line 1", "list, line 3"])
        let stopped = await run(items, into: database.engine, badAllowed: 1)
        #expect(stopped.failure?.location == "list, line 3")
        #expect(stopped.progress.documents == 1)
    }

    @Test func `a document that no write may contain is rejected with its line`() async throws {
        let database = try TestDatabase()
        func document(_ path: String, _ fields: [(String, Value)]) -> TransferredDocument {
            TransferredDocument(key: DocumentKey(trusted: path), fields: FieldBytes(FieldMap(fields)))
        }
        let cases: [(TransferredDocument, location: String, message: String)] = [
            (document("c/__x__", []), "list, line 1: c/__x__", "reserved"), (document("c", []), "list, line 1: c", "even number"),
            (document("c/d", [("__a__", .null)]), "list, line 1: c/d, field __a__", "reserved"),
            (document("c/d", [("a", try pendingTimestamp.value)]), "list, line 1: c/d, field a.__local_write_time__", "reserved"),
            (document("c/d", [("a", .array([.array([])]))]), "list, line 1: c/d, field a[0]", "an array contains an array"),
            (document("c/d", [("s", .string(String(repeating: "x", count: 1_048_488)))]), "list, line 1: c/d, field s", "longer than"),
            (
                document("c/d", [("a", .string(String(repeating: "x", count: 600_000))), ("b", .string(String(repeating: "x", count: 600_000)))]),
                "list, line 1: c/d", "exceeds the maximum"
            ),
        ]
        for (document, location, message) in cases {
            let summary = await run([.success(document)], into: database.engine)
            #expect(summary.failure?.location == location)
            #expect(summary.failure?.message.contains(message) == true, "\(String(describing: summary.failure))")
        }
        #expect(try await database.documents == [])
    }

    @Test func `a file that breaks off leaves the documents before it imported`() async throws {
        let database = try TestDatabase()
        let summary = await run(
            numbered(10).map { .success($0) }, into: database.engine, failure: FirestoreError(.dataLoss, "torn", at: "list, byte 5"))
        #expect(summary.failure?.message == "torn")
        #expect(summary.progress.documents == 10)
        #expect(try await database.documents.count == 10)
    }

    @Test func `a rejected commit stops an import, and the error names the position`() async throws {
        let database = try TestDatabase()
        let refusal = FirestoreError(.permissionDenied, "no")
        let service = FlakyService(database.engine, .init(commits: [nil, refusal]))
        let summary = await run(
            numbered(40).map { .success($0) }, into: service, limits: ImportLimits(documentsPerCommit: 10, commitsInFlight: 2, retries: 3))
        #expect(summary.failure?.code == .permissionDenied)
        #expect(summary.failure?.location == "list, lines 11 to 20")
        #expect(summary.progress.documents == 20 || summary.progress.documents == 10)
        #expect(try await database.documents.count == summary.progress.documents)
    }

    @Test func `a transient failure is retried with longer and longer delays, and then reported`() async throws {
        let database = try TestDatabase()
        let gone = FirestoreError(.unavailable, "gone")
        let service = FlakyService(database.engine, .init(commits: [gone, gone, nil]))
        let pauses = Mutex<[Duration]>([])
        let limits = ImportLimits(commitsInFlight: 1, retries: 2)
        let passed = await run(
            numbered(5).map { .success($0) }, into: service, limits: limits, pause: { pause in pauses.withLock { $0.append(pause) } })
        #expect(passed.failure == nil)
        #expect(pauses.withLock { $0 } == [.milliseconds(250), .milliseconds(500)])
        service.plan.withLock { $0.commits = [gone, gone, gone] }
        let failed = await run(numbered(5).map { .success($0) }, into: service, limits: limits)
        #expect(failed.failure?.code == .unavailable)
        #expect(failed.progress.documents == 0)
    }

    @Test func `a cancelled import stops, and imported documents stay`() async throws {
        let database = try TestDatabase()
        let endless = Mutex(0)
        let task = Task {
            let transfer = DocumentImport(into: database.engine, context: .embedded, limits: ImportLimits(documentsPerCommit: 1))
            return await transfer.run { () throws(FirestoreError) in EndlessInput { endless.withLock { $0 += 1 } } }
        }
        while endless.withLock({ $0 }) < 50 { await Task.yield() }
        task.cancel()
        let summary = await task.value
        #expect(summary.failure?.code == .cancelled)
        #expect(try await database.documents.count == summary.progress.documents)
    }

    struct EndlessInput: DocumentInput {
        let onNext: () -> Void
        private(set) var bytesRead: Int64 = 0
        var size: Int64? { nil }

        init(_ onNext: @escaping () -> Void) { self.onNext = onNext }

        mutating func next() throws(FirestoreError) -> ImportItem? {
            onNext()
            bytesRead += 1
            return ImportItem(ImportPlace(file: "endless", .line(Int(bytesRead))), .success(TestDatabase.document("c/\(bytesRead)")))
        }
    }
}
