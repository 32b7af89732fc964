// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import NIOHTTP1

/// A refused request: an HTTP status, and the error object of Google's services.
package struct HTTPRefusal: Error, Sendable {
    package var status: Int
    package var code: FirestoreError.Code
    /// The code as the error object spells it: `INVALID_ARGUMENT`.
    package var name: String
    package var message: String
    package var headers: [(name: String, value: String)]

    package init(
        _ status: Int, _ code: FirestoreError.Code, _ name: String, _ message: String, headers: [(name: String, value: String)] = []
    ) {
        self.status = status
        self.code = code
        self.name = name
        self.message = message
        self.headers = headers
    }

    /// `{"error": {"code": 421, "message": …, "status": "FAILED_PRECONDITION"}}`
    package var body: [UInt8] {
        JSON.object([
            ("error", .object([("code", .number(status)), ("message", .string(message)), ("status", .string(name))]))
        ]).bytes(.indented)
    }

    package var allHeaders: RPCMetadata { RPCMetadata([(name: "content-type", value: "application/json; charset=utf-8")] + headers) }

    static func badRequest(_ message: String) -> HTTPRefusal { HTTPRefusal(400, .invalidArgument, "INVALID_ARGUMENT", message) }

    package static func tooLarge(_ limit: Int) -> HTTPRefusal {
        HTTPRefusal(
            413, .invalidArgument, "INVALID_ARGUMENT",
            "the body of the request exceeds the maximum of \(limit) bytes; send smaller requests")
    }

    static func tooMany(_ message: String) -> HTTPRefusal { HTTPRefusal(429, .resourceExhausted, "RESOURCE_EXHAUSTED", message) }

    static let notPOST = HTTPRefusal(
        405, .unimplemented, "UNIMPLEMENTED", "gRPC calls are sent with POST", headers: [(name: "allow", value: "POST")])

    static func unsupported(_ type: String) -> HTTPRefusal {
        HTTPRefusal(
            415, .invalidArgument, "INVALID_ARGUMENT",
            "the content type \(type.prefix(100)) is not supported; send application/grpc or JSON")
    }
}

/// Reasons of refusals that programs look at, in a header beside the text.
package enum RefusalReason {
    package static let header = "hearth-reason"
    /// There is nothing at the path, or nothing that this caller may see.
    package static let noSuchPath = "no-such-path"
}

extension HTTPRefusal {
    /// Bytes that are not a request of HTTP/1.1.
    init(_ error: HTTPParserError) {
        switch error {
        case .invalidMethod:
            self.init(
                501, .unimplemented, "UNIMPLEMENTED", "the method of the request is not one of HTTP; send GET, HEAD, POST, PATCH or DELETE")
        case .headerOverflow:
            self.init(431, .invalidArgument, "INVALID_ARGUMENT", "the headers of the request are too large; send fewer or shorter ones")
        default: self = .badRequest("the request is not valid HTTP/1.1 (\(error))")
        }
    }
}
