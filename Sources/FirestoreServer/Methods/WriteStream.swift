// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreRPC
import FirestoreWire

extension MethodContext {
    /// Write: a stream of batches, each atomic, answered in order (LS-38, LS-39).
    var write: RPCMethod {
        .stream { call in WriteStream(call, self) }
    }
}

/// One Write stream.
///
/// Batches are submitted as they come, so that all those waiting for the disk become durable with one sync. They are one
/// `WriteSequence`: none is applied after one that fails, because the client will send those again.
private final class WriteStream: RPCStreamHandler {
    /// The maximum number of unanswered batches; beyond that the peer has to wait. SDKs send ten ahead (LS-39), Hearth's client more.
    private static let most = 256

    private struct Session {
        let database: DatabaseID
        let service: any DocumentService
        let context: RequestContext
    }

    private struct State {
        /// Received and not processed.
        var waiting: [ByteSlice] = []
        /// Submitted to the database and not answered.
        var submitted = 0
        /// The number of the last submitted commit.
        var lastCommit: Int64 = 0
        /// The bytes of both.
        var unansweredBytes = 0
        /// Whether waiting messages are being processed, or will be.
        var isBusy = false
        var isReading = true
        var session: Session?
        /// The number of responses sent, which stream tokens contain.
        var sent: UInt64 = 0
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
    private let methods: MethodContext
    private let sequence: WriteSequence
    private let state = Mutex(State())
    /// Submitting may block, which must not happen on the connection's loop.
    private let queue = DispatchQueue(label: "hearth.write-stream", qos: .userInitiated)

    init(_ call: any RPCStreamCall, _ methods: MethodContext) {
        self.call = call
        self.methods = methods
        sequence = WriteSequence(streamID: AutoID.make())
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
        if starts { queue.async { self.handleWaiting() } }
    }

    func halfClosed() {
        state.withLock { state in if state.ending == nil { state.ending = Ending() } }
        finishIfDone()
    }

    /// Submitted batches are answered; the client sends the others to another server.
    func drain() { end(RPCStatus(.stopping)) }

    func becameWritable() {}

    func ended(_ status: RPCStatus?) {
        state.withLock { state in
            state.isOver = true
            state.waiting = []
        }
        // The peer does not learn the result of the rest. It must not be applied later, after what the peer sends on its next connection.
        if status != nil { sequence.fail() }
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
    private func fail(_ error: FirestoreError) {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            state.waiting = []
            return !state.isOver
        }
        if isFirst { call.finish(RPCStatus(error)) }
    }

    // MARK: On the queue

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
                try commit(request, message.count, session)
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
        guard request.streamID.isEmpty, request.streamToken.isEmpty else {
            throw .invalidArgument("this server does not resume write streams: open one without stream id and stream token")
        }
        guard request.writes.isEmpty else {
            throw .invalidArgument("the first message of a write stream names the database and holds no writes")
        }
        guard let database = request.database else {
            throw .invalidArgument("the first message of a write stream names the database")
        }
        let context = try RequestContext(call.info)
        Task {
            do throws(FirestoreError) {
                let service = try await methods.service(database)
                state.withLock { $0.session = Session(database: database, service: service, context: context) }
                respond(WriteResponse(streamID: sequence.streamID, streamToken: .empty))
            } catch {
                end(RPCStatus(error))
            }
            queue.async { self.handleWaiting() }
        }
    }

    /// Submits one batch, which must belong to the database of the stream (DM-4).
    private func commit(_ request: WriteRequest, _ size: Int, _ session: Session) throws(FirestoreError) {
        guard request.streamToken.isEmpty || isOurs(request.streamToken) else {
            throw .invalidArgument("the stream token was not issued on this stream")
        }
        if let named = request.database, DatabaseName(named) != DatabaseName(session.database) {
            throw .invalidArgument(
                "the stream is for database \(session.database.databaseID) of project \(session.database.projectID), "
                    + "and this message for another")
        }
        // A message without writes closes the stream (LS-38).
        guard !request.writes.isEmpty else { return end(nil) }
        let number = state.withLock { state in
            state.submitted += 1
            state.lastCommit += 1
            return state.lastCommit
        }
        let options = CommitOptions(place: SequencePlace(sequence, number: number))
        session.service.submit(request.writes, options: options, context: session.context) { [self] result in
            switch result {
            case .success(let response): answer(response, size)
            case .failure(let error): fail(error)
            }
        }
    }

    // MARK: Answers

    /// Called on the database's thread, one after the other.
    private func answer(_ response: CommitResponse, _ size: Int) {
        respond(WriteResponse(streamID: "", streamToken: .empty, results: response.results, commitTime: response.commitTime))
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

    private func respond(_ response: WriteResponse) {
        var response = response
        let number = state.withLock { state -> UInt64? in
            guard !state.isOver else { return nil }
            state.sent += 1
            return state.sent
        }
        guard let number else { return }
        response.streamToken = token(number)
        call.send(response.encoded())
    }

    private func token(_ number: UInt64) -> ByteSlice {
        var bytes = Array(sequence.streamID.utf8)
        bytes.append(bigEndian: number)
        return ByteSlice(bytes)
    }

    /// Any token that was sent: the peer may be some answers behind.
    private func isOurs(_ token: ByteSlice) -> Bool {
        let bytes = token.array
        guard bytes.count == sequence.streamID.utf8.count + 8, bytes.starts(with: sequence.streamID.utf8) else { return false }
        let number = bytes.number(at: bytes.count - 8)
        return number >= 1 && number <= state.withLock { $0.sent }
    }
}
