// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import Foundation
import ModeSupport
import Testing

@testable import FirebaseFirestore

/// The queue of writes as the app sees it: receipts, awaited writes, the lists (SY-D21 … SY-D23).
@Suite struct PendingWritesTests {
    private let backend = QueueingBackend()

    private func open(_ change: (FirestoreSettings) -> Void = { _ in }) -> Firestore {
        let databaseID = DatabaseID(projectID: "demo-queue")
        let db = Firestore(app: .unregistered(projectID: databaseID.projectID), databaseID: databaseID, isOverService: true) {
            [backend] _, _, _ throws(FirestoreError) in backend
        }
        let settings = db.settings
        settings.dispatchQueue = DispatchQueue(label: "hearth.tests.queue")
        change(settings)
        db.settings = settings
        return db
    }

    /// Without waiting, as code that is not asynchronous does it.
    private func handOver(_ db: Firestore, _ path: String = "c/a") -> WriteReceipt { db.document(path).setData(["n": 1]) }

    private func isWaiting(_ flag: borrowing Mutex<Bool>) async -> Bool {
        for _ in 0..<20 { await Task.yield() }
        return !flag.withLock { $0 }
    }

    // MARK: Receipts

    @Test func `a receipt says how far the write has come`() async throws {
        let db = open()
        let (first, second) = (handOver(db), handOver(db))
        guard case .queued(position: 1) = try await second.state else { return #expect(Bool(false)) }
        backend.change(1) { $0.stage = .sent }
        guard case .sent = try await first.state else { return #expect(Bool(false)) }
        backend.acknowledge(1)
        guard case .acknowledged = try await first.state else { return #expect(Bool(false)) }
        backend.reject(2, FirestoreError(.permissionDenied, "no"))
        guard case .rejected(let error) = try await second.state else { return #expect(Bool(false)) }
        #expect(isFailure(error, .permissionDenied))
        await #expect(throws: FirestoreErrorCode.self) { try await second.acknowledged }
    }

    @Test func `an id finds the receipt again after a restart, whatever has happened meanwhile`() async throws {
        var db = open()
        let receipts = (0..<4).map { _ in handOver(db) }
        let ids = try receipts.map { try #require($0.id) }
        let stored = try JSONEncoder().encode(ids)
        backend.forgetCallers()
        backend.acknowledge(1)
        backend.reject(2, FirestoreError(.notFound, "gone"))
        db = open()
        let read = try JSONDecoder().decode([WriteReceipt.ID].self, from: stored)
        #expect(read == ids && WriteReceipt.ID(ids[3].description) == ids[3])
        try await #require(try await db.receipt(read[0])).acknowledged
        let failed = try #require(try await db.receipt(read[1]))
        #expect(isFailure(await failure { try await failed.acknowledged }, .notFound))
        // One that is still queued learns its outcome.
        let third = try #require(try await db.receipt(read[2]))
        try await third.saved
        backend.acknowledge(3)
        try await third.acknowledged
        try await db.pendingWrites.cancel(read[3])
        #expect(try await db.receipt(read[3]) == nil)
        let (foreign, later) = (WriteReceipt.ID(cache: 8, number: 1), WriteReceipt.ID(cache: 7, number: 99))
        #expect(try await db.receipt(foreign) == nil)
        #expect(try await db.receipt(later) == nil)
        for text in ["", "7", "x-1", "7--1", "7-1-1", "-"] { #expect(WriteReceipt.ID(text) == nil, "\(text)") }
    }

    @Test func `the embedded database has neither ids nor a queue`() async throws {
        let db = Firestore.firestore(app: Scratch.app())
        let settings = db.settings
        settings.storage = .memory
        db.settings = settings
        let receipt = handOver(db)
        try await receipt.saved
        #expect(receipt.id == nil)
        #expect(try await db.pendingWrites.current().isEmpty)
        #expect(try await db.failedWrites.current().isEmpty)
        var lists = 0
        for try await list in db.pendingWrites { lists += list.isEmpty ? 1 : 10 }
        #expect(lists == 1)
        try await db.pendingWrites.retryNow()
        let id = try #require(WriteReceipt.ID("7-1"))
        #expect(try await db.receipt(id) == nil)
        #expect(isFailure(await failure { try await db.pendingWrites.cancel(id) }, .notFound))
        #expect(isFailure(await failure { try await db.failedWrites.dismiss(id) }, .notFound))
    }

    // MARK: Awaited writes

    @Test func `an awaited write returns when the client is offline, before or after the call`() async throws {
        let db = open()
        backend.goOffline()
        try await db.document("c/a").setData(["n": 1])
        try await db.batch().commit()
        backend.goOffline(false)
        let hasReturned = Mutex(false)
        let waiting = Task {
            try await db.document("c/a").delete()
            hasReturned.withLock { $0 = true }
        }
        while try await db.pendingWrites.current().count < 3 { await Task.yield() }
        #expect(await isWaiting(hasReturned))
        backend.goOffline()
        try await waiting.value
        #expect(try await db.pendingWrites.current().map(\.id.number) == [1, 2, 3])
    }

    @Test func `online a write waits for the server, and throws the server's error`() async throws {
        let db = open()
        let accepted = Task { try await db.document("c/a").setData(["n": 1]) }
        while try await db.pendingWrites.current().isEmpty { await Task.yield() }
        backend.acknowledge(1)
        try await accepted.value
        let refused = Task { try await db.document("c/a").updateData(["n": 1]) }
        while try await db.pendingWrites.current().isEmpty { await Task.yield() }
        backend.reject(2, FirestoreError(.notFound, "no"))
        #expect(isFailure(await failure { try await refused.value }, .notFound))
    }

    @Test func `the setting decides whether a write waits for the cache or the server`() async throws {
        // The original: offline it does not return.
        let db = open { $0.awaitedWrites = .acknowledged }
        backend.goOffline()
        let hasReturned = Mutex(false)
        let waiting = Task {
            try await db.document("c/a").setData(["n": 1])
            hasReturned.withLock { $0 = true }
        }
        #expect(await isWaiting(hasReturned))
        while try await db.pendingWrites.current().isEmpty { await Task.yield() }
        backend.acknowledge(1)
        try await waiting.value
        backend.goOffline(false)
        try await open { $0.awaitedWrites = .saved }.document("c/a").setData(["n": 1])
        #expect(try await db.pendingWrites.current().count == 1)
    }

    @Test func `terminating ends the wait, not the write, and completion handlers are not called`() async throws {
        let db = open()
        let receipt = handOver(db)
        let calls = Mutex(0)
        db.document("c/b").setData(["n": 1]) { _ in calls.withLock { $0 += 1 } }
        let awaited = Task { try await receipt.acknowledged }
        try await db.terminate()
        #expect(isFailure(await failure { try await awaited.value }, .cancelled))
        await withCheckedContinuation { continuation in db.settings.dispatchQueue.async { continuation.resume() } }
        #expect(calls.withLock { $0 } == 0)
        #expect(try await open().pendingWrites.current().count == 2)
        #expect(isFailure(await failure { try await db.pendingWrites.current() }, .failedPrecondition))
    }

    // MARK: The lists

    @Test func `the queue shows documents, kinds, age, attempts, the last error`() async throws {
        let db = open()
        let batch = db.batch()
        batch.setData(["n": 1], forDocument: db.document("c/a")).updateData(["n": 2], forDocument: db.document("c/b"))
        batch.deleteDocument(db.document("c/c"))
        let receipt = batch.commit(completion: nil)
        backend.change(1) { write in
            write.attempts = 3
            write.lastError = FirestoreError(.resourceExhausted, "slow down")
            write.stage = .held
        }
        let write = try #require(try await db.pendingWrites.current().first)
        #expect(write.id == receipt.id && write.documents.map(\.path) == ["c/a", "c/b", "c/c"] && write.kinds == [.set, .update, .delete])
        #expect(write.localWriteTime == Date(timeIntervalSince1970: 1) && write.attempts == 3 && write.byteCount == 100)
        #expect(write.stage == .held && write.lastError?.code == .resourceExhausted)
    }

    @Test func `a loop over the queue receives its changes`() async throws {
        let db = open()
        var iterator = db.pendingWrites.makeAsyncIterator()
        #expect(try await iterator.next()?.count == 0)
        let receipt = handOver(db)
        #expect(try await iterator.next()?.count == 1)
        backend.acknowledge(1)
        #expect(try await iterator.next()?.count == 0)
        try await receipt.acknowledged
    }

    @Test func `an observation ends with its loop`() async throws {
        let db = open()
        for try await _ in db.failedWrites { break }
        #expect(backend.observers == 0)
    }

    @Test func `a pending write can be canceled until it is sent`() async throws {
        let db = open()
        let (first, second) = (handOver(db), handOver(db))
        let (one, other) = (try #require(first.id), try #require(second.id))
        backend.change(1) { $0.stage = .sent }
        #expect(isFailure(await failure { try await db.pendingWrites.cancel(one) }, .failedPrecondition))
        try await db.pendingWrites.cancel(other)
        #expect(isFailure(await failure { try await second.acknowledged }, .cancelled))
        #expect(isFailure(await failure { try await db.pendingWrites.cancel(other) }, .notFound))
        #expect(isFailure(await failure { try await db.pendingWrites.cancel(WriteReceipt.ID(cache: 8, number: 1)) }, .notFound))
        try await db.pendingWrites.retryNow()
        #expect(backend.calls == ["retryNow"])
    }

    @Test func `failed writes are retained until they are retried or dismissed, also over a restart`() async throws {
        var db = open()
        let receipts = (0..<2).map { handOver(db, "c/\($0)") }
        for id in [1, 2] as [Int64] { backend.reject(id, FirestoreError(.permissionDenied, "rules")) }
        _ = receipts
        db = open()
        var iterator = db.failedWrites.makeAsyncIterator()
        let failed = try #require(try await iterator.next())
        #expect(failed.map { $0.documents.map(\.path) } == [["c/0"], ["c/1"]] && failed.allSatisfy { $0.error.code == .permissionDenied })
        #expect(failed[0].failedAt == Date(timeIntervalSince1970: 2) && failed[0].kinds == [.set] && failed[0].id == receipts[0].id)
        let receipt = try await db.failedWrites.retry(failed[0].id)
        #expect(receipt.id?.number == 3)
        backend.acknowledge(3)
        try await receipt.acknowledged
        try await db.failedWrites.dismiss(failed[1].id)
        #expect(try await db.failedWrites.current().isEmpty)
        #expect(isFailure(await failure { try await db.failedWrites.retry(failed[1].id) }, .notFound))
        #expect(isFailure(await failure { try await db.failedWrites.dismiss(failed[1].id) }, .notFound))
    }

    // MARK: Sources, bundles

    @Test func `aggregates and vector searches name their source`() async throws {
        let query = open().collection("c")
        for source in [AggregateSource.server, .cache] { _ = try? await query.count.getAggregation(source: source) }
        let vector = query.findNearest(vectorField: "v", queryVector: VectorValue([1]), limit: 1, distanceMeasure: .euclidean)
        _ = try await vector.getDocuments()
        _ = try await vector.getDocuments(source: .cache)
        #expect(backend.calls == ["aggregate server", "aggregate cache", "run default", "run cache"])
    }

    @Test func `bundles are stored in the client's cache`() async throws {
        let db = open()
        let progress = try await db.loadBundle(Data("abc".utf8))
        #expect(progress.state == .success && progress.documentsLoaded == 2 && backend.calls == ["loadBundle"])
        #expect(await db.getQuery(named: "known") != nil)
        #expect(await db.getQuery(named: "unknown") == nil)
        // A failure comes with the last progress.
        let task = db.loadBundle(Data(), completion: nil)
        let last = await withCheckedContinuation { continuation in
            _ = task.addObserver { progress in if progress.state == .error { continuation.resume(returning: progress) } }
        }
        #expect(last.documentsLoaded == 1 && last.totalDocuments == 2)
    }
}
