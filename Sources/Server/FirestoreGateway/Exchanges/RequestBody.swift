// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC

/// The body of a request, decompressed, within the size limit of a request (WR-23).
package enum RequestBody {
    /// Returns nil if the body takes more than so many bytes. Does not work longer for a larger body than for one of that size.
    package static func decoded(_ request: HTTPRequest, ifWithin small: Int) throws(HTTPRefusal) -> ByteSlice? {
        if request.body.count > Limits.requestBytes { throw .tooLarge(Limits.requestBytes) }
        return request.body.count <= small ? try decoded(request, upTo: small) : nil
    }

    package static func decoded(_ request: HTTPRequest) throws(HTTPRefusal) -> ByteSlice {
        guard let body = try decoded(request, upTo: Limits.requestBytes) else { throw .tooLarge(Limits.requestBytes) }
        return body
    }

    /// Returns nil if it takes more than so many bytes.
    private static func decoded(_ request: HTTPRequest, upTo limit: Int) throws(HTTPRefusal) -> ByteSlice? {
        let codings = request.headers.entries
            .filter { $0.name.utf8.elementsEqual("content-encoding".utf8) }
            .flatMap { $0.value.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            .filter { $0 != "identity" && !$0.utf8.isEmpty }
        guard let coding = codings.first, request.body.count > 0 else { return request.body.count <= limit ? request.body : nil }
        guard codings.count == 1, coding == "gzip" || coding == "x-gzip" else {
            throw HTTPRefusal(
                415, .invalidArgument, "INVALID_ARGUMENT",
                "the content encoding \(codings.joined(separator: ", ").prefix(100)) is not "
                    + "supported; send the body as it is, or with gzip", headers: [(name: "accept-encoding", value: "gzip")])
        }
        do throws(RPCStatus) {
            return try GzipInflater.inflate(request.body, limit: limit, oversizedCode: .resourceExhausted)
        } catch {
            if error.code == .resourceExhausted { return nil }
            throw HTTPRefusal(400, .invalidArgument, "INVALID_ARGUMENT", "the body of the request is not valid gzip")
        }
    }
}
