import FirestoreCore
import FirestoreRPC
import FirestoreWire

extension HTTPExchange {
    func respond(text: String, status: Int = 200) {
        respond(status: status, headers: RPCMetadata([("content-type", "text/plain; charset=utf-8")]), body: Array(text.utf8))
    }

    func respond(json: String) { respond(json: Array(json.utf8), status: 200) }

    func respond(json: [UInt8], status: Int) {
        respond(status: status, headers: RPCMetadata([("content-type", "application/json; charset=utf-8")]), body: json)
    }

    /// `{"error":{"code":404,"message":"…","status":"NOT_FOUND"}}`
    func respond(_ status: RPCStatus) { respond(json: status.errorObject, status: status.code.httpStatus) }
}

extension RPCStatus {
    /// An error as the REST surface writes it (semantics section 0.6).
    var errorObject: [UInt8] { FirestoreError(self).restJSON }
}
