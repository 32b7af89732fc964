// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreRules
import FirestoreWire

extension MethodContext {
    /// Write: a stream of batches, each atomic, answered in order (LS-38, LS-39). A client can ask for a stream that it may resume
    /// after its connection breaks (decision 28).
    var write: RPCMethod {
        let calm = CalmRunner()
        return .stream { call in
            LongLivedStreamHandler(call, identification, streams) { call, known in WriteStream(call, known, self, calm) }
        }
    }
}

/// One Write stream.
///
/// Batches are submitted as they come, so that all that wait for the disk become durable with one sync. They are one
/// `WriteSequence`: none is applied after one that fails, because the client will send those again.
private final class WriteStream: LongLivedStream {
    /// The maximum number of unanswered batches; beyond that the peer has to wait. SDKs send ten ahead (LS-39), Hearth's client more.
    private static let most = 256

    private struct Session {
        let database: DatabaseID
        let service: any DocumentService
        let sequence: WriteSequence
        /// The owner, that may resume the stream; nil if it cannot be resumed.
        var owner: SequenceOwner?
        /// The history that the tokens of a resumable stream name.
        var history: UInt32?
        /// The number of the last batch that was answered before this connection.
        var start: Int64 = 0
    }

    private struct State {
        /// Received and not processed.
        var waiting: [ByteSlice] = []
        /// Submitted to the database and not answered.
        var submitted = 0
        /// The number of the last submitted commit, over all connections of the stream.
        var lastCommit: Int64 = 0
        /// The bytes of both.
        var unansweredBytes = 0
        /// Whether waiting messages are being processed, or will be.
        var isBusy = false
        var isReading = true
        var session: Session?
        /// The number of the last answered commit, which stream tokens contain.
        var answered: Int64 = 0
        /// How the stream ends, after the answers to everything submitted or waiting.
        var ending: Ending?
        var isOver = false

        var isFull: Bool { holds(WriteStream.most, Limits.requestBytes) }

        func holds(_ batches: Int, _ bytes: Int) -> Bool {
            waiting.count + submitted >= batches || unansweredBytes >= bytes
        }
    }

    private struct Ending {
        var status: RPCStatus?
    }

    private let call: any RPCStreamCall
    private let known: IdentifiedCall
    private let methods: MethodContext
    private let state = Mutex(State())
    /// Submits single batches on the connection's loop. Submitting may block while too many commits are pending; the gate then sends
    /// the next ones to other threads.
    private let calm: CalmRunner

    init(_ call: any RPCStreamCall, _ known: IdentifiedCall, _ methods: MethodContext, _ calm: CalmRunner) {
        self.call = call
        self.known = known
        self.methods = methods
        self.calm = calm
    }

    func receive(_ message: ByteSlice) {
        let (starts, stops) = state.withLock { state in
            guard !state.isOver, state.ending == nil else { return (false, false) }
            state.waiting.append(message)
            state.unansweredBytes += message.count
            let stops = state.isReading && state.isFull
            if stops { state.isReading = false }
            defer { state.isBusy = true }
            return (!state.isBusy, stops)
        }
        if stops { call.setReading(false) }
        guard starts else { return }
        if calm.run({ handleWaiting() }) { return }
        WorkThreads.shared.run { self.handleWaiting() }
    }

    func halfClosed() {
        state.withLock { state in if state.ending == nil { state.ending = Ending() } }
        finishIfDone()
    }

    /// Submitted batches are answered; the client sends the others to another server.
    func drain() { end(RPCStatus(.stopping)) }

    /// Submitted batches are answered; the client sends the others again, with a new token.
    func identityEnded(_ error: FirestoreError) { end(RPCStatus(error)) }

    func becameWritable() {}

    func ended(_ status: RPCStatus?) {
        let sequence = state.withLock { state in
            state.isOver = true
            state.waiting = []
            return state.session?.sequence
        }
        // The peer does not learn the result of the rest. It must not be applied later, after what the peer sends on its next connection.
        if status != nil { sequence?.fail() }
    }

    // MARK: Ends

    /// Accepts no more messages, and ends the stream after the answers to submitted batches.
    private func end(_ status: RPCStatus?) {
        state.withLock { state in
            if state.ending?.status == nil { state.ending = Ending(status: status) }
            state.waiting = []
        }
        finishIfDone()
    }

