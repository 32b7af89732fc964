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
                do throws(RPCStatus) { try await call.reserve(bytes) } catch { throw FirestoreError(error) }
                // Its caller may have gone while it waited.
                if Task.isCancelled { throw FirestoreError(.cancelled, "the call was cancelled before it was begun") }
                let request: Request = try call.decoded()
                call.respond(with: try await body(request, context))
            } catch {
                call.fail(error)
            }
        }
        call.onCancel { task.cancel() }
    }
}
