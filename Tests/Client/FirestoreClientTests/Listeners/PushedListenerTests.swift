// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreClient

@Suite struct PushedListenerTests {
    private final class Story: Sendable {
        private let lines = Mutex<[String]>([])

        func add(_ line: String) { lines.withLock { $0.append(line) } }

        func take() -> [String] {
            lines.withLock { lines in
                defer { lines = [] }
                return lines
            }
        }
    }

    private final class NoWatch: WatchHandle {
        func cancel() {}
    }

    private let inSync = SnapshotsInSync()
    private let queue = ManualQueue()
    private let story = Story()

    private func listener(_ name: String = "event", on queue: ManualQueue? = nil, pulled: Bool = false) -> PushedListener {
        let (queue, story) = (queue ?? self.queue, story)
        return PushedListener(
            inSync: pulled ? nil : inSync, schedule: { queue.add($0) },
            onEvent: { event in
                switch event {
                case .success(let snapshot): story.add("\(name): \(snapshot.documents.count), \(snapshot.changes.count) changed")
                case .failure(let error): story.add("\(name): \(error.code)")
                }
            }, onEnd: { _ in story.add("\(name) ended") })
    }

    private func snapshot(_ count: Int, isFromCache: Bool = false) -> ViewSnapshot {
        let documents = (0..<count).map {
            Document(key: DocumentKey(trusted: "c/\($0)"), createTime: .none, updateTime: .none, fields: .empty)
        }
        return ViewSnapshot(documents: DocumentList(documents), changes: nil, readTime: .none, isFromCache: isFromCache)
    }

    private func observe() -> any ListenHandle {
        inSync.add(schedule: { [queue] in queue.add($0) }, body: { [story] in story.add("in sync") }, startWatching: { NoWatch() })
    }

    @Test func `at most one job is in flight, and it delivers what was pushed last`() {
        let listener = listener()
        listener.push(snapshot(1))
        listener.push(snapshot(2))
        #expect(queue.count == 1 && story.take().isEmpty)
        queue.drain()
        #expect(story.take() == ["event: 2, 2 changed"])
        listener.push(snapshot(3))
        listener.push(snapshot(5))
        queue.drain()
        #expect(story.take() == ["event: 5, 3 changed"])
    }

    @Test func `what is pushed during a delivery is delivered afterwards`() {
        let (queue, story) = (queue, story)
        let later = snapshot(2)
        let current = Mutex<PushedListener?>(nil)
        let listener = PushedListener(
            inSync: nil, schedule: { queue.add($0) },
            onEvent: { event in
                guard case .success(let snapshot) = event else { return }
                story.add("\(snapshot.documents.count)")
                if snapshot.documents.count == 1 { current.withLock { $0 }?.push(later) }
            }, onEnd: { _ in })
        current.withLock { $0 = listener }
        listener.push(snapshot(1))
        queue.drain()
        #expect(story.take() == ["1", "2"])
        current.withLock { $0 = nil }
    }

    @Test func `changes that cancel out are not delivered`() {
        let listener = listener()
        listener.push(snapshot(1))
        queue.drain()
        listener.push(snapshot(2))
        listener.push(snapshot(1))
        queue.drain()
        #expect(story.take() == ["event: 1, 1 changed"])
        listener.push(snapshot(2))
        listener.push(snapshot(1, isFromCache: true))
        queue.drain()
        #expect(story.take() == ["event: 1, 0 changed"])
    }

    @Test func `an error is the last event`() {
        let listener = listener()
        listener.push(snapshot(1))
        listener.fail(FirestoreError(.permissionDenied, "no"))
        queue.drain()
        #expect(story.take() == ["event: permissionDenied", "event ended"])
        listener.push(snapshot(2))
        listener.remove()
        queue.drain()
        #expect(story.take().isEmpty)
    }

    @Test func `nothing follows a removal, which ends the listener once`() {
        let listener = listener()
        listener.push(snapshot(1))
        listener.remove()
        listener.remove()
        listener.push(snapshot(2))
        queue.drain()
        #expect(story.take() == ["event ended"])
    }

    @Test func `the event for snapshots in sync waits for slow listeners, but not for pulling ones`() {  // LS-58
        let slow = ManualQueue()
        let idle = ManualQueue()
        let handle = observe()
        let (first, second, third) = (listener("first"), listener("second", on: slow), listener("third", on: idle, pulled: true))
        queue.drain()
        #expect(story.take() == ["in sync"])
        for listener in [first, second, third] { listener.push(snapshot(1)) }
        inSync.roundEnded()
        queue.drain()
        #expect(story.take() == ["first: 1, 1 changed"])
        slow.drain()
        queue.drain()
        #expect(story.take() == ["second: 1, 1 changed", "in sync"])
        // One that is removed is no longer waited for.
        second.push(snapshot(2))
        inSync.roundEnded()
        second.remove()
        queue.drain()
        #expect(story.take() == ["second ended", "in sync"])
        handle.remove()
    }
}
