// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// An exchange that posts its answer to the loop of its connection: what HTTP/1.1 and HTTP/2 have in common.
protocol LoopExchange: HTTPExchange {
    associatedtype Post: Sendable

    var mailbox: Mailbox<Post> { get }
    /// For `Mailbox.post`.
    var wakeUp: @Sendable () -> Void { get }
    var gate: SendGate { get }
    /// Accessed under the lock of the mailbox.
    var state: AnswerState { get set }

    func post(_ step: AnswerStep) -> Post
}

extension LoopExchange {
    func respond(status: Int, headers: RPCMetadata, body: [UInt8]) {
        var headers = headers
        headers.append("content-length", String(body.count))
        begin(status: status, headers: headers)
        if !body.isEmpty { write(body) }
        end()
    }

    func begin(status: Int, headers: RPCMetadata) {
        mailbox.post(post(.head(status: status, headers)), wake: wakeUp)
    }

    func write(_ piece: [UInt8]) {
        guard gate.take(piece.count) else { return }
        mailbox.post(post(.piece(piece)), wake: wakeUp)
    }

    func end() { finish(.end) }
    func cut() { finish(.cut) }

    private func finish(_ step: AnswerStep) {
        _ = requestBody?.close()
        mailbox.post(post(step), if: { state.end() }, wake: wakeUp)
    }

    func whenWritable() async throws(RPCStatus) { try await gate.whenWritable() }

    func reserve(_ bytes: Int) async throws(RPCStatus) { try await gate.reserve(bytes) }
    func giveBackReserved() { gate.giveBackReserved() }

    func onCancel(_ body: @escaping @Sendable () -> Void) {
        let isLate = mailbox.state.withLock { _ in state.set(body) }
        if isLate { body() }
    }

    /// The peer has disconnected, or was disconnected.
    func lose(_ reason: RPCStatus) {
        gate.end(reason)
        requestBody?.fail(reason)
        let hook = mailbox.state.withLock { _ in state.abandon() }
        hook?()
    }

    /// A body that the service reads while it arrives. The loop is notified when there is room again.
    func makeRequestBody() -> HTTPRequestBody {
        HTTPRequestBody { [weak self] in
            guard let self else { return }
            self.mailbox.post(self.post(.room), wake: self.wakeUp)
        }
    }
}
