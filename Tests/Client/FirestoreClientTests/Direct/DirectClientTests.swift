// SPDX-License-Identifier: Apache-2.0
import FirestoreClient
import FirestoreCore
import Testing

@Suite("DirectClient")
struct DirectClientTests {
    private let service = ScriptedService()
    private let queue = ManualQueue()

    private final class Recorder: Sendable {
        let events = Mutex<[String]>([])
        var all: [String] { events.withLock { $0 } }
        func add(_ event: String) { events.withLock { $0.append(event) } }
    }

    private func document(_ id: String, _ n: Int64 = 0, time: Int64 = 1) -> Document {
        Document(
            key: DocumentKey(trusted: "c/\(id)"), createTime: DocumentVersion(microseconds: 1),
            updateTime: DocumentVersion(microseconds: time), fields: FieldBytes(FieldMap([("n", .integer(n))])))
    }

    private let query = ClientQuery(StructuredQuery(scope: .collection(CollectionPath(trusted: "c"))))

    private func listen(_ client: DirectClient, _ recorder: Recorder, query: ClientQuery? = nil) -> any ListenHandle {
        client.listen(
            to: .query(query ?? self.query), options: ListenOptions(), schedule: { [queue] in queue.add($0) },
            onEvent: { result in
                switch result {
                case .success(let snapshot): recorder.add(snapshot.documents.map(\.key.id).joined(separator: " "))
                case .failure(let error): recorder.add("error \(error.code)")
                }
            })
    }

    private func send(_ changes: [WatchBatch.Change], reset: Bool = false) {
        service.lastWatch?.sink.receive(WatchBatch(readTime: .none, isReset: reset, changes: changes))
    }

    @Test func `a listener receives the first state and then each change`() {
        let recorder = Recorder()
        let client = DirectClient(service: service)
        _ = listen(client, recorder)
        send([.update(document("b"))], reset: true)
        queue.drain()
        send([.update(document("a"))])
        queue.drain()
        #expect(recorder.all == ["b", "a b"])
    }

    @Test func `a slow consumer has one pending job and receives the newest state`() {
        let recorder = Recorder()
        let client = DirectClient(service: service)
        _ = listen(client, recorder)
        send([], reset: true)
        for number in 0..<100 { send([.update(document("d", Int64(number), time: Int64(number)))]) }
        send([.update(document("e"))])
        #expect(queue.count == 1)
        queue.drain()
        #expect(recorder.all == ["d e"])
    }

    @Test func `a removed listener is not called again and its watch ends`() {
        let recorder = Recorder()
        let client = DirectClient(service: service)
        let handle = listen(client, recorder)
        send([.update(document("a"))], reset: true)
        handle.remove()
        handle.remove()
        queue.drain()
        send([.update(document("b"))])
        queue.drain()
        #expect(recorder.all == [])
        #expect(service.lastWatch?.isCancelled == true)
    }

    @Test func `a failed target is reported once and ends`() {
        let recorder = Recorder()
        let client = DirectClient(service: service)
        _ = listen(client, recorder)
        service.lastWatch?.sink.fail(FirestoreError(.permissionDenied, "no"))
        queue.drain()
        send([.update(document("a"))], reset: true)
        queue.drain()
        #expect(recorder.all == ["error permissionDenied"])
        #expect(service.lastWatch?.isCancelled == true)
    }

    @Test func `limit to last asks for the flipped query and turns the answer round`() async throws { // QR-42
        let client = DirectClient(service: service)
        let n = FieldPathSegments("n")
        let low = QueryBound(values: [ValueBytes(.integer(1))], before: true)
        let high = QueryBound(values: [ValueBytes(.integer(9))], before: true)
        let query = ClientQuery(
            StructuredQuery(
                scope: .collection(CollectionPath(trusted: "c")), orders: [SortOrder(path: n)], start: low, end: high,
                limit: 2),
            limitsToLast: true)
        service.state.withLock { $0.answers = [document("y", 8), document("x", 7)] }
        let snapshot = try await client.run(query)
        #expect(snapshot.documents.map(\.key.id) == ["x", "y"])
        let asked = try #require(service.state.withLock { $0.queries.last })
        #expect(asked.orders.map(\.direction) == [.descending, .descending])
        #expect(asked.orders.map(\.path) == [n, .documentID])
        #expect(asked.limit == 2)
        // end(before: 9) becomes start(after: 9); start(at: 1) becomes end(at: 1).
        #expect(asked.start == QueryBound(values: high.values, before: false))
        #expect(asked.end == QueryBound(values: low.values, before: false))

        let recorder = Recorder()
        _ = listen(client, recorder, query: query)
        send([.update(document("y", 8)), .update(document("x", 7))], reset: true)
        queue.drain()
        #expect(recorder.all == ["x y"])
    }

    @Test func `waiting for pending writes waits for those issued before and no others`() async throws { // LO-11
        let client = DirectClient(service: service)
        try await client.waitForPendingWrites()
        let write = Write(key: DocumentKey(trusted: "c/a"), operation: .delete)
        let recorder = Recorder()
        client.write([write]) { _ in recorder.add("first") }
        client.write([write]) { _ in recorder.add("second") }
        async let waiting: Void = {
            try await client.waitForPendingWrites()
            recorder.add("waited")
        }()
        // A wait that did not wait would be recorded by now.
        for _ in 0..<1_000 { await Task.yield() }
        #expect(recorder.all == [])
        service.acknowledge()
        for _ in 0..<1_000 { await Task.yield() }
        #expect(recorder.all == ["first"])
        service.acknowledge(.failure(FirestoreError(.notFound, "refused counts too")))
        try await waiting
        #expect(recorder.all == ["first", "second", "waited"])
    }

    @Test func `after terminate everything fails with failedPrecondition and the service is released`() async {
        let client = DirectClient(service: service)
        let recorder = Recorder()
        _ = listen(client, recorder)
        await client.terminate()
        #expect(service.lastWatch?.isCancelled == true)
        #expect(service.state.withLock { $0.isShutDown })
        client.write([]) { result in
            if case .failure(let error) = result { recorder.add("write \(error.code)") }
        }
        await #expect(throws: FirestoreError.self) { try await client.run(query) }
        _ = listen(client, recorder)
        queue.drain()
        #expect(recorder.all == ["write failedPrecondition", "error failedPrecondition"])
    }
}
