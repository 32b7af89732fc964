// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreRules
import FirestoreSemantics
import FirestoreWire

extension MethodContext {
    /// The number of documents read in one step, which bounds the memory of a call.
    private static var piece: Int { 100 }

    /// BatchGetDocuments: existing documents in the order of their names, then the missing ones, each once (QR-50).
    ///
    /// Few keys are answered on a worker's thread, without a task, where the database allows it.
    func batchGetDocuments(on worker: LookupBatcher) -> RPCMethod {
        .stream { call in
            SingleRequestHandler(call) { message, handler in
                worker.run {
                    do throws(FirestoreError) {
                        if try !batchGetNow(message, call) { start(call, message, handler, batchGet) }
                    } catch {
                        call.finish(RPCStatus(error))
                    }
                }
            }
        }
    }

    /// Returns false if it would have to wait.
    private func batchGetNow(_ message: ByteSlice, _ call: any RPCStreamCall) throws(FirestoreError) -> Bool {
        guard let known = try identification.identifyNow(call.info) else { return false }
        try RequestSize.check(message)
        let request = try BatchGetDocumentsRequest(decoding: message)
        guard case .latest = request.consistency, request.keys.count <= Self.piece,
            let service = current(request.database)
        else { return false }
        let keys = request.distinctKeys
        guard let found = try service.documentsNow(keys, options: .acknowledged(), context: known.context) else { return false }
        let answers = BatchGetAnswers(request)
        var missing: [DocumentKey] = []
        for (key, document) in zip(keys, found.documents) {
            if let document { call.send(answers.found(document, found.readTime).encoded()) } else { missing.append(key) }
        }
        for key in missing { call.send(answers.missing(key, found.readTime).encoded()) }
        figures?.read(keys.count - missing.count)
        call.finish(nil)
        return true
    }

    private func batchGet(
        _ request: BatchGetDocumentsRequest, _ context: RequestContext, _ stream: ResponseStream
    ) async throws(FirestoreError) {
        let database = request.database
        let service = try await self.service(database, context)
        let reading = try await self.reading(request.consistency, in: database, of: service, context)
        do throws(FirestoreError) {
            if let begun = reading.begun {
                let token = tokens.token(of: begun, in: database, history: service.historyMark, for: context.caller)
                try await stream.send(
                    BatchGetDocumentsResponse(database: database, outcome: .none, transaction: token, readTime: nil))
            }
            try await sendDocuments(request, from: service, reading.options, context, stream)
        } catch {
            // The result will not be used: the caller gets an error.
            if let begun = reading.begun { try? await service.rollback(begun, context: context) }
            throw error
        }
    }

    private func sendDocuments(
        _ request: BatchGetDocumentsRequest, from service: any JudgedService, _ options: ReadOptions, _ context: RequestContext,
        _ stream: ResponseStream
    ) async throws(FirestoreError) {
        var options = options
        let answers = BatchGetAnswers(request)
        let keys = request.distinctKeys
        let pieces = stride(from: 0, to: keys.count, by: Self.piece).map { Array(keys[$0..<min($0 + Self.piece, keys.count)]) }
        if pieces.count > 1, service.judges(context) {
            // All or nothing: everything is judged before anything is sent, and then read again, because it may be too much to hold.
            for piece in pieces {
                let found = try await service.documents(piece, options: options, context: context)
                if case .latest = options.moment { options.moment = .past(found.readTime) }
            }
        }
        var missing: [DocumentKey] = []
        var readTime = DocumentVersion.none
        for piece in pieces {
            let found = try await service.documents(piece, options: options, context: context)
            readTime = found.readTime
            // All as of the moment of the first.
            if case .latest = options.moment { options.moment = .past(readTime) }
            for (key, document) in zip(piece, found.documents) {
                if let document { try await stream.send(answers.found(document, readTime)) } else { missing.append(key) }
            }
        }
        for key in missing { try await stream.send(answers.missing(key, readTime)) }
        figures?.read(keys.count - missing.count)
    }
}

/// Makes the messages of an answer.
private struct BatchGetAnswers {
    private let database: DatabaseID
    private let mask: Projection?

    init(_ request: BatchGetDocumentsRequest) {
        database = request.database
        mask = request.mask.map { Projection($0) }
    }

    func found(_ document: Document, _ time: DocumentVersion) -> BatchGetDocumentsResponse {
        BatchGetDocumentsResponse(database: database, outcome: .found(document.masked(mask)), readTime: time)
    }

    func missing(_ key: DocumentKey, _ time: DocumentVersion) -> BatchGetDocumentsResponse {
        BatchGetDocumentsResponse(database: database, outcome: .missing(key), readTime: time)
    }
}

extension BatchGetDocumentsRequest {
    /// In the order of their names, without repetitions.
    fileprivate var distinctKeys: [DocumentKey] {
        guard keys.count > 1 else { return keys }
        var result: [DocumentKey] = []
        result.reserveCapacity(keys.count)
        for key in keys.sorted() where result.last != key { result.append(key) }
        return result
    }
}
