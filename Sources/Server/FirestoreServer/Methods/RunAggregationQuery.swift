// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreRules
import FirestoreWire

extension MethodContext {
    /// RunAggregationQuery: one message with the results (QR-63).
    var runAggregationQuery: RPCMethod {
        streaming { (request: RunAggregationQueryRequest, context, stream) throws(FirestoreError) in
            let service = try await self.service(request.database, context)
            if request.explain != nil { try service.admitExplanation(context) }
            if request.explain == .plan {
                let explanation = try await service.explain(
                    request.query, request.aggregations, analyze: false, options: .acknowledged(), context: context)
                return try await stream.send(RunAggregationQueryResponse(values: nil, explanation: explanation))
            }
            let reading = try await self.reading(request.consistency, in: request.database, of: service, context)
            do throws(FirestoreError) {
                if let begun = reading.begun {
                    let token = tokens.token(of: begun, in: request.database, history: service.historyMark, for: context.caller)
                    try await stream.send(RunAggregationQueryResponse(values: nil, transaction: token))
                }
                let found = try await service.aggregate(request.query, request.aggregations, options: reading.options, context: context)
                var explanation: QueryExplanation?
                if request.explain == .analyze {
                    explanation = try await service.explain(
                        request.query, request.aggregations, analyze: true, options: .acknowledged(), context: context)
                }
                try await stream.send(
                    RunAggregationQueryResponse(values: found.values, readTime: found.readTime, explanation: explanation))
            } catch {
                // The result will not be used: the caller gets an error.
                if let begun = reading.begun { try? await service.rollback(begun, context: context) }
                throw error
            }
        }
    }
}
