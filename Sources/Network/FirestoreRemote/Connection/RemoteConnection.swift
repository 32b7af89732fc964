// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire

/// What the sessions of one remote database share: the channel, the names, the headers and the retry policy.
final class RemoteConnection: Sendable {
    let channel: any RPCChannel
    let database: DatabaseID
    /// The delays between attempts to open a stream again.
    let backoff: Backoff
    let writeAhead: WriteAhead
    private let retries: RetryPolicy
    private let headers: CallHeaders
    private let sessions = Mutex(0)
    /// Whether the server has answered a call.
    private let hasContact = Mutex(false)

    init(
        _ channel: any RPCChannel, database: DatabaseID, metadata: RPCMetadata, tokens: TokenSource?, backoff: Backoff,
        retries: RetryPolicy, writeAhead: WriteAhead
    ) {
        self.channel = channel
        self.database = database
        self.backoff = backoff
        self.writeAhead = writeAhead
        self.retries = retries
        headers = CallHeaders(database, metadata, tokens)
    }

    func retain() { sessions.withLock { $0 += 1 } }

    func release() async {
        let isLast = sessions.withLock { sessions in
            sessions -= 1
            return sessions == 0
        }
        guard isLast else { return }
        headers.shutDown()
        await channel.shutdown()
    }

    /// The next call asks for another token.
    func invalidateCredentials() { headers.invalidate() }

    /// Calls `body` after every change of the caller or the token, as long as it returns true.
    func whenCallerChanges(_ body: @escaping @Sendable (_ isSameUser: Bool) -> Bool) { headers.whenCallerChanges(body) }

    // MARK: Calls

    /// Sends one message and returns one; repeats the call where the method allows it.
    func unary<Response: WireMessage>(
        _ method: FirestoreMethod, _ request: some WireMessage, _ deadline: ContinuousClock.Instant?
    ) async throws(FirestoreError) -> Response {
        let bytes = request.encoded()
        return try await attempt(method, deadline) { metadata, deadline throws(FirestoreError) in
            let answer: ByteSlice
            do throws(RPCStatus) {
                answer = try await self.channel.unary(method.path, bytes, metadata: metadata, deadline: deadline)
            } catch {
                throw FirestoreError(error)
            }
            return try Response(decoding: answer)
        }
    }

    /// Sends one message and passes any number of answers to `consume`. Repeats the call where the method allows it; `consume` then
    /// starts over. `isStillPossible` is asked before: false once a part of the answer has been passed on. `asWhole`: `consume` does
    /// not use parts of the answer. `effect`: that of this call, where calls of the method differ.
    func stream<Result>(
        _ method: FirestoreMethod, _ request: some WireMessage, _ deadline: ContinuousClock.Instant?,
        effect: RetryPolicy.Effect? = nil, asWhole: Bool = false, isStillPossible: () -> Bool = { true },
        consume: (ResponseReader) async throws(FirestoreError) -> Result
    ) async throws(FirestoreError) -> Result {
        let bytes = request.encoded()
        return try await attempt(method, deadline, effect: effect, isStillPossible: isStillPossible) {
            metadata, deadline throws(FirestoreError) in
            let stream = ResponseReader(asWhole: asWhole)
            stream.attach(
                self.channel.open(method.path, only: bytes, metadata: metadata, deadline: deadline, handler: stream))
            do throws(FirestoreError) {
                return try await consume(stream)
            } catch {
                stream.cancel()
                throw error
            }
        }
    }

    /// Opens a bidirectional stream. Nothing is sent before there is a token; messages wait for it. If the server does not accept
    /// the token, the next call uses another one (LS-41).
    func open(_ method: FirestoreMethod, handler: any RPCClientHandler) -> any RPCClientCall {
        guard let set = headers.ready() else {
            let call = DeferredCall(handler)
            call.open { [headers] () throws(FirestoreError) in
                let set = try await headers.headers(until: nil)
                return { self.open(method, set, $0) }
            }
            return call
        }
        return open(method, set, handler)
    }

    private func open(_ method: FirestoreMethod, _ set: CallHeaders.Set, _ handler: any RPCClientHandler) -> any RPCClientCall {
        let watching = set.token == nil ? handler : AuthorizedHandler(handler) { [headers] in _ = headers.rejected(set) }
        return channel.open(method.path, metadata: set.metadata, deadline: nil, handler: watching)
    }

    // MARK: Trying again

    private func attempt<Result>(
        _ method: FirestoreMethod, _ deadline: ContinuousClock.Instant?, effect: RetryPolicy.Effect? = nil,
        isStillPossible: () -> Bool = { true }, _ body: (RPCMetadata, ContinuousClock.Instant?) async throws(FirestoreError) -> Result
    ) async throws(FirestoreError) -> Result {
        let effect = effect ?? method.effect
        // The caller's deadline, or one that ends calls that would never end.
        let limit = deadline ?? method.patience(retries).map { .now + $0 }
        var started: ContinuousClock.Instant?
        var failures = 0
        var hasChangedToken = false
        while true {
            let set = try await headers.headers(until: limit)
            do throws(FirestoreError) {
                let result = try await body(set.metadata, limit)
                hasContact.withLock { $0 = true }
                return result
            } catch {
                if error.progress == .answered { hasContact.withLock { $0 = true } }
                // LS-41. The server checks the token before it processes the call.
                if error.code == .unauthenticated, !hasChangedToken, isStillPossible(), headers.rejected(set) {
                    hasChangedToken = true
                    continue
                }
                failures += 1
                let begun = started ?? .now
                started = begun
                guard RetryPolicy.allows(effect, after: error), isStillPossible(), !Task.isCancelled,
                    let delay = retries.delay(
                        afterFailures: failures, elapsed: .now - begun, hasContact: hasContact.withLock { $0 }),
                    limit.map({ .now + delay < $0 }) ?? true
                else { throw explained(error, effect) }
                await retries.backoff.sleep(delay)
                if Task.isCancelled { throw FirestoreError(.cancelled, "the call was cancelled") }
            }
        }
    }

    /// Adds what the caller can do about the error.
    func explained(_ error: FirestoreError, _ effect: RetryPolicy.Effect) -> FirestoreError {
        var error = error
        switch error.code {
        case .unauthenticated where error.progress == .answered:
            error.message +=
                headers.account.map { "; the server does not accept the token of \($0)" }
                ?? "; the server requires credentials (settings.credentials)"
        case .permissionDenied:
            let who = headers.account.map { " of \($0)" } ?? ""
            error.message += "; check the name of the project (\(database.projectID)) and the permissions\(who) in it"
        case .deadlineExceeded, .unknown, .cancelled:
            // The server has stopped waiting; the operation may still complete.
            if effect == .change, error.progress == .answered { error.progress = .unknown }
        default: break
        }
        if effect == .change, error.progress == .unknown { error.message += "; the commit may or may not have been applied" }
        return error
    }
}

extension FirestoreError {
    /// An error from the server, or from the transport.
    init(_ status: RPCStatus) {
        self.init(status.code, status.message)
        progress = status.progress
    }
}
