// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import HearthBase

/// The part that both kinds of REST calls share: the request as a message, and the conversion of answers to JSON.
struct RESTRequest: Sendable {
    let info: RPCCallInfo
    let message: ByteSlice
    let call: RESTCall
    let budget: AnswerBudget
    let exchange: any HTTPExchange
    /// Called once, with the code and the size of the answer.
    let ended: @Sendable (FirestoreError.Code, _ sent: Int) -> Void
}

/// A call with one answer: the JSON form of the message, or an error object.
final class RESTUnaryCall: RPCUnaryCall {
    private let rest: RESTRequest
    private let isAnswered = Mutex(false)

    init(_ rest: RESTRequest) { self.rest = rest }

    var info: RPCCallInfo { rest.info }
    var request: ByteSlice { rest.message }

    func respond(_ result: Result<[UInt8], RPCStatus>) {
        let isFirst = isAnswered.withLock { isAnswered in
            defer { isAnswered = true }
            return !isAnswered
        }
        guard isFirst else { return }
        do throws(RPCStatus) {
            let message = try result.get()
            // A large message that waits for its turn counts. If too many do, its text is made here.
            guard message.count > Self.large, rest.budget.take(message.count) else { return answer(message) }
            if let pieces = rest.call.responsePieces(message) {
                write(pieces, of: message.count)
            } else {
                Task(priority: Self.priorityOfLarge) { [self] in
                    defer { rest.budget.giveBack(message.count) }
                    answer(message)
                }
            }
        } catch {
            rest.ended(error.code, 0)
            rest.exchange.respond(error)
        }
    }

    private func answer(_ message: [UInt8]) {
        do throws(FirestoreError) {
            let json = try rest.call.responseJSON(ByteSlice(message))
            rest.ended(.ok, json.count)
            rest.exchange.respond(json: json)
        } catch {
            rest.ended(error.code, 0)
            rest.exchange.respond(RPCStatus(error))
        }
    }

    /// Of the tasks that make the text of large answers. Small ones come first: a crowd that asks for large ones must not keep others
    /// waiting.
    private static let priorityOfLarge = TaskPriority.utility

    /// Messages that take more bytes are written in pieces, where their method has such answers.
    private static let large = 128 << 10

    /// Writes an answer no faster than the peer reads it: its text takes several times the memory of the message.
    private func write(_ pieces: AnswerPieces, of bytes: Int) {
        let task = Task(priority: Self.priorityOfLarge) { [rest] in
            var pieces = pieces
            var sent = 0
            defer { rest.budget.giveBack(bytes) }
            do {
                rest.exchange.begin(status: 200, headers: .json)
                while let piece = try pieces.next() {
                    rest.exchange.write(piece)
                    sent += piece.count
                    try await rest.exchange.whenWritable()
                    // Other calls have their turn between two pieces.
                    await Task.yield()
                }
                rest.ended(.ok, sent)
                rest.exchange.end()
            } catch {
                rest.ended((error as? FirestoreError)?.code ?? .cancelled, sent)
                rest.exchange.cut()
            }
        }
        rest.exchange.onCancel { task.cancel() }
    }

    func onCancel(_ body: @escaping @Sendable () -> Void) { rest.exchange.onCancel(body) }

    func reserve(_ bytes: Int) async throws(RPCStatus) { try await rest.exchange.reserve(bytes) }
    func giveBackReserved() { rest.exchange.giveBackReserved() }
}

/// A call with many answers: a JSON array of them. An error before the first is an array, too, with one error object (HT-3); a later
/// error is its last element.
final class RESTStreamCall: RPCStreamCall {
    private enum Output {
        /// The status is that of a failure before the first element.
        case begin(FirestoreError.Code?)
        case write([UInt8])
        case end(FirestoreError.Code, sent: Int)
    }

    private struct State {
        var hasBegun = false
        var isOver = false
        var sent = 0
        var output = ActionQueue<Output>()
    }

    private let rest: RESTRequest
    private let state = Mutex(State())

    init(_ rest: RESTRequest) { self.rest = rest }

    var info: RPCCallInfo { rest.info }

    func send(_ message: [UInt8]) {
        do throws(FirestoreError) {
            let json = try rest.call.responseJSON(ByteSlice(message))
            state.withLock { state in
                guard !state.isOver else { return }
                if !state.hasBegun { state.output.append(.begin(nil)) }
                state.output.append(.write(Array((state.hasBegun ? ",\r\n" : "[").utf8) + json))
                state.hasBegun = true
                state.sent += json.count
            }
            performOutput()
        } catch {
            finish(RPCStatus(error))
        }
    }

    var isWritable: Bool { false }

    func whenWritable() async throws(RPCStatus) { try await rest.exchange.whenWritable() }

    func reserve(_ bytes: Int) async throws(RPCStatus) { try await rest.exchange.reserve(bytes) }
    func giveBackReserved() { rest.exchange.giveBackReserved() }

    func finish(_ status: RPCStatus?) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isOver = true
            if !state.hasBegun { state.output.append(.begin(status?.code)) }
            var end = state.hasBegun ? "" : "["
            if let status { end += (state.hasBegun ? ",\r\n" : "") + String(decoding: status.errorObject, as: UTF8.self) }
            state.output.append(.write(Array((end + "]\n").utf8)))
            state.output.append(.end(status?.code ?? .ok, sent: state.sent))
        }
        performOutput()
    }

    /// Writes in the order of the calls.
    private func performOutput() {
        guard state.withLock({ $0.output.begin() }) else { return }
        while let output = state.withLock({ $0.output.next() }) {
            for action in output { perform(action) }
        }
    }

    private func perform(_ action: Output) {
        switch action {
        case .begin(let error):
            var headers = RPCMetadata.json
            if let error { headers.entries += HTTPRefusal.headers(for: error) }
            rest.exchange.begin(status: error?.httpStatus ?? 200, headers: headers)
        case .write(let bytes): rest.exchange.write(bytes)
        case .end(let code, let sent):
            rest.ended(code, sent)
            rest.exchange.end()
        }
    }

    /// The request is already complete.
    func setReading(_ isOn: Bool) {}
}
