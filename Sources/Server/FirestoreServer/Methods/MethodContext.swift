// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreEnforcement
package import FirestoreRPC
import FirestoreRules
import FirestoreSemantics
package import FirestoreWire

/// The dependencies of all methods.
struct MethodContext: Sendable {
    let identification: CallIdentification
    let streams: LiveStreams
    let databases: DatabaseRegistry
    let tokens: TransactionTokens
    let admission: CallAdmission
    /// nil for callers that are not counted.
    let figures: DocumentFigures?
    /// What stands in front of the databases, the outermost first. None for callers that are not counted.
    let fronts: [any DatabaseFront]

    /// The database of a request, opened if necessary.
    func service(_ database: DatabaseID, _ context: RequestContext) async throws(FirestoreError) -> any JudgedService {
        if let service = current(database) { return service }
        return withFronts(try await databases.open(database, for: context.caller), of: database)
    }

    /// The database of a request if it is open.
    func current(_ database: DatabaseID) -> (any JudgedService)? {
        databases.current(database).map { withFronts($0, of: database) }
    }

    private func withFronts(_ service: RuledService, of database: DatabaseID) -> any JudgedService {
        fronts.reversed().reduce(service as any JudgedService) { $1.service(inFrontOf: $0, of: database) }
    }

    /// The options of a read, and the transaction that begins with it.
    struct Reading {
        var options: ReadOptions
        /// Reported in the first message (QR-45).
        var begun: TransactionID?
    }

    func reading(
        _ selector: ConsistencySelector, in database: DatabaseID, of service: any DocumentService, _ context: RequestContext
    ) async throws(FirestoreError) -> Reading {
        switch selector {
        case .latest: return Reading(options: .acknowledged())
        case .readTime(let time): return Reading(options: .acknowledged(.past(try Self.version(time))))
        case .transaction(let token):
            let transaction = try tokens.transaction(of: token, in: database, history: service.historyMark, for: context.caller)
            return Reading(options: .acknowledged(.transaction(transaction)))
        case .newTransaction(let options):
            let begun = try await service.beginTransaction(try mode(options, in: database, of: service, context), context: context)
            return Reading(options: .acknowledged(.transaction(begun)), begun: begun)
        }
    }

    /// The options of a request that may only name a time.
    static func options(_ time: TimestampValue?) throws(FirestoreError) -> ReadOptions {
        guard let time else { return .acknowledged() }
        return .acknowledged(.past(try version(time)))
    }

    func mode(
        _ options: RequestedTransactionMode, in database: DatabaseID, of service: any DocumentService, _ context: RequestContext
    ) throws(FirestoreError) -> TransactionMode {
        switch options {
        case .readWrite(let token?):
            let retried = try tokens.retried(token, in: database, history: service.historyMark, for: context.caller)
            return .readWrite(retrying: retried)
        case .readWrite(nil): return .readWrite(retrying: nil)
        case .readOnly(let time?): return .readOnly(at: try Self.version(time))
        case .readOnly(nil): return .readOnly(at: nil)
        }
    }

    /// A read time must be in whole microseconds (QR-48).
    private static func version(_ time: TimestampValue) throws(FirestoreError) -> DocumentVersion {
        guard time.isValid, time.nanoseconds % 1_000 == 0 else {
            throw .invalidArgument("a read time has whole microseconds and lies between the years 1 and 9999")
        }
        return DocumentVersion(microseconds: time.microsecondsSince1970)
    }
}

extension DocumentService {
    /// The history that ids of transactions name; 0 for a database without a history.
    var historyMark: UInt32 { history?.mark ?? 0 }
}

extension RPCUnaryCall {
    package func respond(with message: some WireMessage) { respond(.success(message.encoded())) }
    package func fail(_ error: FirestoreError) { respond(.failure(RPCStatus(error))) }

    /// The decoded request, unless it is too large (WR-23).
    func decoded<Request: WireMessage>() throws(FirestoreError) -> Request {
        try RequestSize.check(request)
        return try Request(decoding: request)
    }
}

enum RequestSize {
    static func check(_ request: ByteSlice) throws(FirestoreError) {
        guard request.count <= Limits.requestBytes else {
            throw .invalidArgument(
                "the request takes \(request.count) bytes and exceeds the maximum of \(Limits.requestBytes); split it")
        }
    }
}

extension Document {
    /// The fields that a mask selects; nil selects all.
    func masked(_ mask: Projection?) -> Document { mask.map { $0.apply(to: self) } ?? self }
}

/// A type that declares the error type of closures.
typealias UnaryBody<Request, Response> =
    @Sendable (Request, RequestContext) async throws(FirestoreError) -> Response
typealias StreamingBody<Request> =
    @Sendable (Request, RequestContext, ResponseStream) async throws(FirestoreError) -> Void
