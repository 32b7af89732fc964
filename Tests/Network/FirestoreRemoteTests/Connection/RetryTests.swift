// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import Logging
import TestSupport
import Testing

@testable import FirestoreRemote

/// Calls that are made again, and those that are not (LS-40, LS-41), over a channel that fails on request.
@Suite(.timeLimit(.minutes(2)))
struct RetryTests {
    private static let lost = RPCStatus(.unavailable, "the connection was lost", progress: .unknown)
    private static let notBegun = RPCStatus(.unavailable, "going away", progress: .notBegun)
    private static let rejected = RPCStatus(.unauthenticated, "invalid token")
    private static let key = DocumentKey(trusted: "c/d")
    private static let context = RequestContext.embedded
    private static let write = Write(key: key, operation: .delete)

    /// Runs `body` over a channel whose first calls end as given.
    private func with(
        _ endings: [RPCStatus], credentials: Credentials = .none, attempts: Int = 5, beforeContact: Int = 5,
        _ body: (RemoteService, FlakyChannel, SleepRecorder) async throws -> Void
    ) async throws {
        var log = Logger(label: "test")
        log.logLevel = .critical
        let databases = DatabaseRegistry(DatabaseOpening(storage: .memory), log: log)
        let channel = FlakyChannel(RPCLoopback(FirestoreService(databases: databases)), endings)
        let sleeps = SleepRecorder()
        let retries = RetryPolicy(
            attempts: attempts, attemptsBeforeContact: beforeContact, longest: .seconds(1_000),
            backoff: sleeps.backoff(first: .seconds(1)))
        let service = try RemoteService(
            channel, database: DatabaseID(projectID: "p"), credentials: credentials,
            surroundings: CredentialSurroundings(variables: [:], homeFolder: "/nowhere", clock: ManualClock(microseconds: 0)),
            backoff: sleeps.backoff(first: .zero), retries: retries)
        do { try await body(service, channel, sleeps) } catch {
            await service.shutdown()
            await databases.close()
            throw error
        }
        await service.shutdown()
        await databases.close()
    }

    @Test func `reads are made again when their answer was lost`() async throws {
        let query = StructuredQuery(scope: .collection(CollectionPath(parent: nil, id: "c")))
        let reads: [(String, @Sendable (RemoteService) async throws -> Void)] = [
            ("BatchGetDocuments", { _ = try await $0.documents([Self.key], context: Self.context) }),
            ("RunQuery", { _ = try await $0.run(query, context: Self.context) }),
            ("RunQuery", { try await $0.run(query, options: .latest, context: Self.context) { _ in .next } }),
            ("RunAggregationQuery", { _ = try await $0.aggregate(query, [Aggregation(.count(upTo: nil))], options: .latest, context: Self.context) }),
            ("ExecutePipeline", { _ = try await $0.execute(Self.pipeline("collection(/c)"), context: Self.context) }),
            ("BeginTransaction", { _ = try await $0.beginTransaction(.readWrite(retrying: nil), context: Self.context) }),
            ("ListCollectionIds", { _ = try await $0.collectionIDs(under: nil, after: nil, limit: 10, options: .latest, context: Self.context) }),
        ]
        for (method, read) in reads {
            try await with([Self.lost, RPCStatus(.internal, "reset", progress: .unknown)]) { service, channel, sleeps in
                try await read(service)
                #expect(channel.calls.map(\.method) == [method, method, method])
                #expect(sleeps.durations == [.seconds(1), .seconds(2)])
            }
        }
    }

    @Test func `a call without an answer ends after the limit of attempts`() async throws {
        try await with(Array(repeating: Self.lost, count: 9), attempts: 4, beforeContact: 4) { service, channel, _ in
            #expect(await failure { try await service.documents([Self.key], context: Self.context) }?.code == .unavailable)
            #expect(channel.calls.count == 4)
        }
    }

