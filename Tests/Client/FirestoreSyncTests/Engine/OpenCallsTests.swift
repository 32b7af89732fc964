// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreSync

/// The calls that wait for the answer to a batch, or for the queue (SY-61, SY-75).
@Suite struct OpenCallsTests {
    @Test func `a caller is taken once`() {
        var calls = OpenCalls()
        calls.add(3) { _ in }
        #expect(calls.batches == [3])
        let taken = [calls.take(3) != nil, calls.take(3) != nil]
        #expect(taken == [true, false])
    }

    @Test func `calls that wait for the queue are taken up to a batch, or from one`() {
        var calls = OpenCalls()
        for id in 1...4 { calls.wait(for: BatchID(id)) { _ in } }
        let counts = [calls.takeWaiters(...2).count, calls.takeWaiters(4...).count]
        #expect(counts == [2, 1] && calls.areWaiting)
        let rest = calls.takeWaiters(...BatchID.max).count
        #expect(rest == 1 && !calls.areWaiting)
    }

    @Test func `abandoned calls end in the order of their batches, before those that wait for the queue`() {
        var (calls, ended) = (OpenCalls(), [String]())
        calls.wait(for: 1) { _ in ended.append("queue") }
        for id in [2, 1] { calls.add(BatchID(id)) { _ in ended.append("\(id)") } }
        for end in calls.takeAll(FirestoreError(.cancelled, "")) { end() }
        #expect(ended == ["1", "2", "queue"] && calls.batches.isEmpty && !calls.areWaiting)
    }
}
