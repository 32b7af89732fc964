// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire

extension MethodContext {
    /// A method with one request message and any number of answers.
    func streaming<Request: WireMessage>(_ body: @escaping StreamingBody<Request>) -> RPCMethod {
        .stream { call in
            SingleRequestHandler(call) { message, handler in start(call, message, handler, body) }
        }
    }

    /// Answers a call in a separate task.
    func start<Request: WireMessage>(
        _ call: any RPCStreamCall, _ message: ByteSlice, _ handler: SingleRequestHandler, _ body: @escaping StreamingBody<Request>
    ) {
        answer(call, handler) { () throws(FirestoreError) in
            let context = try await identification.identify(call.info).context
            try RequestSize.check(message)
            try await body(try Request(decoding: message), context, ResponseStream(call: call))
        }
    }

    private static var firstAnswers: Int { 1 << 20 }

    /// Runs the body in a separate task, which ends with the call, and the call with it.
    func answer(
        _ call: any RPCStreamCall, _ handler: SingleRequestHandler,
        _ body: @escaping @Sendable () async throws(FirestoreError) -> Void
    ) {
        do throws(FirestoreError) {
            try admission.enter()
        } catch {
            return call.finish(RPCStatus(error))
        }
        let task = Task {
            defer { admission.leave() }
            do throws(FirestoreError) {
                // Not before what it reads can be held.
                try await call.whileHolding(Self.firstAnswers, body)
                call.finish(nil)
            } catch {
                call.finish(RPCStatus(error))
            }
        }
        handler.attach(task)
    }
}

/// Sends answers no faster than they are written.
struct ResponseStream: Sendable {
    let call: any RPCStreamCall

    func send(_ message: some WireMessage) async throws(FirestoreError) {
        call.send(message.encoded())
        guard !call.isWritable else { return }
        do throws(RPCStatus) {
            try await call.whenWritable()
        } catch {
            throw FirestoreError(error)
        }
    }
}
