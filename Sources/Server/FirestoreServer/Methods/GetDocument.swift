// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreRules
import FirestoreSemantics
import FirestoreWire

extension MethodContext {
    /// GetDocument: answered on the calling thread where the database allows it, with one read for all calls that arrived together.
    var getDocument: RPCMethod {
        .unary { calls in
            var batch = QuickReads(figures: figures)
            for call in calls {
                do throws(FirestoreError) {
                    guard let known = try identification.identifyNow(call.info) else {
                        getLater(call)
                        continue
                    }
                    let request: GetDocumentRequest = try call.decoded()
                    if case .latest = request.consistency, let service = current(request.database) {
                        batch.add(call, request, known.context, service)
                    } else {
                        getLater(call)
                    }
                } catch {
                    call.fail(error)
                }
            }
            batch.answer { call in getLater(call) }
        }
    }

    private func getLater(_ call: any RPCUnaryCall) {
        answer(call, reserving: 2 << 20) { (request: GetDocumentRequest, context) throws(FirestoreError) -> DocumentResponse in
            let service = try await self.service(request.database, context)
            let reading = try await self.reading(request.consistency, in: request.database, of: service, context)
            let found = try await service.documents([request.key], options: reading.options, context: context)
            let response = try GetDocumentRequest.response(found.documents.first ?? nil, to: request)
            figures?.read()
            return response
        }
    }
}

extension GetDocumentRequest {
    fileprivate static func response(
        _ document: Document?, to request: GetDocumentRequest
    ) throws(FirestoreError) -> DocumentResponse {
        guard let document else {
            // A missing document is an error here, unlike in a batch (QR-50).
            throw FirestoreError(.notFound, "document \"\(request.database.name(of: request.key))\" not found")
        }
        return DocumentResponse(database: request.database, document: document.masked(request.mask.map { Projection($0) }))
    }
}

/// Reads of single documents that arrived together: consecutive ones of the same database become one read, and each is
/// judged for itself.
private struct QuickReads {
    private struct Read {
        let call: any RPCUnaryCall
        let request: GetDocumentRequest
        let context: RequestContext

        func answer(_ document: Document?) {
            do throws(FirestoreError) {
                call.respond(with: try GetDocumentRequest.response(document, to: request))
            } catch {
                call.fail(error)
            }
        }
    }

    /// The maximum number of documents in one read: few enough that the first are answered while others are read, and that a store reads
    /// them, and what conditions need, without a hop.
    private static let most = 16

    private let figures: DocumentFigures?
    private var groups: [(service: any JudgedService, database: DatabaseName, reads: [Read])] = []

    init(figures: DocumentFigures?) { self.figures = figures }

    mutating func add(_ call: any RPCUnaryCall, _ request: GetDocumentRequest, _ context: RequestContext, _ service: any JudgedService) {
        let read = Read(call: call, request: request, context: context)
        let database = DatabaseName(request.database)
        if let last = groups.indices.last, groups[last].database == database, groups[last].reads.count < Self.most {
            groups[last].reads.append(read)
        } else {
            groups.append((service, database, [read]))
        }
    }

    /// `later` receives the calls for which the database would have to wait.
    func answer(later: (any RPCUnaryCall) -> Void) {
        for group in groups { answer(group.reads, group.service, later) }
    }

    private func answer(_ reads: [Read], _ service: any JudgedService, _ later: (any RPCUnaryCall) -> Void) {
        let now = ContinuousClock.now
        var due: [Read] = []
        for read in reads {
            if let deadline = read.context.deadline, deadline <= now {
                read.call.fail(FirestoreError(.deadlineExceeded, "the deadline of the request has passed"))
            } else {
                due.append(read)
            }
        }
        do throws(FirestoreError) {
            guard let found = try service.documentsNow(due.map { (key: $0.request.key, context: $0.context) }) else {
                for read in due { later(read.call) }
                return
            }
            for (read, found) in zip(due, found) {
                switch found {
                case .read(let document):
                    if document != nil { figures?.read() }
                    read.answer(document)
                case .refused(let error): read.call.fail(error)
                case .mustWait: later(read.call)
                }
            }
        } catch {
            for read in due { read.call.fail(error) }
        }
    }
}
