// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire

extension MethodContext {
    /// A method that is answered in a separate task.
    func unary<Request: WireMessage, Response: WireMessage>(_ body: @escaping UnaryBody<Request, Response>) -> RPCMethod {
        .unary { calls in
            for call in calls { answer(call, body) }
        }
    }

    /// Answers a call in a task, which ends with the call.
    func answer<Request: WireMessage, Response: WireMessage>(_ call: any RPCUnaryCall, _ body: @escaping UnaryBody<Request, Response>) {
        do throws(FirestoreError) {
            try admission.enter()
        } catch {
            return call.fail(error)
        }
        let task = Task {
            defer { admission.leave() }
            do throws(FirestoreError) {
                let context = try await identification.identify(call.info).context
                let request: Request = try call.decoded()
                call.respond(with: try await body(request, context))
            } catch {
                call.fail(error)
            }
        }
        call.onCancel { task.cancel() }
    }
}
