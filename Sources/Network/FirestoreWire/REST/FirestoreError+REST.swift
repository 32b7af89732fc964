// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension FirestoreError {
    /// `{"error": {"code": 404, "message": …, "status": "NOT_FOUND"}}`: the body of a failed call, and the only element of a stream
    /// that failed before its first message (HT-3).
    package var restJSON: [UInt8] {
        JSON.object([
            (
                "error",
                .object([
                    ("code", .number(code.httpStatus)), ("message", .string(description)), ("status", .string(code.canonicalName)),
                ])
            )
        ]).bytes(.indented)
    }
}

extension FirestoreError.Code {
    /// The HTTP status for the code, as Google's APIs map it.
    package var httpStatus: Int {
        switch self {
        case .ok: 200
        case .invalidArgument, .failedPrecondition, .outOfRange: 400
        case .unauthenticated: 401
        case .permissionDenied: 403
        case .notFound: 404
        case .alreadyExists, .aborted: 409
        case .resourceExhausted: 429
        case .cancelled: 499
        case .unknown, .internal, .dataLoss: 500
        case .unimplemented: 501
        case .unavailable: 503
        case .deadlineExceeded: 504
        }
    }

    /// `NOT_FOUND`
    package var canonicalName: String {
        switch self {
        case .ok: "OK"
        case .cancelled: "CANCELLED"
        case .unknown: "UNKNOWN"
        case .invalidArgument: "INVALID_ARGUMENT"
        case .deadlineExceeded: "DEADLINE_EXCEEDED"
        case .notFound: "NOT_FOUND"
        case .alreadyExists: "ALREADY_EXISTS"
        case .permissionDenied: "PERMISSION_DENIED"
        case .resourceExhausted: "RESOURCE_EXHAUSTED"
        case .failedPrecondition: "FAILED_PRECONDITION"
        case .aborted: "ABORTED"
        case .outOfRange: "OUT_OF_RANGE"
        case .unimplemented: "UNIMPLEMENTED"
        case .internal: "INTERNAL"
        case .unavailable: "UNAVAILABLE"
        case .dataLoss: "DATA_LOSS"
        case .unauthenticated: "UNAUTHENTICATED"
        }
    }
}
