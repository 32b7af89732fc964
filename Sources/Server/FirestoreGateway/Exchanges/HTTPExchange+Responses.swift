// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC
import FirestoreServer
import FirestoreWire

extension HTTPExchange {
    package func respond(text: String, status: Int = 200) {
        respond(status: status, headers: RPCMetadata([("content-type", "text/plain; charset=utf-8")]), body: Array(text.utf8))
    }

    package func respond(json: String) { respond(json: Array(json.utf8)) }

    package func respond(json: [UInt8]) { respond(status: 200, headers: .json, body: json) }

    package func respond(_ status: RPCStatus) { respond(HTTPRefusal(FirestoreError(status))) }

    package func respond(_ refusal: HTTPRefusal) { respond(status: refusal.status, headers: refusal.allHeaders, body: refusal.body) }

    /// Answers an OPTIONS request with the allowed methods.
    package func respond(allowing verbs: [String]) {
        respond(status: 200, headers: RPCMetadata([("allow", HTTPRefusal.allow(verbs))]), body: [])
    }
}

extension RPCMetadata {
    package static var json: RPCMetadata { RPCMetadata([("content-type", "application/json; charset=utf-8")]) }
}

extension HTTPRefusal {
    /// An error in the REST form (HT-3): `{"error":{"code":404,"message":"…","status":"NOT_FOUND"}}`.
    package init(_ error: FirestoreError) {
        self.init(error.code.httpStatus, error.code, error.code.canonicalName, error.description, headers: Self.headers(for: error.code))
    }

    package static func headers(for code: FirestoreError.Code) -> [(name: String, value: String)] {
        code == .unauthenticated ? [(name: "www-authenticate", value: "Bearer")] : []
    }

    package static func allow(_ verbs: [String]) -> String { (verbs + ["OPTIONS"]).joined(separator: ", ") }

    package static func notAllowed(_ request: HTTPRequest, verbs: [String]) -> HTTPRefusal {
        let allow = allow(verbs)
        return HTTPRefusal(
            405, .unimplemented, "UNIMPLEMENTED",
            "\(request.method.prefix(20)) is not offered for \(request.path.prefix(200)); offered are \(allow)",
            headers: [(name: "allow", value: allow)])
    }
}

extension RPCStatus {
    /// An error as an element of a stream's array.
    package var errorObject: [UInt8] { FirestoreError(self).restJSON }
}