    private func finishIfDone() {
        let ending = state.withLock { state -> Ending? in
            guard !state.isOver, !state.isBusy, state.submitted == 0, state.waiting.isEmpty, let ending = state.ending else { return nil }
            state.isOver = true
            return ending
        }
        if let ending { call.finish(ending.status) }
    }

    /// A batch has failed, and the stream with it. The database rejects the batches after it.
    private func fail(_ error: FirestoreError, _ number: Int64, _ session: Session) {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            state.waiting = []
            return !state.isOver
        }
        guard isFirst else { return }
        guard session.owner != nil, !error.isSequenceLost else { return call.finish(RPCStatus(error)) }
        if session.sequence.recordedFailure == number {
            // Informs the client that the batch has its number for good, and that the next one follows it.
            call.send(WriteResponse(streamID: "", streamToken: token(number, session)).encoded())
            call.finish(RPCStatus(error))
        } else {
            // Not recorded, so not final: the client has to send the batch again, whatever the code would mean otherwise.
            let code = error.code == .resourceExhausted || error.code == .aborted ? error.code : .unavailable
            call.finish(RPCStatus(code, error.description))
        }
    }

    // MARK: On one of the threads that all streams share

    private func handleWaiting() {
        while let message = takeWaiting() {
            do throws(FirestoreError) {
                try RequestSize.check(message)
                let request = try WriteRequest(decoding: message)
                guard let session = state.withLock({ $0.session }) else {
                    // Continues when the database is open.
                    try open(request)
                    return
                }
                try commit(request, message, session)
            } catch {
                end(RPCStatus(error))
            }
        }
        finishIfDone()
    }

    /// Returns nil, and marks the stream as not busy, if nothing waits.
    private func takeWaiting() -> ByteSlice? {
        state.withLock { state in
            guard !state.isOver, !state.waiting.isEmpty else {
                state.isBusy = false
                return nil
            }
            let message = state.waiting.removeFirst()
            // The answer to the handshake is not counted.
            if state.session == nil { state.unansweredBytes -= message.count }
            return message
        }
    }

    /// The first message: names the database and nothing else (LS-38).
    private func open(_ request: WriteRequest) throws(FirestoreError) {
        let resumption = try Self.resumption(request)
        guard request.writes.isEmpty else {
            throw .invalidArgument("the first message of a write stream names the database and holds no writes")
        }
        guard let database = request.database else {
            throw .invalidArgument("the first message of a write stream names the database")
        }
        let isRecorded = resumption != nil || WriteStreamResumption.isWanted(by: request)
        let id = resumption?.streamID ?? (isRecorded ? WriteStreamResumption.makeStreamID() : AutoID.make())
        Task {
            do throws(FirestoreError) {
                let service = try await methods.service(database, known.context)
                var session = Session(database: database, service: service, sequence: WriteSequence(streamID: id))
                if isRecorded {
                    if let resumption, let history = service.history, !history.continues(resumption.history) {
                        throw .sequenceLost("it is not known here; the database was restored from a copy")
                    }
                    // A stream from before histories had numbers retains its tokens. Answers that a fail-over has lost are missing in
                    // the stream's record.
                    session.history = resumption.map { $0.history == nil } ?? false ? nil : service.history?.mark
                    session.owner = SequenceOwner(known.identity.caller)
                    session.start = resumption?.number ?? 0
                    try await record(session, resumption == nil ? .begin : .resume)
                }
                begin(session)
            } catch {
                end(RPCStatus(error))
            }
            WorkThreads.shared.run { self.handleWaiting() }
        }
    }

    /// The resumption in the first message; nil for a stream that begins.
    private static func resumption(_ request: WriteRequest) throws(FirestoreError) -> WriteStreamResumption? {
        if request.streamID.isEmpty, request.streamToken.isEmpty { return nil }
        guard WriteStreamResumption.isResumable(request.streamID) else {
            throw .invalidArgument("this server does not resume write streams: open one without stream id and stream token")
        }
        guard let resumption = WriteStreamResumption(streamID: request.streamID, token: request.streamToken) else {
            throw .sequenceLost("its stream token was not issued for this stream id")
        }
        return resumption
    }

    /// Stores that the stream can be resumed, or checks that it can.
    private func record(_ session: Session, _ step: SequenceRecord.Step) async throws(FirestoreError) {
        guard let owner = session.owner else { return }
        let place = SequencePlace(session.sequence, number: session.start, record: SequenceRecord(owner: owner, step: step))
        let result: Result<CommitResponse, FirestoreError> = await withCheckedContinuation { continuation in
            // Submitting may block, which must not happen on the task pool.
            WorkThreads.shared.run {
                session.service.submit([], options: CommitOptions(place: place), context: self.known.context) {
                    continuation.resume(returning: $0)
                }
            }
        }
        _ = try result.get()
    }

    /// Answers the handshake.
    private func begin(_ session: Session) {
        let isOpen = state.withLock { state in
            state.session = session
            (state.lastCommit, state.answered) = (session.start, session.start)
            return !state.isOver
        }
        guard isOpen else { return }
        call.send(WriteResponse(streamID: session.sequence.streamID, streamToken: token(session.start, session)).encoded())
    }

    /// Submits one batch, which must belong to the database of the stream (DM-4).
    private func commit(_ request: WriteRequest, _ message: ByteSlice, _ session: Session) throws(FirestoreError) {
        let confirmed = request.streamToken.isEmpty ? session.start : try number(of: request.streamToken, session)
        if let named = request.database, DatabaseName(named) != DatabaseName(session.database) {
            throw .invalidArgument(
                "the stream is for database \(session.database.databaseID) of project \(session.database.projectID), "
                    + "and this message for another")
        }
        // A message without writes closes the stream (LS-38).
        guard !request.writes.isEmpty else { return end(nil) }
        var record: SequenceRecord?
        if let owner = session.owner {
            let digest = try WriteRequest.digest(of: message)
            record = SequenceRecord(owner: owner, step: .commit(digest: digest, confirmed: confirmed))
        }
        let number = state.withLock { state in
            state.submitted += 1
            state.lastCommit += 1
            return state.lastCommit
        }
        let size = message.count
        let options = CommitOptions(place: SequencePlace(session.sequence, number: number, record: record))
        session.service.submit(request.writes, options: options, context: known.context) { [self] result in
            switch result {
            case .success(let response):
                methods.figures?.wrote(request.writes)
                answer(response, number, size, session)
            case .failure(let error): fail(error, number, session)
            }
        }
    }

    // MARK: Answers

    /// Called on the database's thread, one after the other.
    private func answer(_ response: CommitResponse, _ number: Int64, _ size: Int, _ session: Session) {
        let isOpen = state.withLock { state in
            if !state.isOver { state.answered = number }
            return !state.isOver
        }
        if isOpen {
            let message = WriteResponse(
                streamID: "", streamToken: token(number, session), results: response.results, commitTime: response.commitTime)
            call.send(contentsOf: [message.encoded()])
        }
        let resumes = state.withLock { state in
            state.submitted -= 1
            state.unansweredBytes -= size
            guard !state.isReading, !state.holds(Self.most / 2, Limits.requestBytes / 2) else { return false }
            state.isReading = true
            return true
        }
        if resumes { call.setReading(true) }
        finishIfDone()
    }

    /// The token of the answer to a batch; 0 represents the handshake.
    private func token(_ number: Int64, _ session: Session) -> ByteSlice {
        let id = session.sequence.streamID
        if session.owner != nil { return WriteStreamToken(number: number, history: session.history).bytes(of: id) }
        var bytes = Array(id.utf8)
        bytes.append(bigEndian: UInt64(number) + 1)
        return ByteSlice(bytes)
    }

    /// The number of a token. Any token that was sent on this connection is valid: the peer may be some answers behind.
    private func number(of token: ByteSlice, _ session: Session) throws(FirestoreError) -> Int64 {
        let id = session.sequence.streamID
        var found: Int64?
        if session.owner != nil {
            found = WriteStreamToken(token, of: id).flatMap { $0.history == session.history ? $0.number : nil }
        } else if token.count == id.utf8.count + 8, token.array.starts(with: id.utf8) {
            found = Int64(exactly: token.array.number(at: token.count - 8)).map { $0 - 1 }
        }
        guard let found, found >= session.start, found <= state.withLock({ $0.answered }) else {
            // The client's account of the stream is wrong, and not the batch: it must not be reported as rejected.
            if session.owner != nil { throw .sequenceLost("the stream token of a batch was not issued on this connection") }
            throw .invalidArgument("the stream token was not issued on this stream")
        }
        return found
    }
}
