// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreRPC
import FirestoreWire

extension RemoteService {
    /// A server is never read synchronously.
    package func documentsNow(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) throws(FirestoreError) -> LookupResponse? { nil }

    package func documents(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> LookupResponse {
        try await admit(context, reading: options)
        let request = BatchGetDocumentsRequest(
            database: connection.database, keys: keys, consistency: try consistency(of: options.moment))
        return try await connection.stream(.batchGetDocuments, request, context.deadline, asWhole: true) { stream throws(FirestoreError) in
            var found: [DocumentKey: Document] = [:]
            var time = DocumentVersion.none
            while let message = try await stream.next() {
                let response = try BatchGetDocumentsResponse(decoding: message)
                if let readTime = response.readTime { time = readTime }
                if case .found(let document) = response.outcome { found[document.key] = document }
            }
            return LookupResponse(readTime: time, documents: keys.map { found[$0] })
        }
    }

    package func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryResponse {
        let request = try await request(query, options, context)
        return try await connection.stream(.runQuery, request, context.deadline, asWhole: true) { stream throws(FirestoreError) in
            var result = QueryResponse(readTime: .none, documents: [])
            while let message = try await stream.next() {
                let response = try RunQueryResponse(decoding: message)
                if let readTime = response.readTime { result.readTime = readTime }
                if let document = response.document { result.documents.append(document) }
            }
            return result
        }
    }

    /// A page is what has arrived, up to about a megabyte; while one is being used, the server sends no more than fits into the stream's
    /// window. Once a page has been passed on, the query is not repeated, because the next answer would be as of another moment.
    package func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext,
        page: @Sendable (QueryResponse) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        let request = try await request(query, options, context)
        var isFirst = true
        try await connection.stream(.runQuery, request, context.deadline, isStillPossible: { isFirst }) { stream throws(FirestoreError) in
            var next = QueryResponse(readTime: .none, documents: [])
            var bytes = 0
            while let message = try await stream.next() {
                let response = try RunQueryResponse(decoding: message)
                if let readTime = response.readTime { next.readTime = readTime }
                guard let document = response.document else { continue }
                next.documents.append(document)
                bytes += message.count
                guard bytes > 1 << 20 else { continue }
                isFirst = false
                guard try await page(next) == .next else { return stream.cancel() }
                next.documents = []
                bytes = 0
            }
            if isFirst || !next.documents.isEmpty {
                isFirst = false
                _ = try await page(next)
            }
        }
    }

    private func request(
        _ query: StructuredQuery, _ options: ReadOptions, _ context: RequestContext, explain: ExplainOptions? = nil
    ) async throws(FirestoreError) -> RunQueryRequest {
        try await admit(context, reading: options)
        return RunQueryRequest(
            database: connection.database, query: query, consistency: try consistency(of: options.moment), explain: explain)
    }

    package func aggregate(
        _ query: StructuredQuery, _ aggregations: [Aggregation], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> AggregationResponse {
        try await admit(context, reading: options)
        let request = RunAggregationQueryRequest(
            database: connection.database, query: query, aggregations: aggregations, consistency: try consistency(of: options.moment))
        return try await connection.stream(.runAggregationQuery, request, context.deadline, asWhole: true) {
            stream throws(FirestoreError) in
            var result: AggregationResponse?
            while let message = try await stream.next() {
                let response = try RunAggregationQueryResponse(decoding: message)
                if let values = response.values {
                    result = AggregationResponse(readTime: response.readTime ?? .none, values: values)
                }
            }
            guard let result else { throw FirestoreError(.internal, "the server has answered an aggregation without a result") }
            return result
        }
    }

    package func explain(
        _ query: StructuredQuery, analyze: Bool, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation {
        let request = try await request(query, options, context, explain: analyze ? .analyze : .plan)
        return try await connection.stream(.runQuery, request, context.deadline) { stream throws(FirestoreError) in
            var explanation: QueryExplanation?
            while let message = try await stream.next() {
                explanation = try RunQueryResponse(decoding: message).explanation ?? explanation
            }
            guard let explanation else { throw FirestoreError(.unimplemented, "the server does not explain queries") }
            return explanation
        }
    }

    func consistency(of moment: ReadMoment) throws(FirestoreError) -> ConsistencySelector {
        switch moment {
        case .latest: .latest
        case .past(let time): .readTime(time.timestamp)
        case .transaction(let id): .transaction(try transactions.token(of: id))
        }
    }
}
