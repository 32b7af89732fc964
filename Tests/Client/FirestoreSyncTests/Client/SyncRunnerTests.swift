// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// How frames enter the engine: no faster than it takes them.
@Suite(.timeLimit(.minutes(2))) struct SyncRunnerTests {
    /// A server that floods every Listen stream, from a queue of its own or from inside the client's calls.
    private final class Flood: SyncTransport {
        struct Counts {
            var streams = 0
            var sent = 0
            var returned = 0
        }

        let writeWindow = 10
        let resumesWriteStreams = false
        let answersInside: Bool
        let queue = DispatchQueue(label: "hearth.tests.flood")
        private let counts = Mutex(Counts())
        private let hear = Mutex<(@Sendable (ListenStreamEvent) -> Void)?>(nil)

        init(answersInside: Bool) { self.answersInside = answersInside }

        var now: Counts { counts.withLock { $0 } }

        func openListen(_ receive: @escaping @Sendable (ListenStreamEvent) -> Void) -> any ListenLink {
            counts.withLock { $0.streams += 1 }
            hear.withLock { $0 = receive }
            return Link(self) { receive($0) }
        }

        func openWrite(_ receive: @escaping @Sendable (WriteStreamEvent) -> Void) -> any WriteLink {
            queue.async { receive(.ended(FirestoreError(.unavailable, "not here"))) }
            return Link(self) { _ in }
        }

        func invalidateCredentials() {}

        /// Sends a frame on the newest stream, and returns when the client has taken it.
        func send(_ response: ListenResponse) {
            counts.withLock { $0.sent += 1 }
            hear.withLock { $0 }?(.response(response))
            counts.withLock { $0.returned += 1 }
        }

        final class Link: ListenLink, WriteLink {
            private let flood: Flood
            private let receive: @Sendable (ListenStreamEvent) -> Void

            init(_ flood: Flood, _ receive: @escaping @Sendable (ListenStreamEvent) -> Void) {
                self.flood = flood
                self.receive = receive
            }

            func send(_ request: ListenRequest) {
                let change: TargetChange =
                    switch request.change {
                    case .add(let add): TargetChange(.add, targets: [add.targetID])
                    case .remove(let id): TargetChange(.remove, targets: [id])
                    }
                if flood.answersInside {
                    receive(.response(.targetChange(change)))
                } else {
                    flood.queue.async { [receive] in receive(.response(.targetChange(change))) }
                }
            }

            func send(_ request: WriteRequest) {}
            func close() {}
        }
    }

    private func runner(_ flood: Flood) throws -> SyncRunner {
        let runner = SyncRunner()
        _ = try runner.start { (runner) throws(FirestoreError) in
            let store = try LocalStore.open(
                LocalStore.Configuration(location: .memory, databaseID: EngineFixture.database, server: "test.invalid"))
            var settings = SyncEngine.Settings()
            settings.backoff = Backoff(first: .milliseconds(1), longest: .milliseconds(2))
            return SyncEngine(
                store: store, transport: flood, timers: SyncRunnerTimers(runner), settings: settings,
                post: runner.entrance())
        }
        return runner
    }

    private func document(_ n: Int) throws -> ListenResponse {
        let document = try #require(RemoteDocument.found("c/a", Int64(n), ("n", .integer(Int64(n)))).document)
        return .documentChange(EngineFixture.database, document, targets: [2], removedFrom: [])
    }

    @Test func `a frame is taken when the engine has processed it, and not before`() async throws {
        let flood = Flood(answersInside: false)
        let runner = try runner(flood)
        let registration = SyncRegistration(runner)
        let notes = Notes()
        registration.begin(.query("c"), SyncListener.Options()) { event in
            if case .snapshot(let view) = event { notes.add("\(view.readTime.microseconds)") }
        }
        await eventually("the stream is open") { flood.now.streams == 1 }
        _ = try await runner.call { _ in }
        await withCheckedContinuation { continuation in flood.queue.async { continuation.resume() } }
        let (change, snapshot) = (try document(5), ListenResponse.targetChange(TargetChange(.noChange, readTime: DocumentVersion(microseconds: 5))))
        await withCheckedContinuation { continuation in
            flood.queue.async {
                flood.send(change)
                flood.send(snapshot)
                notes.add("returned")
                continuation.resume()
            }
        }
        #expect(notes.lines == ["5", "returned"])
        // An engine that is busy is not overtaken: the frames behind the first one stay with the transport.
        let gate = DispatchSemaphore(value: 0)
        runner.async { _ in gate.wait() }
        let frames = try (10..<60).map(document)
        flood.queue.async { for frame in frames { flood.send(frame) } }
        await eventually("the first frame is offered") { flood.now.sent == 3 }
        #expect(flood.now.returned == 2)
        gate.signal()
        await eventually("all frames are taken") { flood.now.returned == 52 }
        registration.end()
        #expect(await runner.stop() == nil)
        // After the end, frames are swallowed immediately.
        flood.send(snapshot)
        #expect(flood.now.returned == 53)
    }

    @Test(arguments: [true, false]) func `client and server never wait for each other`(_ answersInside: Bool) async throws {
        let flood = Flood(answersInside: answersInside)
        let runner = try runner(flood)
        let frames = try (1..<200).map(document)
        let rounds = TestScale.pick(quick: 30, full: 300)
        flood.queue.async {
            for round in 1...rounds {
                for frame in frames.prefix(20 + round % 7) { flood.send(frame) }
                flood.send(.targetChange(TargetChange(.noChange, readTime: DocumentVersion(microseconds: Int64(round)))))
            }
        }
        for round in 0..<rounds {
            let registration = SyncRegistration(runner)
            registration.begin(.query(round % 2 == 0 ? "c" : "d"), SyncListener.Options(includeMetadataChanges: true)) { _ in }
            _ = try await runner.call { $0.setNetworkEnabled(round % 3 != 0) }
            runner.async { $0.write([.set("c/mine")]) { _ in } }
            registration.end()
        }
        _ = try await runner.call { $0.setNetworkEnabled(true) }
        await withCheckedContinuation { continuation in flood.queue.async { continuation.resume() } }
        let now = flood.now
        #expect(now.sent == now.returned)
        #expect(try await runner.call { $0.isNetworkEnabled } == true)
        #expect(await runner.stop() == nil)
    }
}
