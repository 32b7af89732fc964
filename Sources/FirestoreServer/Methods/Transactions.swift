#if Remote
import FirestoreCore
import FirestoreRPC
import FirestoreWire

extension MethodContext {
    var beginTransaction: RPCMethod {
        unary { (request: BeginTransactionRequest, context) throws(FirestoreError) -> BeginTransactionResponse in
            let service = try await self.service(request.database)
            let begun = try await service.beginTransaction(try mode(request.options, in: request.database), context: context)
            return BeginTransactionResponse(transaction: tokens.token(of: begun, in: request.database))
        }
    }

    var rollback: RPCMethod {
        unary { (request: RollbackRequest, context) throws(FirestoreError) -> EmptyMessage in
            let service = try await self.service(request.database)
            do throws(FirestoreError) {
                try await service.rollback(try tokens.transaction(of: request.transaction, in: request.database), context: context)
            } catch where error.code == .aborted {
                // It is over already. Clients roll back after a commit that failed, and mean to report that failure (TX-9).
            }
            return EmptyMessage()
        }
    }
}
#endif
