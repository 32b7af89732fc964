#if Remote
import Dispatch
import FirestoreCore
import FirestoreRPC
import FirestoreWire

extension MethodContext {
    /// Write: a stream of batches, each atomic, answered in their order (LS-38, LS-39).
    var write: RPCMethod {
        .stream { call in WriteStream(call, self) }
    }
}

/// One Write stream.
///
/// A batch goes to the database when the one before is durable: if a batch fails, none behind it may have been applied,
/// for the client will send those again. Meanwhile up to ten batches wait, of the bytes of one; then the peer has to.
private final class WriteStream: RPCStreamHandler {
    /// As many batches as SDKs send ahead (LS-39).
    private static let most = 10

    private struct Session {
        let database: DatabaseID
        let service: any DocumentService
    }

    private struct State {
        var waiting: [ByteSlice] = []
        var waitingBytes = 0
        var isBusy = false
        var isReading = true
        var session: Session?
        /// Responses sent, which is what stream tokens count.
        var sent: UInt64 = 0
        /// The peer has said all, or we were told to stop: finish when nothing waits.
        var last: Last?
        var isOver = false
    }

    private enum Last {
        case halfClosed, draining
    }

    private enum Step {
        case handle(ByteSlice, isReading: Bool)
        case finish(RPCStatus?)
        case rest
    }

    private let call: any RPCStreamCall
    private let methods: MethodContext
    private let id = AutoID.make()
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "hearth.write-stream", qos: .userInitiated)

    init(_ call: any RPCStreamCall, _ methods: MethodContext) {
        self.call = call
        self.methods = methods
    }

    func receive(_ message: ByteSlice) {
        let (starts, stops) = state.withLock { state in
            guard !state.isOver, state.last != .draining else { return (false, false) }
            state.waiting.append(message)
            state.waitingBytes += message.count
            let isFull = state.waiting.count >= Self.most || state.waitingBytes >= Limits.requestBytes
            let stops = state.isReading && isFull
            if stops { state.isReading = false }
            defer { state.isBusy = true }
            return (!state.isBusy, stops)
        }
        if stops { call.setReading(false) }
        if starts { queue.async { self.next() } }
    }

    func halfClosed() { end(.halfClosed) }
    func drain() { end(.draining) }
    func becameWritable() {}

    func ended(_ status: RPCStatus?) {
        state.withLock { state in
            state.isOver = true
            state.waiting = []
        }
    }

    private func end(_ last: Last) {
        let starts = state.withLock { state in
            state.last = last
            if last == .draining {
                state.waiting = []
                state.waitingBytes = 0
            }
            defer { state.isBusy = true }
            return !state.isBusy
        }
        if starts { queue.async { self.next() } }
    }

    // MARK: One step after the other

    private func next() {
        let step = state.withLock { state -> Step in
            guard !state.isOver else { return .rest }
            guard !state.waiting.isEmpty else {
                state.isBusy = false
                switch state.last {
                case nil: return .rest
                case .halfClosed: return .finish(nil)
                case .draining: return .finish(RPCStatus(.stopping))
                }
            }
            let message = state.waiting.removeFirst()
            state.waitingBytes -= message.count
            let hasRoom = state.waiting.count < Self.most / 2 && state.waitingBytes < Limits.requestBytes / 2
            let resumes = !state.isReading && hasRoom
            if resumes { state.isReading = true }
            return .handle(message, isReading: resumes)
        }
        switch step {
        case .rest: break
        case .finish(let status): finish(status)
        case .handle(let message, let isReading):
            if isReading { call.setReading(true) }
            handle(message)
        }
    }

    private func finish(_ status: RPCStatus?) {
        ended(nil)
        call.finish(status)
    }

    private func handle(_ message: ByteSlice) {
        do throws(FirestoreError) {
            try RequestSize.check(message)
            let request = try WriteRequest(decoding: message)
            if let session = state.withLock({ $0.session }) {
                try commit(request, session)
            } else {
                try open(request)
            }
        } catch {
            finish(RPCStatus(error))
        }
    }

    /// The first message: names the database and nothing else (LS-38).
    private func open(_ request: WriteRequest) throws(FirestoreError) {
        guard request.streamID.isEmpty, request.streamToken.isEmpty else {
            throw .invalidArgument("this server does not resume write streams: open one without stream id and stream token")
        }
        guard request.writes.isEmpty else {
            throw .invalidArgument("the first message of a write stream names the database and holds no writes (LS-38)")
        }
        guard let database = request.database else {
            throw .invalidArgument("the first message of a write stream names the database (LS-38)")
        }
        Task {
            do throws(FirestoreError) {
                let session = Session(database: database, service: try await methods.service(database))
                state.withLock { $0.session = session }
                respond(WriteResponse(streamID: id, streamToken: .empty))
            } catch {
                finish(RPCStatus(error))
            }
        }
    }

    private func commit(_ request: WriteRequest, _ session: Session) throws(FirestoreError) {
        guard request.streamToken.isEmpty || isOurs(request.streamToken) else {
            throw .invalidArgument("the stream token is not one of this stream's")
        }
        if let named = request.database, DatabaseName(named) != DatabaseName(session.database) {
            throw .invalidArgument(
                "the stream is for database \(session.database.databaseID) of project \(session.database.projectID), "
                    + "and this message for another (DM-4)")
        }
        // A message without writes closes the stream (LS-38).
        guard !request.writes.isEmpty else { return finish(nil) }
        session.service.submit(request.writes, context: try RequestContext(call.info)) { [self] result in
            switch result {
            case .success(let response):
                respond(
                    WriteResponse(streamID: "", streamToken: .empty, results: response.results, commitTime: response.commitTime))
            case .failure(let error): finish(RPCStatus(error))
            }
        }
    }

    /// Answers, and goes on with what waits.
    private func respond(_ response: WriteResponse) {
        var response = response
        let number = state.withLock { state in
            state.sent += 1
            return state.sent
        }
        response.streamToken = token(number)
        call.send(response.encoded())
        queue.async { self.next() }
    }

    private func token(_ number: UInt64) -> ByteSlice {
        var bytes = Array(id.utf8)
        bytes.append(bigEndian: number)
        return ByteSlice(bytes)
    }

    /// Any that was sent: the peer may be some answers behind.
    private func isOurs(_ token: ByteSlice) -> Bool {
        let bytes = token.array
        guard bytes.count == id.utf8.count + 8, bytes.starts(with: id.utf8) else { return false }
        let number = bytes.number(at: bytes.count - 8)
        return number >= 1 && number <= state.withLock { $0.sent }
    }
}
#endif
