// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore

/// A request over HTTP/1.1 and the means to answer it.
///
/// `@unchecked Sendable`: `request`, `gate`, `mailbox` and `wakeUp` are immutable, and `requestBody` after `init`; the properties marked
/// *shared* are accessed under the lock of the mailbox, the others on the connection's loop only.
final class HTTP1Exchange: HTTPExchange, @unchecked Sendable {
    enum Post: Sendable {
        case head(HTTP1Exchange, status: Int, RPCMetadata)
        case piece(HTTP1Exchange, [UInt8])
        case end(HTTP1Exchange)
        case cut(HTTP1Exchange)
        /// The service has read the part of the body that had arrived.
        case room(HTTP1Exchange)
    }

    let request: HTTPRequest
    /// nil if the request has its body.
    private(set) var requestBody: HTTPRequestBody?
    let keepsAlive: Bool
    let gate: SendGate
    private let mailbox: Mailbox<Post>
    private let wakeUp: @Sendable () -> Void
    var responseStarted = false
    /// *Shared.*
    private var isOver = false
    /// *Shared*: the peer disconnected before the end.
    private var isAbandoned = false
    /// *Shared.*
    private var cancelHook: (@Sendable () -> Void)?

    init(
        _ request: HTTPRequest, keepsAlive: Bool, readsBody: Bool = false, limits: RPCLimits, mailbox: Mailbox<Post>,
        wakeUp: @escaping @Sendable () -> Void
    ) {
        self.request = request
        self.keepsAlive = keepsAlive
        self.mailbox = mailbox
        self.wakeUp = wakeUp
        gate = SendGate(limits: limits)
        guard readsBody else { return }
        requestBody = HTTPRequestBody { [weak self] in
            guard let self else { return }
            self.mailbox.post(.room(self), wake: self.wakeUp)
        }
    }

    func respond(status: Int, headers: RPCMetadata, body: [UInt8]) {
        var headers = headers
        headers.append("content-length", String(body.count))
        begin(status: status, headers: headers)
        if !body.isEmpty { write(body) }
        end()
    }

    func begin(status: Int, headers: RPCMetadata) {
        mailbox.post(.head(self, status: status, headers), wake: wakeUp)
    }

    func write(_ piece: [UInt8]) {
        guard gate.take(piece.count) else { return }
        mailbox.post(.piece(self, piece), wake: wakeUp)
    }

    func end() {
        mailbox.post(
            .end(self),
            if: {
                guard !isOver else { return false }
                isOver = true
                cancelHook = nil
                return true
            },
            wake: wakeUp)
    }

    func cut() {
        mailbox.post(
            .cut(self),
            if: {
                guard !isOver else { return false }
                isOver = true
                cancelHook = nil
                return true
            },
            wake: wakeUp)
    }

    func whenWritable() async throws(RPCStatus) { try await gate.whenWritable() }

    func onCancel(_ body: @escaping @Sendable () -> Void) {
        let isLate = mailbox.state.withLock { _ in
            if !isOver { cancelHook = body }
            return isAbandoned
        }
        if isLate { body() }
    }

    /// The peer has disconnected, or was disconnected.
    func abandon(_ reason: RPCStatus) {
        gate.end(reason)
        requestBody?.fail(reason)
        let hook: (@Sendable () -> Void)? = mailbox.state.withLock { _ in
            guard !isOver else { return nil }
            isOver = true
            isAbandoned = true
            defer { cancelHook = nil }
            return cancelHook
        }
        hook?()
    }
}
