// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreClient

/// What the client of a transaction decides by itself (TX-12 … TX-16).
@Suite struct TransactionStateTests {
    let a = DocumentKey(trusted: "x/a")
    let b = DocumentKey(trusted: "x/b")

    private var set: Write { Write(key: a, operation: .set(.empty)) }
    private var delete: Write { Write(key: a, operation: .delete) }
    private var update: Write { Write(key: a, operation: .patch(.empty, mask: []), precondition: .exists(true)) }

    private func code(_ body: () throws(FirestoreError) -> Void) -> FirestoreError.Code? {
        do throws(FirestoreError) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `writes go out as they came, an update needs its document to exist`() throws {
        // TX-13, TX-14: the versions that were read are checked by the service.
        let document = Document(
            key: a, createTime: DocumentVersion(microseconds: 1), updateTime: DocumentVersion(microseconds: 7), fields: .empty)
        for read in [document, nil] as [Document?] {
            var state = TransactionState()
            state.read(a, read)
            for write in [set, delete, set, update] { state.write(write) }
            #expect(try state.commit().map(\.precondition) == [nil, nil, nil, .exists(true)])
        }
    }

    @Test func `a read after a write fails permanently`() {
        var state = TransactionState()
        state.write(set)
        #expect(code { () throws(FirestoreError) in try state.checkMayRead("x/b") } == .invalidArgument)  // TX-12
        #expect(code { () throws(FirestoreError) in _ = try state.commit() } == .invalidArgument)
    }

    @Test func `updating a document that was read as missing fails permanently`() {
        var state = TransactionState()
        state.read(a, nil)
        state.write(update)
        #expect(code { () throws(FirestoreError) in _ = try state.commit() } == .invalidArgument)  // TX-13
    }

    @Test func `a read-only transaction refuses every write`() {
        for write in [set, delete, update] {
            var state = TransactionState(isReadOnly: true)
            state.write(write)
            #expect(code { () throws(FirestoreError) in _ = try state.commit() } == .invalidArgument)  // TX-6
        }
    }

    @Test func `an empty transaction commits nothing`() throws {
        #expect(try TransactionState().commit().isEmpty)  // TX-19
    }
}
