// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreWire

/// A request that names its database.
protocol DatabaseRequest: WireMessage {
    var database: DatabaseID { get }
}

extension CommitRequest: DatabaseRequest {}
extension BatchWriteRequest: DatabaseRequest {}

/// Answers a request by one call of the last argument, on any thread, unless it throws.
typealias PromptBody<Request, Response> =
    @Sendable (
        Request, RequestContext, any JudgedService, @escaping @Sendable (Result<Response, FirestoreError>) -> Void
    ) throws(FirestoreError) -> Void

extension MethodContext {
    /// A method without a task where the caller is known and the database is open: calls reach the database in the order in which they
    /// came. Otherwise a task identifies the caller and opens the database first.
    func prompt<Request: DatabaseRequest, Response: WireMessage>(_ body: @escaping PromptBody<Request, Response>) -> RPCMethod {
        .unary { calls in
            for call in calls {
                do throws(FirestoreError) {
                    if let known = try identification.identifyNow(call.info) {
                        let request: Request = try call.decoded()
                        if let service = current(request.database) {
                            try body(request, known.context, service) { call.respond(with: $0) }
                            continue
                        }
                    }
                    answer(call) { (request: Request, context) throws(FirestoreError) -> Response in
                        let service = try await self.service(request.database, context)
                        let result: Result<Response, FirestoreError> = await withCheckedContinuation { continuation in
                            do throws(FirestoreError) {
                                try body(request, context, service) { continuation.resume(returning: $0) }
                            } catch {
                                continuation.resume(returning: .failure(error))
                            }
                        }
                        return try result.get()
                    }
                } catch {
                    call.fail(error)
                }
            }
        }
    }
}

extension RPCUnaryCall {
    fileprivate func respond(with result: Result<some WireMessage, FirestoreError>) {
        switch result {
        case .success(let message): respond(with: message)
        case .failure(let error): fail(error)
        }
    }
}
