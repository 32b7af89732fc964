// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// The log messages of failures that no caller handles. Each test runs in a separate process and reads its standard error.
@Suite struct UnhandledFailureTests {
    private func lines(_ result: ExitTest.Result) -> [String] {
        String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n").map(String.init).filter {
            $0.contains("failed: ")
        }
    }

    @Test func `a write without a completion handler that fails is one line in the log`() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let db = Scratch.firestore()
            synchronously { db.document("books/x").updateData(["n": 1]) }
            try await db.waitForPendingWrites()
            try await db.terminate()
        }
        let lines = lines(result)
        #expect(lines.count == 1, "\(lines)")
        let line = lines.first ?? ""
        for words in ["warning", "write at books/x failed: notFound", "'try await'", "completion handler"] {
            #expect(line.contains(words), "\(line) lacks \(words)")
        }
    }

    @Test func `every write without a completion handler logs its failure`() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let db = Scratch.firestore()
            try synchronously {
                let odd = db.document("odd")
                odd.setData([:])
                odd.setData([:], merge: true)
                odd.setData([:], mergeFields: [])
                odd.updateData([:])
                odd.delete()
                try odd.setData(from: ["n": 1])
                db.collection("a/b").addDocument(data: [:])
                let missing = db.document("c/missing")
                db.batch().updateData(["n": 1], forDocument: missing).deleteDocument(db.document("c/other")).commit()
                db.loadBundle(Data("?".utf8))
            }
            try await db.waitForPendingWrites()
            _ = await db.getQuery(named: "none")
            try await db.terminate()
        }
        let lines = lines(result)
        #expect(lines.filter { $0.contains("write at odd failed: invalidArgument") }.count == 6, "\(lines)")
        #expect(lines.contains { $0.contains("write at a/b") }, "\(lines)")
        #expect(lines.contains { $0.contains("write at c/missing (one of 2 writes committed together) failed: notFound") }, "\(lines)")
        #expect(lines.contains { $0.contains("loadBundle(_:) failed: unknown") }, "\(lines)")
    }

    @Test func `failures that a caller handles are not logged, nor any below the level of warnings`() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let db = Scratch.firestore()
            let odd = db.document("odd")
            _ = await failure { try await odd.setData([:]) }
            _ = await failure { try await odd.setData(from: ["n": 1]).acknowledged }
            _ = await told { odd.delete(completion: $0) }
            _ = await failure { try await db.batch().setData([:], forDocument: odd).commit() }
            synchronously { odd.setData([:]) { _ in } }
            synchronously { db.document("a/b").setData([:]) }
            FirebaseConfiguration.shared.setLoggerLevel(.error)
            synchronously { odd.setData([:]) }
            try await db.waitForPendingWrites()
            try await db.terminate()
        }
        #expect(lines(result).isEmpty, "\(lines(result))")
    }

    @Test func `the index manager of a terminated instance says that its calls fail`() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let db = Scratch.firestore()
            let manager = db.persistentCacheIndexManager
            try await db.terminate()
            manager?.enableIndexAutoCreation()
            db.persistentCacheIndexManager?.disableIndexAutoCreation()
            manager?.deleteAllIndexes()
        }
        let lines = lines(result)
        let operations =
            Mode.can(.indexes)
            ? ["enableIndexAutoCreation()", "disableIndexAutoCreation()", "deleteAllIndexes()"]
            : ModeCache.current == .disk ? ["enableIndexAutoCreation()", "disableIndexAutoCreation()", "deleteAllIndexes()"] : []
        for operation in operations {
            #expect(lines.contains { $0.contains(operation) && $0.contains("terminated") }, "\(operation): \(lines)")
        }
    }
}
