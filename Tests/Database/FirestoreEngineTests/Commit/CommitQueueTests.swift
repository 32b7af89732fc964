// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

@Suite struct CommitQueueTests {
    private func commit(_ bytes: Int = 0) -> PendingCommit {
        PendingCommit(
            writes: [.set("c/a", ("b", .bytes([UInt8](repeating: 0, count: bytes))))], deadline: nil, rejection: nil
        ) { _ in }
    }

    @Test("the committer is started once, and again after it has become idle")
    func starting() {
        var queue = CommitQueue(limits: CommitQueueLimits())
        #expect(queue.admit(commit(), mayWait: true) == .accepted(startCommitter: true))
        #expect(queue.admit(commit(), mayWait: true) == .accepted(startCommitter: false))
        guard case .commit(let group, _) = queue.next() else { Issue.record("no group"); return }
        #expect(group.count == 2)
        #expect(queue.admit(commit(), mayWait: true) == .accepted(startCommitter: false))
        _ = queue.finish(2)
        #expect(!queue.isIdle)
        guard case .commit(let second, _) = queue.next() else { Issue.record("no group"); return }
        _ = queue.finish(second.count)
        guard case .rest = queue.next() else { Issue.record("no rest"); return }
        #expect(queue.isIdle)
        #expect(queue.admit(commit(), mayWait: true) == .accepted(startCommitter: true))
    }

    @Test("full by count or by bytes; a commit too large for the line enters an empty one")
    func bounds() {
        var queue = CommitQueue(limits: CommitQueueLimits(bytes: 10_000, commits: 2))
        #expect(queue.admit(commit(50_000), mayWait: true) == .accepted(startCommitter: true))
        #expect(queue.admit(commit(), mayWait: true) == .full)
        #expect(queue.admit(commit(), mayWait: false) == .accepted(startCommitter: false))
        let waiting = DispatchSemaphore(value: 0)
        queue.block(waiting)
        guard case .commit(_, let roomFor) = queue.next() else { Issue.record("no group"); return }
        #expect(roomFor.count == 1)
        #expect(queue.admit(commit(), mayWait: true) == .accepted(startCommitter: false))
        #expect(queue.admit(commit(), mayWait: true) == .accepted(startCommitter: false))
        #expect(queue.admit(commit(), mayWait: true) == .full)
    }

    @Test func `a group is no larger than one transaction should be`() {
        var queue = CommitQueue(limits: CommitQueueLimits(groupBytes: 25_000))
        for bytes in [10_000, 10_000, 10_000, 90_000, 10_000] { _ = queue.admit(commit(bytes), mayWait: true) }
        for expected in [2, 1, 1, 1] {
            guard case .commit(let group, _) = queue.next() else { Issue.record("no group"); return }
            #expect(group.count == expected)
            _ = queue.finish(group.count)
        }
        #expect(queue.isIdle)
        guard case .rest = queue.next() else { Issue.record("no rest"); return }
    }

    @Test("a waiting caller is resumed by the commits before it, not by later ones")
    func barriers() {
        var queue = CommitQueue(limits: CommitQueueLimits())
        #expect(!queue.wait {})
        let woken = Mutex<[Int]>([])
        _ = queue.admit(commit(), mayWait: true)
        #expect(queue.wait { woken.withLock { $0.append(1) } })
        _ = queue.admit(commit(), mayWait: true)
        #expect(queue.wait { woken.withLock { $0.append(2) } })
        for wake in queue.finish(1) { wake() }
        #expect(woken.withLock { $0 } == [1])
        for wake in queue.finish(1) { wake() }
        #expect(woken.withLock { $0 } == [1, 2])
    }

    @Test("a closed line accepts nothing and resumes waiting callers")
    func closing() {
        var queue = CommitQueue(limits: CommitQueueLimits())
        queue.block(DispatchSemaphore(value: 0))
        #expect(queue.close().count == 1)
        #expect(queue.admit(commit(), mayWait: true) == .closed)
    }
}
