// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseFirestore
import FirestoreCore
import Foundation
import ModeSupport
import Testing

/// `runTransaction` in all its forms (TX-11 … TX-19).
@Suite struct TransactionTests {
    let db = Scratch.firestore()
    var counter: DocumentReference { db.document("counters/one") }

    @Sendable private func increment(_ transaction: Transaction, _ errorPointer: NSErrorPointer) -> Int? {
        do {
            let count = try transaction.getDocument(counter)["n"] as? Int ?? 0
            transaction.setData(["n": count + 1], forDocument: counter)
            return count + 1
        } catch {
            errorPointer?.pointee = error as NSError
            return nil
        }
    }

    @Test func `a transaction reads, writes and returns a value`() async throws {
        #expect(try await db.runTransaction { increment($0, $1) } as? Int == 1)
        let value: Int? = await completion { done in
            db.runTransaction({ increment($0, $1) }) { value, error in
                #expect(error == nil)
                done(value as? Int)
            }
        }
        #expect(value == 2)
        #expect(try await counter.getDocument()["n"] as? Int == 2)
    }

    @Test func `concurrent increments lose nothing`() async throws {
        // Five attempts each; four at a time leave enough of them.
        for _ in 0..<5 {
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 { group.addTask { _ = try await db.runTransaction { increment($0, $1) } } }
                try await group.waitForAll()
            }
        }
        #expect(try await counter.getDocument()["n"] as? Int == 20)
    }

    @Test func `every kind of write, and a document that is only read`() async throws {
        let (a, b, c, d) = (db.document("x/a"), db.document("x/b"), db.document("x/c"), db.document("x/d"))
        for reference in [a, b, c, d] { try await reference.setData(["n": 1]) }
        let value = try await db.runTransaction { transaction, errorPointer in
            do {
                for reference in [a, b, c, d] { _ = try transaction.getDocument(reference) }
                transaction.setData(["m": 2], forDocument: a, merge: true)
                transaction.setData(["n": 5, "ignored": 1], forDocument: b, mergeFields: ["n"])
                transaction.updateData(["n": FieldValue.increment(Int64(1))], forDocument: b)
                transaction.deleteDocument(c)
            } catch {
                errorPointer?.pointee = error as NSError
            }
            return nil
        }
        #expect(value == nil)
        #expect(try await a.getDocument().data()?.count == 2)
        #expect(try await b.getDocument()["n"] as? Int == 6)
        #expect(try await c.getDocument().exists == false)
    }

    @Test(.only(.optimisticTransactions)) func `a conflict runs the block again, five times at most`() async throws {
        let attempts = Mutex(0)
        let error = await failure {
            try await db.runTransaction { transaction, _ in
                attempts.withLock { $0 += 1 }
                _ = try? transaction.getDocument(counter)
                write(["n": attempts.withLock { $0 }])
                transaction.setData(["n": -1], forDocument: counter)
                return nil
            }
        }
        #expect(attempts.withLock { $0 } == 5)
        #expect(error is FirestoreErrorCode)
        attempts.withLock { $0 = 0 }
        let options = TransactionOptions()
        #expect(options.maxAttempts == 5)
        options.maxAttempts = 2
        let again: (any Error)? = await completion { done in
            db.runTransaction(
                with: options,
                block: { transaction, _ in
                    attempts.withLock { $0 += 1 }
                    _ = try? transaction.getDocument(counter)
                    write(["n": attempts.withLock { $0 }])
                    // Only read: verified at the commit (TX-15).
                    return nil
                }, completion: { _, error in done(error) })
        }
        #expect(attempts.withLock { $0 } == 2)
        #expect(again is FirestoreErrorCode)
    }

    /// From outside of the transaction.
    /// A concurrent write of another client, acknowledged: on a server a transaction's commit is not queued after plain writes.
    private func write(_ data: [String: Any]) {
        let acknowledged = DispatchSemaphore(value: 0)
        counter.setData(data) { _ in acknowledged.signal() }
        acknowledged.wait()
    }

    @Test func `an error of another domain ends the transaction immediately`() async {
        let attempts = Mutex(0)
        let error = await failure {
            try await db.runTransaction { transaction, errorPointer in
                attempts.withLock { $0 += 1 }
                transaction.setData(["n": 1], forDocument: counter)
                errorPointer?.pointee = NSError(domain: "bank", code: -1, userInfo: [NSLocalizedDescriptionKey: "broke"])
                return nil
            }
        } as NSError?
        #expect(error?.domain == "bank" && error?.code == -1)
        #expect(attempts.withLock { $0 } == 1)
        #expect((try? await counter.getDocument().exists) == false)
    }

    @Test func `reads come before writes`() async throws {
        let error = await failure {
            try await db.runTransaction { transaction, errorPointer in
                transaction.setData([:], forDocument: counter)
                do {
                    _ = try transaction.getDocument(db.document("x/a"))
                } catch {
                    errorPointer?.pointee = error as NSError
                }
                return nil
            }
        }
        #expect(isFailure(error, .invalidArgument, naming: "x/a"))  // TX-12
        let swallowed = await failure {
            try await db.runTransaction { transaction, _ in
                transaction.setData([:], forDocument: counter)
                _ = try? transaction.getDocument(db.document("x/a"))
                return nil
            }
        }
        #expect(isFailure(swallowed, .invalidArgument))
    }

    @Test func `updating a document read as missing is rejected, updating one that was not read requires it to exist`() async {
        let read = await failure {
            try await db.runTransaction { transaction, _ in
                _ = try? transaction.getDocument(counter)
                transaction.updateData(["n": 1], forDocument: counter)
                return nil
            }
        }
        #expect(isFailure(read, .invalidArgument, naming: "counters/one"))  // TX-13
        let blind = await failure {
            try await db.runTransaction { transaction, _ in
                transaction.updateData(["n": 1], forDocument: counter)
                return nil
            }
        }
        #expect(isFailure(blind, .notFound))
    }

    @Test func `bad references fail inside and at the commit`() async {
        let foreign = Scratch.firestore().document("x/a")
        for bad in [db.document("bad"), foreign] {
            let error = await failure {
                try await db.runTransaction { transaction, _ in
                    #expect(throws: FirestoreErrorCode.self) { try transaction.getDocument(bad) }
                    transaction.deleteDocument(bad)
                    return nil
                }
            }
            #expect(isFailure(error, .invalidArgument))
        }
    }

    @Test func `a transaction without reads or writes succeeds`() async throws {
        #expect(try await db.runTransaction { _, _ in 7 } as? Int == 7)  // TX-19
    }
}
