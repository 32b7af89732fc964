// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC
import FirestoreWire

/// A Firestore server reached by `google.firestore.v1`.
///
/// Online only: operations that need the connection while it is down fail with `unavailable`, except for watches, which resume
/// automatically. Commits of one caller are applied in the order of the `submit` calls (`CommitLine`): one after the other, or ahead
/// of the answers on a Write stream; those of transactions are sent immediately. Every session has a separate line and Listen
/// stream. The `SequencePlace` of a commit is ignored: commits are independent here. A commit with a `SequenceRecord` or conditions is
/// rejected, because only the server that applies it could keep the one and check the others.
package final class RemoteService: DocumentService {
    let connection: RemoteConnection
    let transactions: RemoteTransactions
    private let line: CommitLine
    private let listening: ListenSession
    private let isShutDown = Mutex(false)

    /// Shuts the channel down with the last session.
    package convenience init(
        _ channel: any RPCChannel, database: DatabaseID, metadata: RPCMetadata = RPCMetadata(), backoff: Backoff = Backoff(),
        retries: RetryPolicy = RetryPolicy(), writeAhead: WriteAhead = .ownServer
    ) {
        self.init(channel, database, metadata, nil, backoff, retries, writeAhead)
    }

    /// Authenticates every call by credentials. Shuts the channel down with the last session.
    package convenience init(
        _ channel: any RPCChannel, database: DatabaseID, credentials: Credentials, surroundings: CredentialSurroundings,
        backoff: Backoff = Backoff(), retries: RetryPolicy = RetryPolicy(), writeAhead: WriteAhead = .ownServer
    ) throws(FirestoreError) {
        var metadata = RPCMetadata()
        if credentials == .emulatorOwner { metadata.append("authorization", "Bearer owner") }
        self.init(channel, database, metadata, try credentials.tokenSource(surroundings), backoff, retries, writeAhead)
    }

    private convenience init(
        _ channel: any RPCChannel, _ database: DatabaseID, _ metadata: RPCMetadata, _ tokens: TokenSource?, _ backoff: Backoff,
        _ retries: RetryPolicy, _ writeAhead: WriteAhead
    ) {
        self.init(
            RemoteConnection(
                channel, database: database, metadata: metadata, tokens: tokens, backoff: backoff, retries: retries,
                writeAhead: writeAhead))
    }

    private init(_ connection: RemoteConnection) {
        self.connection = connection
        transactions = RemoteTransactions()
        line = CommitLine(connection, transactions)
        listening = ListenSession(connection)
        connection.retain()
    }

    package var indexAdministration: (any IndexAdministration)? { nil }

    package var facts: (any FactService)? { nil }

    package var followed: (any FollowedDatabase)? { nil }

    package var expiryAdministration: (any ExpiryAdministration)? { nil }

    package var storeAdministration: (any StoreAdministration)? { nil }

    package var history: DatabaseHistory? { nil }

    package var isShared: Bool { true }

    package func submit(
        _ writes: [Write], options: CommitOptions, context: RequestContext,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        var rejection: FirestoreError?
        do throws(FirestoreError) {
            try admit(context)
            if let refusal = options.refusal { throw refusal }
            guard options.conditions.isEmpty else {
                throw FirestoreError(.unimplemented, "a remote server cannot check the conditions of a commit")
            }
            guard options.place?.record == nil else {
                throw FirestoreError(.unimplemented, "the outcome of a commit to a remote server is not kept for sending it again")
            }
        } catch {
            rejection = error
        }
        line.submit(
            CommitLine.Commit(
                writes: writes, transaction: options.transaction, deadline: context.deadline, rejection: rejection, completion: completion))
    }

    /// Checks every call first. Reads also wait for the commits they must see.
    func admit(_ context: RequestContext, seesSubmitted: Bool) async throws(FirestoreError) {
        try admit(context)
        if seesSubmitted { await line.pendingCommits() }
    }

    /// Checks a read, which waits for the commits it must see. A transaction that has read before does not wait: it sees the moment of
    /// its first read, and on a server with locks a pending commit may be waiting for what the transaction has locked.
    func admit(_ context: RequestContext, reading options: ReadOptions) async throws(FirestoreError) {
        if case .transaction(let id) = options.moment, !transactions.beginsReading(id) { return try admit(context) }
        try await admit(context, seesSubmitted: options.seesSubmitted)
    }

    func admit(_ context: RequestContext) throws(FirestoreError) {
        if isShutDown.withLock({ $0 }) { throw .hasShutDown }
        if let deadline = context.deadline, deadline <= .now {
            throw FirestoreError(.deadlineExceeded, "the deadline of the request has passed")
        }
    }

    package func beginTransaction(
        _ mode: TransactionMode, context: RequestContext
    ) async throws(FirestoreError) -> TransactionID {
        try await admit(context, seesSubmitted: true)
        let wanted: RequestedTransactionMode =
            switch mode {
            case .readWrite(nil): .readWrite(retrying: nil)
            case .readWrite(let retried?): .readWrite(retrying: try transactions.token(of: retried))
            case .readOnly(let time): .readOnly(at: time?.timestamp)
            }
        let request = BeginTransactionRequest(database: connection.database, options: wanted)
        let response: BeginTransactionResponse = try await connection.unary(.beginTransaction, request, context.deadline)
        return transactions.add(response.transaction)
    }

    package func rollback(_ transaction: TransactionID, context: RequestContext) async throws(FirestoreError) {
        try admit(context)
        let request = RollbackRequest(database: connection.database, transaction: try transactions.token(of: transaction))
        let _: EmptyMessage = try await connection.unary(.rollback, request, context.deadline)
    }

    package func watch(
        _ target: WatchTarget, from resumption: WatchResumption?, context: RequestContext, sink: any WatchSink
    ) -> any WatchHandle {
        let handle = listening.register(target, from: resumption, sink: sink)
        do throws(FirestoreError) {
            try admit(context)
            line.afterPendingCommits { handle.start() }
        } catch {
            handle.fail(error)
        }
        return handle
    }

    package func watchRounds(
        context: RequestContext, _ body: @escaping @Sendable (DocumentVersion) -> Void
    ) -> any WatchHandle {
        listening.observeRounds(body)
    }

    package func watchTime(context: RequestContext) async throws(FirestoreError) -> DocumentVersion {
        try admit(context)
        return await listening.time()
    }

    package func session() throws(FirestoreError) -> any DocumentService {
        try admit(RequestContext(caller: .administrator))
        return RemoteService(connection)
    }

    /// The streams below a sync engine, over the same connection: raw, and not in the order of the commits of this session.
    package var transport: RemoteTransport {
        get throws(FirestoreError) {
            try admit(RequestContext(caller: .administrator))
            return RemoteTransport(connection)
        }
    }

    package func shutdown() async {
        guard isShutDown.setOnce() else { return }
        await line.pendingCommits()
        line.shutDown()
        await listening.end()
        await connection.release()
    }
}
