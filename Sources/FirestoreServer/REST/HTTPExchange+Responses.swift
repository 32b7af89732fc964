#if Remote
import FirestoreCore
import FirestoreRPC

extension HTTPExchange {
    func respond(text: String, status: Int = 200) {
        respond(status: status, headers: RPCMetadata([("content-type", "text/plain; charset=utf-8")]), body: Array(text.utf8))
    }

    func respond(json: String) { respond(json: Array(json.utf8), status: 200) }

    func respond(json: [UInt8], status: Int) {
        respond(status: status, headers: RPCMetadata([("content-type", "application/json; charset=utf-8")]), body: json)
    }

    /// `{"error":{"code":404,"message":"…","status":"NOT_FOUND"}}`
    func respond(_ status: RPCStatus) { respond(json: status.errorObject, status: status.code.restStatus) }
}

extension RPCStatus {
    /// An error as the REST surface writes it (semantics section 0.6).
    var errorObject: [UInt8] {
        JSON.object([
            (
                "error",
                .object([
                    ("code", .number(code.restStatus)), ("message", .string(message)), ("status", .string(code.metricName)),
                ])
            )
        ]).bytes()
    }
}

extension FirestoreError.Code {
    /// Semantics section 0.4.
    var restStatus: Int {
        switch self {
        case .ok: 200
        case .invalidArgument, .failedPrecondition, .outOfRange: 400
        case .unauthenticated: 401
        case .permissionDenied: 403
        case .notFound: 404
        case .alreadyExists, .aborted: 409
        case .resourceExhausted: 429
        case .cancelled: 499
        case .internal, .unknown, .dataLoss: 500
        case .unimplemented: 501
        case .unavailable: 503
        case .deadlineExceeded: 504
        }
    }
}
#endif
