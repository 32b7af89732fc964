// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase
import NIOHPACK

/// Converts a status to header fields and back.
enum StatusHeaders {
    static let response: HPACKHeaders = [":status": "200", "content-type": "application/grpc"]
    static let trailersOK: HPACKHeaders = ["grpc-status": "0"]

    /// Both as header blocks that do not depend on a table: `:status` and `content-type` by their numbers in the static one, and a literal
    /// without indexing (RFC 7541, section 6).
    static let encodedResponse: [UInt8] = [0x88, 0x0F, 0x10, 16] + Array("application/grpc".utf8)
    static let encodedTrailersOK: [UInt8] = [0x00, 11] + Array("grpc-status".utf8) + [1, UInt8(ascii: "0")]

    /// Trailers; `alone` when no headers were sent before, so that they serve as headers too.
    static func trailers(_ status: RPCStatus?, alone: Bool) -> HPACKHeaders {
        guard let status else {
            guard alone else { return trailersOK }
            var headers = response
            headers.add(name: "grpc-status", value: "0")
            return headers
        }
        var headers = alone ? response : HPACKHeaders()
        headers.add(name: "grpc-status", value: String(status.code.rawValue))
        if !status.message.isEmpty { headers.add(name: "grpc-message", value: StatusMessage.encode(status.message)) }
        if status.code == .unimplemented { headers.add(name: "grpc-accept-encoding", value: "identity, gzip") }
        if let details = status.details, details.count <= StatusMessage.maximumSize {
            // Padding is optional on the wire, and omitted.
            var text = Base64.encode(details.array)
            while text.utf8.last == UInt8(ascii: "=") { text.removeLast() }
            headers.add(name: "grpc-status-details-bin", value: text)
        }
        return headers
    }

    /// A call refused with an HTTP status, which proxies and browsers read, and a gRPC status, which gRPC clients prefer.
    static func alone(_ refusal: HTTPRefusal) -> HPACKHeaders {
        var headers: HPACKHeaders = [":status": String(refusal.status), "content-type": "application/grpc"]
        headers.add(contentsOf: trailers(RPCStatus(refusal.code, refusal.message), alone: false))
        return headers
    }

    /// The content of trailers: a status, nil for `ok`, and the other fields.
    static func parse(_ headers: HPACKHeaders) -> (status: RPCStatus?, metadata: RPCMetadata) {
        var code: FirestoreError.Code?
        var message = ""
        var details: ByteSlice?
        var metadata = RPCMetadata()
        for (name, value, _) in headers {
            switch name {
            case "grpc-status": code = Int(value).flatMap(FirestoreError.Code.init(rawValue:)) ?? .unknown
            case "grpc-message": message = StatusMessage.decode(value)
            case "grpc-status-details-bin": details = decodeDetails(value)
            default:
                if name.utf8.first != UInt8(ascii: ":") { metadata.append(name, value) }
            }
        }
        guard let code else { return (RPCStatus(.unknown, "the server ended the call without a status"), metadata) }
        return (code == .ok ? nil : RPCStatus(code, message, details: details), metadata)
    }

    private static func decodeDetails(_ text: String) -> ByteSlice? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Base64.decode(text + padding).map { ByteSlice($0) }
    }

    /// The code for an HTTP status where a gRPC status is missing.
    static func code(forHTTP status: Int) -> FirestoreError.Code {
        switch status {
        case 400: .internal
        case 401: .unauthenticated
        case 403: .permissionDenied
        case 404: .unimplemented
        case 429, 502, 503, 504: .unavailable
        default: .unknown
        }
    }
}
