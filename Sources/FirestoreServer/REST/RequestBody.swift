// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// The body of a request, decompressed, within the size limit of a request (WR-23).
enum RequestBody {
    static func decoded(_ request: HTTPRequest) throws(HTTPRefusal) -> ByteSlice {
        let codings = request.headers.entries
            .filter { $0.name.utf8.elementsEqual("content-encoding".utf8) }
            .flatMap { $0.value.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            .filter { $0 != "identity" && !$0.utf8.isEmpty }
        guard let coding = codings.first, request.body.count > 0 else { return try checked(request.body) }
        guard codings.count == 1, coding == "gzip" || coding == "x-gzip" else {
            throw HTTPRefusal(
                415, .invalidArgument, "INVALID_ARGUMENT", "the content encoding \(codings.joined(separator: ", ").prefix(100)) is not "
                    + "supported; send the body as it is, or with gzip", headers: [(name: "accept-encoding", value: "gzip")])
        }
        do throws(RPCStatus) {
            return try GzipInflater.inflate(request.body, limit: Limits.requestBytes, oversizedCode: .resourceExhausted)
        } catch {
            if error.code == .resourceExhausted { throw tooLarge }
            throw HTTPRefusal(400, .invalidArgument, "INVALID_ARGUMENT", "the body of the request is not valid gzip")
        }
    }

    private static func checked(_ body: ByteSlice) throws(HTTPRefusal) -> ByteSlice {
        guard body.count <= Limits.requestBytes else { throw tooLarge }
        return body
    }

    private static let tooLarge = HTTPRefusal(
        413, .invalidArgument, "INVALID_ARGUMENT",
        "the body of the request exceeds the maximum of \(Limits.requestBytes) bytes; split the request")
}
