// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreWire

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
            if message.count > Self.large, let pieces = rest.call.responsePieces(message), rest.budget.take(message.count) {
                return write(pieces, of: message.count)
            }
            let json: [UInt8]
            do throws(FirestoreError) { json = try rest.call.responseJSON(ByteSlice(message)) } catch { throw RPCStatus(error) }
            rest.ended(.ok, json.count)
            rest.exchange.respond(json: json)
        } catch {
            rest.ended(error.code, 0)
            rest.exchange.respond(error)
        }
    }

    /// Messages that take more bytes are written in pieces, where their method has such answers.
    private static let large = 128 << 10

    /// Writes an answer no faster than the peer reads it: its text takes several times the memory of the message.
    private func write(_ pieces: AnswerPieces, of bytes: Int) {
        let task = Task { [rest] in
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
}

/// A call with many answers: a JSON array of them. An error before the first is an array, too, with one error object (HT-3); a later
/// error is its last element.
final class RESTStreamCall: RPCStreamCall {
    private struct State {
        var hasBegun = false
        var isOver = false
        var sent = 0
    }

    private let rest: RESTRequest
    private let state = Mutex(State())
    /// Writes in the order of the calls.
    private let order = Mutex(())

    init(_ rest: RESTRequest) { self.rest = rest }

    var info: RPCCallInfo { rest.info }

    func send(_ message: [UInt8]) {
        do throws(FirestoreError) {
            let json = try rest.call.responseJSON(ByteSlice(message))
            order.withLock { _ in write(json) }
        } catch {
            finish(RPCStatus(error))
        }
    }

    private func write(_ json: [UInt8]) {
        let (isFirst, isOver) = state.withLock { state in
            defer {
                state.hasBegun = true
                state.sent += json.count
            }
            return (!state.hasBegun, state.isOver)
        }
        guard !isOver else { return }
        if isFirst { begin() }
        rest.exchange.write(Array((isFirst ? "[" : ",\r\n").utf8) + json)
    }

    private func begin(_ error: FirestoreError.Code? = nil) {
        var headers = RPCMetadata.json
        if let error { headers.entries += HTTPRefusal.headers(for: error) }
        rest.exchange.begin(status: error?.httpStatus ?? 200, headers: headers)
    }

    var isWritable: Bool { false }

    func whenWritable() async throws(RPCStatus) { try await rest.exchange.whenWritable() }

    func finish(_ status: RPCStatus?) {
        order.withLock { _ in
            let before = state.withLock { state in
                defer { state.isOver = true }
                return state
            }
            guard !before.isOver else { return }
            if !before.hasBegun { begin(status?.code) }
            var end = before.hasBegun ? "" : "["
            if let status { end += (before.hasBegun ? ",\r\n" : "") + String(decoding: status.errorObject, as: UTF8.self) }
            rest.ended(status?.code ?? .ok, before.sent)
            rest.exchange.write(Array((end + "]\n").utf8))
            rest.exchange.end()
        }
    }

    /// The request is already complete.
    func setReading(_ isOn: Bool) {}
}
