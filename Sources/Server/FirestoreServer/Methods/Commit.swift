// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreRules
import FirestoreWire

extension MethodContext {
    /// Commit: submitted in the order in which the calls came, answered when durable, without a task. Where too many commits are
    /// pending, the thread waits here, and later messages of the connection wait, too.
    var commit: RPCMethod {
        .unary { calls in
            for call in calls {
                do throws(FirestoreError) {
                    guard let known = try identification.identifyNow(call.info) else {
                        commitLater(call)
                        continue
                    }
                    let request: CommitRequest = try call.decoded()
                    if let service = databases.current(request.database) {
                        try submit(request, known.context, to: service, call)
                    } else {
                        commitLater(call)
                    }
                } catch {
                    call.fail(error)
                }
            }
        }
    }

    private func submit(
        _ request: CommitRequest, _ context: RequestContext, to service: RuledService, _ call: any RPCUnaryCall
    ) throws(FirestoreError) {
        var transaction: TransactionID?
        if let token = request.transaction {
            transaction = try tokens.transaction(
                of: token, in: request.database, history: service.historyMark, for: context.caller)
        } else if request.writes.isEmpty {
            // An empty commit does not have a time (WR-19).
            return call.respond(with: CommitMessage(results: [], commitTime: nil))
        }
        service.submit(request.writes, in: transaction, context: context) { result in
            switch result {
            case .success(let response):
                figures?.wrote(request.writes)
                call.respond(with: CommitMessage(results: response.results, commitTime: response.commitTime))
            case .failure(let error): call.fail(error)
            }
        }
    }

    /// For a caller that is not known yet, or a database that is not open.
    private func commitLater(_ call: any RPCUnaryCall) {
        answer(call) { (request: CommitRequest, context) throws(FirestoreError) -> CommitMessage in
            let service = try await self.service(request.database, context)
            var transaction: TransactionID?
            if let token = request.transaction {
                transaction = try tokens.transaction(
                    of: token, in: request.database, history: service.historyMark, for: context.caller)
            }
            guard transaction != nil || !request.writes.isEmpty else { return CommitMessage(results: [], commitTime: nil) }
            let response = try await service.commit(request.writes, in: transaction, context: context)
            figures?.wrote(request.writes)
            return CommitMessage(results: response.results, commitTime: response.commitTime)
        }
    }
}
