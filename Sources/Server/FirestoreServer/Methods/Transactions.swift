// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreRules
import FirestoreWire

extension MethodContext {
    var beginTransaction: RPCMethod {
        unary { (request: BeginTransactionRequest, context) throws(FirestoreError) -> BeginTransactionResponse in
            let service = try await self.service(request.database, context)
            let begun = try await service.beginTransaction(
                try mode(request.options, in: request.database, of: service, context), context: context)
            return BeginTransactionResponse(
                transaction: tokens.token(of: begun, in: request.database, history: service.historyMark, for: context.caller))
        }
    }

    var rollback: RPCMethod {
        unary { (request: RollbackRequest, context) throws(FirestoreError) -> EmptyMessage in
            let service = try await self.service(request.database, context)
            let transaction = try tokens.transaction(
                of: request.transaction, in: request.database, history: service.historyMark, for: context.caller)
            do throws(FirestoreError) {
                try await service.rollback(transaction, context: context)
            } catch  where error.code == .aborted {
                // The transaction has ended, as requested. Client libraries roll back after a failed commit (TX-20), and an error here
                // would replace the one that the application should see. The emulator does the same.
            }
            return EmptyMessage()
        }
    }
}
