// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreWire

extension MethodContext {
    /// Commit: submitted in the order in which the calls came, answered when durable. Where too many commits are pending, the thread waits
    /// here, and later messages of the connection wait, too.
    var commit: RPCMethod {
        prompt { (request: CommitRequest, context, service, done) throws(FirestoreError) in
            var transaction: TransactionID?
            if let token = request.transaction {
                transaction = try tokens.transaction(of: token, in: request.database, history: service.historyMark, for: context.caller)
            } else if request.writes.isEmpty {
                // An empty commit does not have a time (WR-19).
                return done(.success(CommitMessage(results: [], commitTime: nil)))
            }
            service.submit(request.writes, in: transaction, context: context) { result in
                if case .success = result { figures?.wrote(request.writes) }
                done(result.map { CommitMessage(results: $0.results, commitTime: $0.commitTime) })
            }
        }
    }
}
