// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import struct Synchronization.Atomic

/// One request message and one answer.
///
/// `@unchecked Sendable`: *shared* variables are accessed under the lock of the connection's mailbox, the others on its loop only, except
/// for `request`, which the loop writes before it delivers the call to another thread, and never afterwards.
final class UnaryServerStream: ServerCallStream, RPCUnaryCall, @unchecked Sendable {
    private(set) var request = ByteSlice.empty
    private let run: @Sendable ([any RPCUnaryCall]) -> Void
    private var hasRequest = false
    private var isDispatched = false
    private var isAnswered = false
    /// Bytes that the account holds for an answer that is being made.
    private let reserved = Atomic<Int>(0)
    /// *Shared.*
    private var state = AnswerState.open(nil)

    init(
        id: StreamID, connection: ServerConnection, info: RPCCallInfo, inflates: Bool,
        run: @escaping @Sendable ([any RPCUnaryCall]) -> Void
    ) {
        self.run = run
        super.init(id: id, connection: connection, info: info, inflates: inflates)
    }

    /// On the thread that is about to run it. Returns false if the caller has gone: it is not run.
    func begin() -> Bool {
        if connection.mailbox.state.withLock({ _ in state.isOpen }) { return true }
        respond(.failure(RPCStatus(.cancelled, "the call was cancelled before it was begun")))
        return false
    }

    func respond(_ result: Result<[UInt8], RPCStatus>) {
        let size = if case .success(let message) = result { MessageDeframer.prefixSize + message.count } else { 0 }
        // Before the lock: what is charged may end this connection, which posts to it.
        connection.account.chargeAnswer(size)
        var (isLate, isTaken) = (false, false)
        connection.mailbox.post(
            isLate ? .late(self) : .unary(self, result),
            if: {
                isLate = !state.isOpen
                let ends = state.end()
                isTaken = ends && !isLate
                return ends
            },
            wake: connection.wakeUp)
        if !isTaken { connection.account.release(size) }
    }

    func reserve(_ bytes: Int) async throws(RPCStatus) {
        try await connection.account.reserve(bytes)
        reserved.wrappingAdd(bytes, ordering: .relaxed)
    }

    /// Gives back what was reserved: the answer is made, or there is none.
    func giveBackReserved() { connection.account.giveUp(reserved: reserved.exchange(0, ordering: .relaxed)) }

    override var isBeingAnswered: Bool { isDispatched && !isAnswered }

    func onCancel(_ body: @escaping @Sendable () -> Void) {
        let isLate = connection.mailbox.state.withLock { _ in state.set(body) }
        if isLate { body() }
    }

    override func advance() {
        do throws(RPCStatus) {
            while let message = try deframer.next() {
                guard !hasRequest else {
                    throw RPCStatus(.unimplemented, "\(info.path) takes one message, but received a second one")
                }
                hasRequest = true
                request = message
                receivedBytes = message.count
            }
            deframer.keepRest()
            connection.account(self, held: request.count, collecting: deframer.bufferedCount)
            guard requestEnded, !isDispatched else { return }
            guard deframer.isEmpty else { throw RPCStatus(.internal, "the request ended in the middle of a message") }
            guard hasRequest else {
                throw RPCStatus(.unimplemented, "\(info.path) takes one message, but the request ended without one")
            }
            isDispatched = true
            connection.requests.append(self, run)
        } catch {
            connection.fail(self, error)
        }
    }

    override func abandon(_ reason: RPCStatus) {
        let hook = connection.mailbox.state.withLock { _ in state.abandon() }
        hook?()
    }

    /// Sends the answer.
    func take(_ result: Result<[UInt8], RPCStatus>) {
        giveBackReserved()
        isAnswered = true
        guard !responseEnded else {
            if case .success(let message) = result { connection.account.release(MessageDeframer.prefixSize + message.count) }
            return connection.lingered(self)
        }
        switch result {
        case .success(let message):
            let bytes = ByteBuffer(framing: message)
            sentBytes = message.count
            startResponse()
            connection.bounds.sent(bytes.readableBytes, self)
            connection.port?.data(id, bytes, end: .no, confirms: 0)
            connection.finish(self, nil)
        case .failure(let status): connection.finish(self, status)
        }
    }
}
