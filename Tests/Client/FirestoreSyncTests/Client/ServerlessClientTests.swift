// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// Clients whose server refuses connections, or never answers.
@Suite struct ServerlessClientTests {
    private final class Server: SyncTransport {
        private final class Link: ListenLink, WriteLink {
            func send(_ request: ListenRequest) {}
            func send(_ request: WriteRequest) {}
            func close() {}
        }

        let writeWindow = 10
        let resumesWriteStreams = true
        private let refuses: Bool
        private let refusal: FirestoreError

        init(refuses: Bool, _ refusal: FirestoreError) { (self.refuses, self.refusal) = (refuses, refusal) }

        func openListen(_ receive: @escaping @Sendable (ListenStreamEvent) -> Void) -> any ListenLink {
            if refuses { receive(.ended(refusal)) }
            return Link()
        }

        func openWrite(_ receive: @escaping @Sendable (WriteStreamEvent) -> Void) -> any WriteLink {
            if refuses { receive(.ended(refusal)) }
            return Link()
        }

        func invalidateCredentials() {}
    }

    private func open(
        refuses: Bool, with refusal: FirestoreError = FirestoreError(.unavailable, "connection refused"), change: (inout SyncEngine.Settings) -> Void = { _ in }
    ) throws -> SyncClient {
        let database = DatabaseID(projectID: "demo")
        var settings = SyncEngine.Settings()
        change(&settings)
        return try SyncClient(
            SyncClient.Parts(
                database: database, transport: Server(refuses: refuses, refusal),
                service: try Engine.open(EngineConfiguration(location: .memory, databaseID: database)), settings: settings,
                cache: { user throws(FirestoreError) in
                    LocalStore.Configuration(location: .memory, databaseID: database, server: "nowhere", user: user)
                }))
    }

    private func written(_ client: SyncClient, _ write: Write) async -> Int64 {
        await withCheckedContinuation { continuation in
            client.write([write], saved: { continuation.resume(returning: $0) }, completion: { _ in })
        }
    }

    // The code is that of a missing network, as in the original.
    @Test func `a read that fails says why the server could not be asked`() async throws {
        let wrong = FirestoreError(.unauthenticated, "the token has expired", at: "127.0.0.1:9")
        let client = try open(refuses: true, with: wrong)
        for source: ReadSource in [.default, .server] {
            await expectError(.unavailable, mentioning: "c/a", "because the client is offline", "unauthenticated", "the token has expired") {
                try await client.documents([DocumentKey(trusted: "c/a")], from: source, at: .latest)
            }
        }
        await expectError(.unavailable, mentioning: "from server", "unauthenticated", "127.0.0.1:9: the token has expired") {
            try await client.run(ClientQuery(.collection("c")), from: .server, at: .latest)
        }
        _ = await written(client, .set("c/b"))
        await expectError(.unavailable, mentioning: "c/b", "does exist in the local cache", "the token has expired") {
            try await client.documents([DocumentKey(trusted: "c/b")], from: .server, at: .latest)
        }
        try await client.setNetworkEnabled(false)
        await expectError(.unavailable, mentioning: "c/a", "The network is disabled; call enableNetwork().") {
            try await client.documents([DocumentKey(trusted: "c/a")], from: .default, at: .latest)
        }
        await client.terminate()
    }

    @Test func `a read that waited in vain says so`() async throws {
        let client = try open(refuses: false) { $0.offlineAfter = .milliseconds(1) }
        await expectError(.unavailable, mentioning: "c/a", "The server has not answered yet.") {
            try await client.documents([DocumentKey(trusted: "c/a")], from: .default, at: .latest)
        }
        await client.terminate()
    }

    // SY-D27
    @Test func `a client that only writes learns that it is offline`() async throws {
        let client = try open(refuses: true)
        let (states, state) = AsyncStream.makeStream(of: Bool.self)
        let handle = try #require(client.queue).observeOffline { state.yield($0) }
        _ = await written(client, .set("c/a"))
        var iterator = states.makeAsyncIterator()
        #expect(await iterator.next() == false)
        #expect(await iterator.next() == true)
        handle.remove()
        await client.terminate()
    }

    @Test func `with the cache first, what is cached is read without an answer of the server`() async throws {
        let client = try open(refuses: false) { $0.offlineAfter = .zero }
        _ = await written(client, .set("c/a", ("n", .integer(1))))
        let key = DocumentKey(trusted: "c/a")
        for _ in 0..<3 {
            let found = try await client.documents([key], from: .default, at: .latest)
            #expect(found.documents.count == 1 && found.documents[0] != nil && found.isFromCache && found.pendingKeys == [key])
        }
        let result = try await client.run(ClientQuery(.collection("c")), from: .default, at: .latest)
        #expect(result.documents.count == 1 && result.isFromCache)
        await client.terminate()
    }

    // SY-D25
    @Test func `pins are stored, reported and ended`() async throws {
        let client = try open(refuses: true)
        let pins = try #require(client.pins)
        let (changes, change) = AsyncStream.makeStream(of: Void.self)
        let handle = pins.observePins { change.yield() }
        try await pins.pin(.query(ClientQuery(.collection("c"))), named: "c", refreshEvery: .seconds(60))
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next() != nil)
        let listed = try await pins.pinnedTargets()
        #expect(listed.map(\.name) == ["c"] && listed.map(\.isCurrent) == [false] && listed.map(\.asOf) == [.none])
        try await pins.refreshPin(named: "c")
        try await pins.unpin("c")
        #expect(try await pins.pinnedTargets().isEmpty)
        handle.remove()
        await client.terminate()
    }
}
