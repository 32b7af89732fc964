// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreRemote
import FirestoreWire
import TestSupport
import Testing

/// What the streams of a transport share: the window, the credentials, the connection.
@Suite(.timeLimit(.minutes(3)))
struct RemoteTransportTests {
    @Test(arguments: [(WriteAhead.towards(host: "firestore.googleapis.com"), 10, false), (.towards(host: "127.0.0.1"), 256, true)])
    func `Google's service gets as many batches as its SDKs send, and is not asked to resume`(ahead: WriteAhead, window: Int, resumes: Bool) throws {
        let transport = try RemoteService(HandDrivenChannel(), database: RemoteFixture.database, writeAhead: ahead).transport
        #expect(transport.writeWindow == window && transport.resumesWriteStreams == resumes)
    }

    /// A caller whose tokens are numbered.
    private func service(_ channel: any RPCChannel) throws -> RemoteService {
        let count = Mutex(0)
        let provider = TokenProvider {
            let number = count.withLock { count in
                count += 1
                return count
            }
            return AccessToken("t-\(number)", expiry: SystemClock().now() + 3_600_000_000)
        }
        return try RemoteService(
            channel, database: RemoteFixture.database, credentials: .provider(provider), surroundings: CredentialSurroundings(), retries: .immediate)
    }

    @Test func `streams share a token until it is invalidated`() async throws {
        let channel = FlakyChannel(HandDrivenChannel())
        let transport = try service(channel).transport
        _ = transport.listen(ListenLog())
        await until { channel.calls.count == 1 }
        _ = transport.write(WriteLog())
        await until { channel.calls.count == 2 }
        transport.invalidateCredentials()
        _ = transport.listen(ListenLog())
        await until { channel.calls.count == 3 }
        #expect(channel.calls.map(\.authorization) == ["Bearer t-1", "Bearer t-1", "Bearer t-2"])
        #expect(channel.calls.map(\.method) == ["Listen", "Write", "Listen"])
    }

    @Test func `a token that the server rejects is not used again`() async throws {
        let channel = FlakyChannel(HandDrivenChannel(), [RPCStatus(.unauthenticated, "expired")])
        let transport = try service(channel).transport
        let log = ListenLog()
        _ = transport.listen(log)
        await until { log.hasEnded }
        #expect(log.error?.code == .unauthenticated && log.error?.message == "expired")
        _ = transport.listen(ListenLog())
        await until { channel.calls.count == 2 }
        #expect(channel.calls.map(\.authorization) == ["Bearer t-1", "Bearer t-2"])
    }

    @Test func `messages wait for the token, and a stream that is closed before is never opened`() async throws {
        let gate = Gate()
        let provider = TokenProvider {
            await gate.wait()
            return AccessToken("t", expiry: SystemClock().now() + 3_600_000_000)
        }
        let hands = HandDrivenChannel()
        let transport = try RemoteService(
            hands, database: RemoteFixture.database, credentials: .provider(provider), surroundings: CredentialSurroundings()
        ).transport
        let (closed, log) = (ListenLog(), WriteLog())
        transport.listen(closed).close()
        let link = transport.write(log)
        link.send(.handshake)
        await until { closed.hasEnded }
        #expect(closed.error?.code == .cancelled && hands.calls.isEmpty)
        gate.open()
        await until { hands.calls.first?.sent.count == 1 }
        #expect(hands.calls.count == 1)
    }

    @Test func `the connection stays open for as long as the service or a transport is in use`() async throws {
        let fixture = try await RemoteFixture()
        let transport = try fixture.service.transport
        let log = ListenLog()
        let link = transport.listen(log)
        link.send(.add(.collection("c"), 2))
        await eventually("the first snapshot") { log.snapshots > 0 }
        await fixture.service.shutdown()
        try await fixture.truth.commit(.set("c/a", 1))
        await eventually("it is still told") { log.changed == ["c/a"] }
        #expect(await failure { try fixture.service.transport }?.code == .failedPrecondition)
        await transport.shutdown()
        await transport.shutdown()
        await eventually("the end") { log.hasEnded }
        await fixture.close()
    }

    @Test func `a transport without an owner closes its connection`() async throws {
        let fixture = try await RemoteFixture()
        let log = ListenLog()
        do {
            let link = try fixture.service.transport.listen(log)
            link.send(.add(.collection("c"), 2))
            await eventually("the first snapshot") { log.snapshots > 0 }
            await fixture.service.shutdown()
            #expect(!log.hasEnded)
            withExtendedLifetime(link) {}
        }
        await eventually("the end") { log.hasEnded }
        await fixture.close()
    }
}
