// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire

extension MethodContext {
    /// A method that is answered in a separate task.
    /// - Parameter bytes: The memory that an answer takes before it is made.
    func unary<Request: WireMessage, Response: WireMessage>(
        reserving bytes: Int = MethodContext.usualAnswer, _ body: @escaping UnaryBody<Request, Response>
    ) -> RPCMethod {
        .unary { calls in
            for call in calls { answer(call, reserving: bytes, body) }
        }
    }

    /// What most answers do not exceed.
    static var usualAnswer: Int { 64 << 10 }

    /// Answers a call in a task, which ends with the call.
    func answer<Request: WireMessage, Response: WireMessage>(
        _ call: any RPCUnaryCall, reserving bytes: Int = MethodContext.usualAnswer, _ body: @escaping UnaryBody<Request, Response>
    ) {
        do throws(FirestoreError) {
            try admission.enter()
        } catch {
            return call.fail(error)
        }
        let task = Task {
            defer { admission.leave() }
            do throws(FirestoreError) {
                let context = try await identification.identify(call.info).context
                let response = try await call.whileHolding(bytes) { () throws(FirestoreError) in
                    try await body(try call.decoded(), context)
                }
                call.respond(with: response)
            } catch {
                call.fail(error)
            }
        }
        call.onCancel { task.cancel() }
    }
}
