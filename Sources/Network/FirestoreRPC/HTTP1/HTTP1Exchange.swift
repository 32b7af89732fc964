// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A request over HTTP/1.1 and the means to answer it.
///
/// `@unchecked Sendable`: `state` is accessed under the lock of the mailbox; the other properties are set in `init` only.
final class HTTP1Exchange: LoopExchange, @unchecked Sendable {
    struct Post: Sendable {
        let exchange: HTTP1Exchange
        let step: AnswerStep
    }

    let request: HTTPRequest
    /// nil if the request has its body.
    private(set) var requestBody: HTTPRequestBody?
    let gate: SendGate
    private let connection: HTTP1ConnectionHandler
    var state = AnswerState.open(nil)

    init(_ request: HTTPRequest, readsBody: Bool, limits: RPCLimits, connection: HTTP1ConnectionHandler) {
        self.request = request
        self.connection = connection
        gate = SendGate(limits: limits, account: connection.account)
        if readsBody { requestBody = makeRequestBody() }
    }

    var mailbox: Mailbox<Post> { connection.mailbox }
    var wakeUp: @Sendable () -> Void { connection.wakeUp }

    /// On the thread that is about to run it. Returns false if the caller has gone: it is not run.
    func begin() -> Bool { mailbox.state.withLock { _ in state.isOpen } }

    func post(_ step: AnswerStep) -> Post { Post(exchange: self, step: step) }
}
