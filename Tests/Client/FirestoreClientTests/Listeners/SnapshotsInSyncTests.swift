// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreClient

/// LS-58: fires after all listeners affected by one change have fired, and once at registration.
@Suite struct SnapshotsInSyncTests {
    private let service = ScriptedService()
    private let queue = ManualQueue()
    private let slowQueue = ManualQueue()
    private let story = Story()

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

    /// What has happened since this was asked last.
    private var told: [String] { story.take() }

    /// Starts a listener that has its first state.
    private func listen(_ client: DirectClient, _ name: String, slow: Bool = false, pulled: Bool = false) -> any ListenHandle {
        let query = ClientQuery(StructuredQuery(scope: .collection(CollectionPath(trusted: name))))
        let queue = slow ? slowQueue : queue
        let story = story
        let handle = client.listen(
            to: .query(query), options: ListenOptions(isPulled: pulled), schedule: { queue.add($0) },
            onEvent: { _ in story.add(name) })
        service.lastWatch?.sink.receive(WatchBatch(readTime: .none, isReset: true, changes: []))
        return handle
    }

    private func observe(_ client: DirectClient) -> any ListenHandle {
        let story = story
        return client.listenForSnapshotsInSync(schedule: { [queue] in queue.add($0) }) {
            story.add("in sync")
        }
    }

    /// A commit that concerns these listeners, by the order they came.
    private func commit(_ listeners: Int..., time: Int64 = 1) {
        for listener in listeners { tell(listener, time: time) }
        service.endRound()
    }

    private func tell(_ listener: Int, time: Int64) {
        let time = DocumentVersion(microseconds: time)
        let document = Document(
            key: DocumentKey(trusted: "c/1"), createTime: time, updateTime: time,
            fields: FieldBytes(FieldMap([("n", .integer(time.microseconds))])))
        let watch = service.state.withLock { $0.watches[listener] }
        watch.sink.receive(WatchBatch(readTime: time, isReset: false, changes: [.update(document)]))
    }

    @Test func `it comes once at registration, and after the listeners of a change`() {
        let client = DirectClient(service: service)
        let handles = [listen(client, "a"), listen(client, "b"), listen(client, "c")]
        queue.drain()
        _ = told
        let observer = observe(client)
        queue.drain()
        #expect(told == ["in sync"])
        commit(0, 2)
        queue.drain()
        #expect(told == ["a", "c", "in sync"])
        // A listener that is done before the next one is notified does not count as all of them.
        tell(0, time: 2)
        queue.drain()
        tell(1, time: 2)
        service.endRound()
        queue.drain()
        #expect(told == ["a", "b", "in sync"])
        observer.remove()
        commit(0, time: 3)
        queue.drain()
        #expect(told == ["a"])
        #expect(service.state.withLock { $0.rounds.isEmpty })
        for handle in handles { handle.remove() }
    }

    @Test func `it waits for a slow listener, and one event represents the changes meanwhile`() {
        let client = DirectClient(service: service)
        let handles = [listen(client, "fast"), listen(client, "slow", slow: true)]
        queue.drain()
        slowQueue.drain()
        let observer = observe(client)
        queue.drain()
        _ = told
        commit(0, 1)
        queue.drain()
        #expect(told == ["fast"])
        for time in 2..<6 {
            commit(0, time: Int64(time))
            queue.drain()
        }
        #expect(told == ["fast", "fast", "fast", "fast"])
        slowQueue.drain()
        queue.drain()
        #expect(told == ["slow", "in sync"])
        // Commits that keep coming do not hold the event up.
        commit(1, time: 7)
        commit(0, 1, time: 8)
        slowQueue.drain()
        #expect(told == ["slow"])
        queue.drain()
        #expect(told == ["fast", "in sync", "in sync"])
        observer.remove()
        for handle in handles { handle.remove() }
    }

    @Test func `a listener that is removed, or asks when it likes, is not waited for`() {
        let client = DirectClient(service: service)
        let slow = listen(client, "slow", slow: true)
        let pulled = listen(client, "pulled", slow: true, pulled: true)
        slowQueue.drain()
        let observer = observe(client)
        queue.drain()
        _ = told
        commit(0, 1)
        queue.drain()
        #expect(told == [])
        slow.remove()
        queue.drain()
        #expect(told == ["in sync"])
        commit(1, time: 2)
        queue.drain()
        #expect(told == ["in sync"])
        observer.remove()
        pulled.remove()
    }

    @Test func `nothing comes after the client has terminated`() async {
        let client = DirectClient(service: service)
        let observer = observe(client)
        await client.terminate()
        queue.drain()
        #expect(told == [])
        let late = observe(client)
        queue.drain()
        #expect(told == [])
        observer.remove()
        late.remove()
    }
}
