// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import Foundation
import ModeSupport
import Testing

/// Many transactions that want the same.
@Suite(.only(.optimisticTransactions)) struct TransactionContentionTests {
    private final class Values: Sendable {
        let all = Mutex<[Int]>([])
    }

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

    @Test("all that increment one document at the same time succeed", arguments: [16, 64])
    func increments(count: Int) async throws {
        let values = Values()
        let start = ContinuousClock.now
        try await withThrowingTaskGroup { group in
            for _ in 0..<count {
                group.addTask {
                    let value = try await db.runTransaction { increment($0, $1) } as? Int
                    values.all.withLock { $0.append(value ?? 0) }
                }
            }
            try await group.waitForAll()
        }
        print("\(count) transactions on one document: \(ContinuousClock.now - start)")
        #expect(values.all.withLock { $0.sorted() } == Array(1...count))
        #expect(try await counter.getDocument()["n"] as? Int == count)
    }

    @Test func `continuous transactions do not starve others`() async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<12 {
                group.addTask { for _ in 0..<15 { _ = try await db.runTransaction { increment($0, $1) } } }
            }
            try await group.waitForAll()
        }
        #expect(try await counter.getDocument()["n"] as? Int == 180)
    }

    @Test func `transfers between few accounts lose nothing`() async throws {
        let accounts = (0..<4).map { db.document("accounts/\($0)") }
        for account in accounts { try await account.setData(["balance": 100]) }
        try await withThrowingTaskGroup { group in
            for task in 0..<10 {
                group.addTask {
                    for step in 0..<6 {
                        let (from, to) = (accounts[(task + step) % 4], accounts[(task + 2 * step + 1) % 4])
                        guard from != to else { continue }
                        _ = try await db.runTransaction { transaction, errorPointer in
                            do {
                                let left = try transaction.getDocument(from)["balance"] as? Int ?? 0
                                let right = try transaction.getDocument(to)["balance"] as? Int ?? 0
                                transaction.updateData(["balance": left - 1], forDocument: from)
                                transaction.updateData(["balance": right + 1], forDocument: to)
                            } catch {
                                errorPointer?.pointee = error as NSError
                            }
                            return nil
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let total = try await db.collection("accounts").getDocuments().documents.reduce(0) { $0 + ($1["balance"] as? Int ?? 0) }
        #expect(total == 400)
    }

    @Test func `of concurrent transactions that look for a free number each finds another`() async throws {
        // Phantoms: each adds what the others' queries must not miss.
        let taken = db.collection("taken")
        try await withThrowingTaskGroup { group in
            for _ in 0..<12 {
                group.addTask {
                    _ = try await db.runTransaction { transaction, errorPointer in
                        do {
                            let numbers = try transaction.getDocuments(taken.order(by: "n", descending: true).limit(to: 1))
                            let next = (numbers.documents.first?["n"] as? Int ?? 0) + 1
                            transaction.setData(["n": next], forDocument: taken.document())
                        } catch {
                            errorPointer?.pointee = error as NSError
                        }
                        return nil
                    }
                }
            }
            try await group.waitForAll()
        }
        let numbers = try await taken.order(by: "n").getDocuments().documents.map { $0["n"] as? Int }
        #expect(numbers == Array(1...12))
    }
}
