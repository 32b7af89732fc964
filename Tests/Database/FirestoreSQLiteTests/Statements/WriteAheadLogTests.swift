// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

/// The write-ahead log stays short while others read (decision 25).
@Suite struct WriteAheadLogTests {
    private static let bound = 64 * 1_024 * 1_024

    /// Reads that overlap: each holds its view until the next one has its own, so that there is one at any moment.
    private final class Readers: Sendable {
        private let isOver = Mutex(false)
        private let group = DispatchGroup()

        init(_ store: SQLiteStore) {
            let begun = DispatchSemaphore(value: 0)
            for _ in 0..<2 {
                DispatchQueue.global().async(group: group) { [self] in
                    while !isOver.withLock({ $0 }) {
                        try? store.read { (view: ReadTransaction) throws(FirestoreError) in
                            _ = try view.document(DocumentKey(trusted: "c/0"))
                            begun.signal()
                            // For the other one. It may be over.
                            _ = begun.wait(timeout: .now() + .milliseconds(20))
                        }
                    }
                }
            }
        }

        func stop() {
            isOver.withLock { $0 = true }
            group.wait()
        }
    }

    /// On a thread that may block: on a small machine the task pool has two, which other tests need.
    private static func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            DispatchQueue(label: "test").async { continuation.resume(with: Result { try body() }) }
        }
    }

    private static func size(of file: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: file + "-wal")[.size] as? Int ?? 0
    }

    @Test(arguments: [false, true])
    func `a hundred megabytes are written, and the log stays below sixty-four`(hasReaders: Bool) async throws {
        try await Self.onThread { try Self.writeMuch(hasReaders: hasReaders) }
    }

    private static func writeMuch(hasReaders: Bool) throws {
        let folder = try ScratchFolder()
        let file = folder.file()
        let store = try SQLiteStore.open(file: file)
        try store.put(["c/0"])
        let readers = hasReaders ? Readers(store) : nil
        defer { readers?.stop() }
        let text = Value.string(String(repeating: "x", count: 500_000))
        var largest = 0
        for number in 0..<120 {
            // The same few documents: the database itself stays small, but for the change log.
            try store.put([("c/\(number % 10)", FieldMap([("text", text), ("n", .integer(Int64(number)))]))])
            try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
                _ = try transaction.pruneLog(before: transaction.lastCommitTime, limit: 100)
            }
            largest = max(largest, try size(of: file))
        }
        #expect(largest < bound, "the log has grown to \(largest >> 20) MB")
        readers?.stop()
        try store.checkAndClose()
    }

    @Test func `a reader that stays has a stable view, and the log is short again once it has gone`() async throws {
        try await Self.onThread { try Self.readForLong() }
    }

    private static func readForLong() throws {
        let folder = try ScratchFolder()
        let file = folder.file()
        let store = try SQLiteStore.open(file: file)
        try store.put([("c/0", FieldMap([("n", .integer(-1))]))])
        let (begun, over, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let seen = Mutex<[Int64]>([])
        DispatchQueue.global().async {
            try? store.read { (view: ReadTransaction) throws(FirestoreError) in
                func look() throws(FirestoreError) {
                    guard case .integer(let number)? = try view.document(DocumentKey(trusted: "c/0"))?.fields.map["n"] else { return }
                    seen.withLock { $0.append(number) }
                }
                try look()
                begun.signal()
                over.wait()
                try look()
            }
            done.signal()
        }
        begun.wait()
        let text = Value.string(String(repeating: "x", count: 500_000))
        func write(_ number: Int64) throws { try store.put([("c/0", FieldMap([("text", text), ("n", .integer(number))]))]) }
        for number in 0..<50 { try write(Int64(number)) }
        over.signal()
        done.wait()
        #expect(seen.withLock { $0 } == [-1, -1])
        for number in 50..<60 { try write(Int64(number)) }
        #expect(try size(of: file) < bound)
        try store.checkAndClose()
    }

    @Test func `the log is copied beside a transaction that is open`() async throws {
        try await Self.onThread {
            let folder = try ScratchFolder()
            let file = folder.file()
            let store = try SQLiteStore.open(file: file)
            for number in 0..<20 { try store.put(["c/\(number)"]) }
            let copier = LogCopier(path: file, few: 32)
            #expect(copier.takeCopied() == nil)
            try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
                copier.start()
                copier.wait()
                _ = try transaction.pruneLog(before: transaction.lastCommitTime, limit: 1)
            }
            let copied = try #require(copier.takeCopied())
            #expect(copied > 0 && copier.takeFailure() == nil && copier.takeCopied() == nil)
            try store.put(["c/after"])
            copier.start()
            copier.wait()
            #expect(try #require(copier.takeCopied()) > copied)
            // Without the log, the file has every commit.
            let copy = folder.file("copy.sqlite")
            try FileManager.default.copyItem(atPath: file, toPath: copy)
            copier.close()
            try store.checkAndClose()
            let opened = try SQLiteStore.open(file: copy)
            try opened.read { (view: ReadTransaction) throws(FirestoreError) in
                let found = (try view.document(DocumentKey(trusted: "c/after")), try view.document(DocumentKey(trusted: "c/19")))
                #expect(found.0 != nil && found.1 != nil)
            }
            try opened.checkAndClose()
        }
    }

    @Test func `a copy that fails is reported once, and the next one can succeed`() async throws {
        try await Self.onThread {
            let folder = try ScratchFolder()
            let file = folder.file()
            let copier = LogCopier(path: file, few: 32)
            try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
            copier.start()
            copier.wait()
            #expect(copier.takeFailure() != nil && copier.takeFailure() == nil)
            try FileManager.default.removeItem(atPath: file)
            let store = try SQLiteStore.open(file: file)
            try store.put(["c/0"])
            copier.start()
            copier.wait()
            #expect(copier.takeFailure() == nil && copier.takeCopied() ?? 0 > 0)
            copier.close()
            try store.checkAndClose()
        }
    }
}
