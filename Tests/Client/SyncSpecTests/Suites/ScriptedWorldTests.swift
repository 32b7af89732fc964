// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSync
import FirestoreWire
import Testing

/// The fake server and the timers by themselves.
struct ScriptedWorldTests {
    /// `@unchecked Sendable`: used on the thread of its test only.
    private final class Received: @unchecked Sendable {
        var listen: [ListenStreamEvent] = []
        var write: [WriteStreamEvent] = []
    }

    private let server = ScriptedTransport()
    private let received = Received()
    private let target = ListenTargetRequest.Target.documents([DocumentKey(trusted: "a/b")])

    private func add(_ id: Int32, _ start: ListenTargetRequest.Start = .beginning, label: String? = nil) -> ListenRequest {
        ListenRequest(
            database: SpecValues.database, change: .add(ListenTargetRequest(target: .success(target), targetID: id, start: start)),
            labels: label.map { [("goog-listen-tags", $0)] } ?? [])
    }

    @Test func `the server records targets until they are removed or the stream ends`() {
        let link = server.openListen { [received] in received.listen.append($0) }
        link.send(add(2))
        link.send(add(1, .resumeToken(ByteSlice([65])), label: "limbo-document"))
        #expect(server.activeTargets.keys.sorted() == [1, 2] && server.activeTargets[1]?.label == "limbo-document")
        #expect(SpecText.of(server.activeTargets[1]?.start ?? .beginning) == "token \"A\"")
        link.send(ListenRequest(database: SpecValues.database, change: .remove(targetID: 2)))
        #expect(server.activeTargets.keys.sorted() == [1] && server.watchRequestCount == 3)
        #expect(server.forget([1, 4]) == [4])
        #expect(server.send(.targetChange(TargetChange(.add, targets: [1]))))
        #expect(server.endWatchStream(FirestoreError(.unavailable, "gone")))
        #expect(received.listen.count == 2 && !server.isWatchOpen && !server.send(.targetChange(TargetChange(.reset))))
        link.send(add(6))
        link.close()
        #expect(server.activeTargets.isEmpty && server.watchRequestCount == 3 && server.violations.isEmpty)
    }

    @Test func `a client that breaks the protocol is found`() {
        let link = server.openListen { _ in }
        link.send(add(2))
        link.send(add(2))
        _ = server.openListen { _ in }
        #expect(server.violations.count == 2)
    }

    @Test func `the server answers the handshake and counts a polite close once`() {
        let link = server.openWrite { [received] in received.write.append($0) }
        link.send(WriteRequest(database: SpecValues.database))
        #expect(received.write.count == 1)
        let write = Write(key: DocumentKey(trusted: "a/b"), operation: .delete)
        link.send(WriteRequest(database: nil, writes: [write]))
        #expect(server.sentBatches.count == 1 && server.acknowledge(at: DocumentVersion(microseconds: 5)))
        guard case .response(let answer)? = received.write.last else {
            Issue.record("no answer")
            return
        }
        #expect(answer.commitTime?.microseconds == 5 && answer.results.count == 1 && !server.acknowledge(at: .none))
        link.send(WriteRequest(database: nil))
        link.close()
        #expect(server.writeRequestCount == 3)
        let second = server.openWrite { _ in }
        second.send(WriteRequest(database: SpecValues.database))
        second.close()
        #expect(server.writeRequestCount == 5)
        let third = server.openWrite { _ in }
        third.send(WriteRequest(database: SpecValues.database))
        #expect(server.endWriteStream(FirestoreError(.unavailable, "gone")) && !server.endWriteStream(FirestoreError(.unavailable, "")))
        third.close()
        #expect(server.writeRequestCount == 6 && server.violations.isEmpty)
    }

    @Test func `timers run in the order of their times, up to the named one`() {
        let timers = ScriptedTimers()
        timers.start(.listenIdle, after: .seconds(60))
        timers.start(.onlineState, after: .seconds(10))
        timers.start(.garbageCollection, after: .seconds(1))
        timers.start(.storeRetry, after: .seconds(10))
        #expect(timers.due(.upTo(.storeRetry)).map(\.timer) == [.onlineState, .storeRetry])
        #expect(timers.due(.all).map(\.timer) == [.onlineState, .storeRetry, .listenIdle])
        #expect(timers.due(.upTo(.writeIdle)).isEmpty && timers.due(.none).isEmpty)
        let due = timers.due(.all)
        #expect(timers.take(due[0]) && !timers.take(due[0]))
        timers.start(.storeRetry, after: .zero)
        #expect(!timers.take(due[1]), "it was started anew meanwhile")
        #expect(timers.due(.all).map(\.timer) == [.storeRetry, .listenIdle])
    }

    @Test func `only a held stream waits for its backoff`() {
        let timers = ScriptedTimers()
        timers.start(.writeBackoff, after: .seconds(1))
        timers.start(.listenBackoff, after: .seconds(1))
        #expect(timers.takeBackoff(holding: true) == .writeBackoff && timers.takeBackoff(holding: true) == nil)
        timers.holdListenBackoff()
        #expect(timers.holdsListenBackoff && timers.takeBackoff(holding: false) == nil)
        timers.start(.listenBackoff, after: .seconds(1))
        #expect(!timers.holdsListenBackoff && timers.takeBackoff(holding: false) == .listenBackoff)
        timers.holdListenBackoff()
        #expect(!timers.holdsListenBackoff, "nothing waits")
    }
}