    @Test func `a call to a server that never answered ends after fewer attempts`() async throws {
        let never = RPCStatus(.unavailable, "refused", progress: .notConnected)
        try await with(Array(repeating: never, count: 9), beforeContact: 2) { service, channel, _ in
            #expect(await failure { try await service.documents([Self.key], context: Self.context) } != nil)
            #expect(channel.calls.count == 2)
        }
        try await with([never, RPCStatus(.notFound, "an answer")] + Array(repeating: never, count: 9), beforeContact: 2) { service, channel, _ in
            for _ in 0..<2 { #expect(await failure { try await service.documents([Self.key], context: Self.context) } != nil) }
            #expect(channel.calls.count == 2 + 5)
        }
    }

    @Test func `a commit whose answer was lost is not sent again, and the error says so`() async throws {
        try await with([Self.lost]) { service, channel, _ in
            let error = await failure { try await service.commit([Self.write], context: Self.context) }
            #expect(error?.code == .unavailable && error?.progress == .unknown)
            #expect(error?.message.contains("may or may not") == true)
            #expect(channel.calls.count == 1)
        }
    }

    private static func pipeline(_ text: String) throws -> PipelineRequest { try PipelineText.parse(text) }

    // PL-235
    @Test(arguments: ["collection(/c) delete()", "collection(/c) raw_stage(\"a_stage_of_a_newer_server\")"])
    func `a pipeline that writes, or may write, is not sent again`(text: String) async throws {
        try await with([Self.lost]) { service, channel, _ in
            let error = await failure { try await service.execute(Self.pipeline(text), context: Self.context) }
            #expect(error?.code == .unavailable && error?.progress == .unknown && channel.calls.count == 1)
        }
        // Unless it certainly did not begin.
        try await with([Self.notBegun]) { service, channel, _ in
            _ = try? await service.execute(Self.pipeline(text), context: Self.context)
            #expect(channel.calls.count == 2)
        }
    }

    @Test func `an error of the server's methods is returned after one attempt`() async throws {
        for code: FirestoreError.Code in [.permissionDenied, .notFound, .resourceExhausted, .internal, .aborted] {
            try await with([RPCStatus(code, "as it is")]) { service, channel, _ in
                let error = await failure { try await service.documents([Self.key], context: Self.context) }
                #expect(error?.code == code && channel.calls.count == 1)
                if code == .permissionDenied { #expect(error?.message.contains("name of the project (p)") == true) }
            }
        }
    }

    @Test func `a server that never answers is given up, and a commit may have been applied`() async throws {
        var retries = RetryPolicy()
        (retries.patience, retries.readingPatience) = (.milliseconds(50), .milliseconds(50))
        let service = RemoteService(RPCLoopback(SilentService()), database: DatabaseID(projectID: "p"), retries: retries)
        let read = await failure { try await service.documents([Self.key], context: Self.context) }
        #expect(read?.code == .deadlineExceeded)
        let begin = await failure { try await service.beginTransaction(.readOnly(at: nil), context: Self.context) }
        #expect(begin?.code == .deadlineExceeded)
        let commit = await failure { try await service.commit([Self.write], context: Self.context) }
        // On a machine with much to do it has not even been begun.
        #expect(commit?.code == .deadlineExceeded && (commit?.message.contains("may or may not") == true || commit?.progress == .notBegun))
        await service.shutdown()
    }

    @Test func `a caller that has gone is not waited for`() async throws {
        try await with([]) { service, channel, _ in
            let task = Task { await failure { try await service.documents([Self.key], context: Self.context) }?.code }
            task.cancel()
            let code = await task.value
            #expect(code == nil || code == .cancelled)
            #expect(channel.calls.count <= 1)
        }
    }

    @Test func `past the deadline nothing is tried again`() async throws {
        try await with([Self.lost, Self.lost]) { service, channel, _ in
            var context = Self.context
            context.deadline = .now + .milliseconds(900)
            #expect(await failure { try await service.documents([Self.key], context: context) }?.code == .unavailable)
            #expect(channel.calls.count == 1)
        }
    }

    // MARK: Tokens

    private static func numbered() -> (Credentials, @Sendable () -> Int) {
        let count = Counter()
        let provider = TokenProvider { AccessToken("ya29.t\(count.next())", expiry: 3_600_000_000) }
        return (.provider(provider), { count.value })
    }

    @Test func `a token that is not taken is replaced once and the call made again`() async throws {
        let (credentials, asked) = Self.numbered()
        try await with([Self.rejected], credentials: credentials) { service, channel, sleeps in
            _ = try await service.documents([Self.key], context: Self.context)
            #expect(channel.calls.map(\.authorization) == ["Bearer ya29.t0", "Bearer ya29.t1"])
            #expect(asked() == 2 && sleeps.durations.isEmpty)
        }
    }

    @Test func `a second one that is not taken is the end`() async throws {
        let (credentials, asked) = Self.numbered()
        try await with([Self.rejected, Self.rejected, Self.rejected], credentials: credentials) { service, channel, _ in
            let error = await failure { try await service.documents([Self.key], context: Self.context) }
            #expect(error?.code == .unauthenticated && error?.message.contains("token closure") == true)
            #expect(channel.calls.count == 2 && asked() == 2)
        }
    }

    @Test func `without credentials the server's error is returned, with a hint`() async throws {
        try await with([Self.rejected]) { service, channel, _ in
            let error = await failure { try await service.documents([Self.key], context: Self.context) }
            #expect(error?.message.contains("settings.credentials") == true && channel.calls.count == 1)
        }
    }

    @Test func `a watch waits for its token, and gets another when that is not taken`() async throws {
        let (credentials, _) = Self.numbered()
        try await with([Self.rejected], credentials: credentials) { service, channel, _ in
            let sink = RecordingSink()
            let handle = service.watch(.document(Self.key), context: Self.context, sink: sink)
            await until { sink.batches.count > 0 }
            #expect(channel.calls.map(\.authorization) == ["Bearer ya29.t0", "Bearer ya29.t1"])
            handle.cancel()
        }
    }

    @Test func `a watch fails when no token helps`() async throws {
        let (credentials, _) = Self.numbered()
        try await with(Array(repeating: Self.rejected, count: 9), credentials: credentials) { service, channel, _ in
            let sink = RecordingSink()
            let handle = service.watch(.document(Self.key), context: Self.context, sink: sink)
            await until { sink.errors.last != nil }
            #expect(sink.errors.last?.code == .unauthenticated && channel.calls.count == 2)
            handle.cancel()
        }
    }
}

/// Takes calls and says nothing.
private struct SilentService: RPCService {
    func method(at path: String) -> RPCMethod? {
        if path.hasSuffix("/BatchGetDocuments") { .stream { _ in SilentHandler() } } else { .unary { _ in } }
    }
}

private final class SilentHandler: RPCStreamHandler {
    func receive(_ message: ByteSlice) {}
    func halfClosed() {}
    func becameWritable() {}
    func ended(_ status: RPCStatus?) {}
    func drain() {}
}

/// Counts from 0.
private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }
    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}
