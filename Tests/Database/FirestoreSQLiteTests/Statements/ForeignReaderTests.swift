// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

/// Another process that reads the file (OT-5): no commit waits for it, and the log is short again once it has gone.
@Suite struct ForeignReaderTests {
    private static let megabyte = 1 << 20

    /// Writes two times half a megabyte: the document, and its previous state in the change log.
    private static func write(_ number: Int, in store: SQLiteStore) throws {
        let text = Value.string(String(repeating: "x", count: 500_000))
        try store.put([("c/0", FieldMap([("text", text), ("n", .integer(Int64(number)))]))])
        try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
            _ = try transaction.pruneLog(before: transaction.lastCommitTime, limit: 100)
        }
    }

    /// On a thread that may block: on a small machine the task pool has two, which other tests need.
    private static func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            DispatchQueue(label: "test").async { continuation.resume(with: Result { try body() }) }
        }
    }

    @Test func `while another process reads, commits do not wait and the log grows; it is short again once that has ended`() async throws {
        try await Self.onThread {
            let folder = try ScratchFolder()
            let file = folder.file()
            let store = try SQLiteStore.open(file: file)
            try Self.write(0, in: store)
            let reader = try ForeignReader(of: file)
            defer { reader.stop() }
            let seen = try reader.tell("begin")
            for number in 1...150 { try Self.write(number, in: store) }
            // Well beyond the size from which the writer waits for reads of its own.
            #expect(store.logBytes > 100 * Self.megabyte)
            #expect(try reader.tell("look") == seen)
            try reader.tell("end")
            for number in 151...160 { try Self.write(number, in: store) }
            #expect(store.logBytes < 64 * Self.megabyte)
            try store.checkAndClose()
        }
    }

    @Test func `while another process reads, the writer does not wait for its own reads either, which would not help`() async throws {
        try await Self.onThread {
            let folder = try ScratchFolder()
            let file = folder.file()
            let store = try SQLiteStore.open(file: file)
            try Self.write(0, in: store)
            let reader = try ForeignReader(of: file)
            defer { reader.stop() }
            try reader.tell("begin")
            for number in 1...60 { try Self.write(number, in: store) }
            let (begun, over, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            DispatchQueue.global().async {
                try? store.read { (view: ReadTransaction) throws(FirestoreError) in
                    _ = try view.document(DocumentKey(trusted: "c/0"))
                    begun.signal()
                    over.wait()
                }
                done.signal()
            }
            begun.wait()
            for number in 61...80 { try Self.write(number, in: store) }
            #expect(store.reads.waits == 0)
            over.signal()
            done.wait()
            try store.checkAndClose()
        }
    }

    @Test func `a read in progress is waited for, a later one is not`() {
        let reads = RunningReads()
        #expect(reads.wait(until: .distantFuture))
        let first = reads.begin()
        #expect(!reads.wait(until: .now()))
        let waiting = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            #expect(reads.wait(until: .distantFuture))
            waiting.signal()
        }
        for _ in 0..<60_000 where !reads.isAwaited { usleep(1_000) }
        #expect(reads.isAwaited)
        let second = reads.begin()
        reads.end(first)
        waiting.wait()
        reads.end(second)
        #expect(reads.wait(until: .now()))
    }

    @Test func `a database that is closed leaves no log, whichever connections have read it`() async throws {
        try await Self.onThread {
            let folder = try ScratchFolder()
            let file = folder.file()
            let store = try SQLiteStore.open(file: file)
            try store.put(["c/0", "c/1"])
            _ = try store.lookupNow([DocumentKey(trusted: "c/0")])
            #expect(try store.get("c/1") != nil)
            try store.checkAndClose()
            #expect(!FileManager.default.fileExists(atPath: file + "-wal"))
            #expect(!FileManager.default.fileExists(atPath: file + "-shm"))
        }
    }
}
