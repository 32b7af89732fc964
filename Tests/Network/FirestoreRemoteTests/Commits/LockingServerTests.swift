// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreRemote
import FirestoreServer
import FirestoreWire
import Logging
import TestSupport
import Testing

/// A server with locks, as Google's is: a write waits for the transaction that has read what it changes.
@Suite(.timeLimit(.minutes(5)))
struct LockingServerTests {
    private static let database = DatabaseID(projectID: "locks")

    private func with(_ body: (RemoteService, LockingChannel) async throws -> Void) async throws {
        var log = Logger(label: "locks")
        log.logLevel = .critical
        let databases = DatabaseRegistry(DatabaseOpening(storage: .memory), log: log)
        let channel = LockingChannel(RPCLoopback(FirestoreService(databases: databases)))
        let service = RemoteService(channel, database: Self.database, backoff: .immediate)
        try await body(service, channel)
        await service.shutdown()
        await databases.close()
    }

    @Test func `neither the reads of a transaction nor its commit wait for a write that waits for it (TX-2, TX-11)`() async throws {
        try await with { service, channel in
            let outcomes = Outcomes()
            let id = try await service.beginTransaction(.readWrite(retrying: nil), context: .embedded)
            let key = DocumentKey(trusted: "c/other")
            _ = try await service.documents([key], options: .transaction(id), context: .embedded)
            service.submit([.set("c/a", 1)], context: .embedded, completion: outcomes.note(1))
            await channel.locked()
            _ = try await service.documents([key], options: .transaction(id), context: .embedded)
            service.submit([.set("c/b", 2)], in: id, context: .embedded, completion: outcomes.note(2))
            // Later reads see both.
            let read = try await service.documents([DocumentKey(trusted: "c/a"), DocumentKey(trusted: "c/b")], options: .latest, context: .embedded)
            #expect(read.documents.allSatisfy { $0 != nil })
            #expect(outcomes.acknowledged == [1, 2] && outcomes.errors.isEmpty)
        }
    }

    @Test func `a write that was not applied because of a lock is tried again, a transaction is not (LS-40)`() async throws {
        try await with { service, channel in
            let outcomes = Outcomes()
            channel.abort(next: 3)
            service.submit([.set("c/a", 1)], context: .embedded, completion: outcomes.note(1))
            let first = try await service.get("c/a")
            #expect(first != nil && outcomes.acknowledged == [1])
            let id = try await service.beginTransaction(.readWrite(retrying: nil), context: .embedded)
            channel.abort(next: 1)
            service.submit([.set("c/b", 2)], in: id, context: .embedded, completion: outcomes.note(2))
            let second = try await service.get("c/b")
            #expect(second == nil && outcomes.errors[2]?.code == .aborted)
            // Only for a limited time.
            channel.abort(next: 1_000)
            service.submit([.set("c/d", 3)], context: .embedded, completion: outcomes.note(3))
            let third = try await service.get("c/d")
            #expect(third == nil && outcomes.errors[3]?.code == .aborted)
        }
    }
}

/// Holds commits of no transaction back until the first commit of one is over, if one has been begun; rejects some.
private final class LockingChannel: RPCChannel {
    private struct State {
        var hasTransaction = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var watching: [CheckedContinuation<Void, Never>] = []
        var rejected = 0
    }

    private let channel: any RPCChannel
    private let state = Mutex(State())

    init(_ channel: any RPCChannel) { self.channel = channel }

    func abort(next count: Int) { state.withLock { $0.rejected = count } }

    /// Returns when a commit waits.
    func locked() async {
        await withCheckedContinuation { continuation in
            let isLocked = state.withLock { state in
                if state.waiting.isEmpty { state.watching.append(continuation) }
                return !state.waiting.isEmpty
            }
            if isLocked { continuation.resume() }
        }
    }

    func unary(
        _ path: String, _ request: [UInt8], metadata: RPCMetadata, deadline: ContinuousClock.Instant?
    ) async throws(RPCStatus) -> ByteSlice {
        switch path.split(separator: "/").last {
        case "BeginTransaction": state.withLock { $0.hasTransaction = true }
        case "Commit":
            let isRejected = state.withLock { state in
                defer { state.rejected = max(0, state.rejected - 1) }
                return state.rejected > 0
            }
            if isRejected { throw RPCStatus(.aborted, "Transaction lock timeout.") }
            guard let commit = try? CommitRequest(decoding: ByteSlice(request)), commit.transaction == nil else {
                let answer = try await channel.unary(path, request, metadata: metadata, deadline: deadline)
                unlock()
                return answer
            }
            await waitForLock()
        default: break
        }
        return try await channel.unary(path, request, metadata: metadata, deadline: deadline)
    }

    private func waitForLock() async {
        await withCheckedContinuation { continuation in
            let (isFree, watching) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
                guard state.hasTransaction else { return (true, []) }
                state.waiting.append(continuation)
                defer { state.watching = [] }
                return (false, state.watching)
            }
            if isFree { continuation.resume() }
            for watcher in watching { watcher.resume() }
        }
    }

    private func unlock() {
        let waiting = state.withLock { state in
            state.hasTransaction = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func open(
        _ path: String, metadata: RPCMetadata, deadline: ContinuousClock.Instant?, handler: any RPCClientHandler
    ) -> any RPCClientCall {
        channel.open(path, metadata: metadata, deadline: deadline, handler: handler)
    }

    func shutdown() async { await channel.shutdown() }
}
