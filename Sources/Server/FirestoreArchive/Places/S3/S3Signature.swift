// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import HearthBase

/// Signs requests: AWS Signature Version 4, in headers, with the hash of the body.
package struct S3Signature: Sendable {
    private static let algorithm = "AWS4-HMAC-SHA256"

    private let credentials: S3Credentials
    private let region: String

    package init(_ credentials: S3Credentials, region: String) {
        self.credentials = credentials
        self.region = region
    }

    /// What is signed of a request.
    package struct Request: Sendable {
        package var method: String
        /// The value of the header `Host`.
        package var host: String
        /// The path, escaped by `path(of:)`.
        package var path: String
        /// Names and values as they are, in any order.
        package var query: [(name: String, value: String)] = []
        package var headers: [(name: String, value: String)] = []
        package var bodyHash: String

        package init(_ method: String, host: String, path: String, bodyHash: String) {
            self.method = method
            self.host = host
            self.path = path
            self.bodyHash = bodyHash
        }
    }

    /// The headers to send besides those of the request, `Authorization` among them.
    ///
    /// - Parameter time: Microseconds since 1970.
    package func headers(for request: Request, at time: Int64) -> [(name: String, value: String)] {
        let stamp = Self.stamp(time)
        let day = stamp.prefix(8)
        var added = [("x-amz-date", stamp), ("x-amz-content-sha256", request.bodyHash)]
        if let token = credentials.sessionToken { added.append(("x-amz-security-token", token)) }
        let signed = Self.canonical([("host", request.host)] + request.headers + added)
        let names = signed.map(\.name).joined(separator: ";")
        let canonical = [
            request.method, request.path, Self.query(request.query), signed.map { "\($0.name):\($0.value)\n" }.joined(), names,
            request.bodyHash,
        ].joined(separator: "\n")
        let scope = "\(day)/\(region)/s3/aws4_request"
        let text = [Self.algorithm, stamp, scope, Self.hash(Array(canonical.utf8))].joined(separator: "\n")
        let key = ["\(day)", region, "s3", "aws4_request"].reduce(SymmetricKey(data: Data("AWS4\(credentials.secretAccessKey)".utf8))) {
            SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Data($1.utf8), using: $0))
        }
        let signature = Self.hexadecimal(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
        let credential = "Credential=\(credentials.accessKeyID)/\(scope)"
        return added + [("Authorization", "\(Self.algorithm) \(credential), SignedHeaders=\(names), Signature=\(signature)")]
    }

    // MARK: Canonical forms

    /// The path of an object: everything is escaped but slashes.
    package static func path(of name: String) -> String {
        name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { PercentEncoding.encode(String(decoding: $0, as: UTF8.self)) }.joined(separator: "/")
    }

    /// A query as it is signed, and as it is sent: escaped, and sorted by names, then values.
    package static func query(_ parameters: [(name: String, value: String)]) -> String {
        parameters.map { (name: PercentEncoding.encode($0.name), value: PercentEncoding.encode($0.value)) }
            .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
            .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// The hash of a body, for `bodyHash`.
    package static func hash(_ bytes: [UInt8]) -> String { hexadecimal(SHA256.hash(data: bytes)) }

    /// Names in lower case and in order, values without needless blanks.
    private static func canonical(_ headers: [(name: String, value: String)]) -> [(name: String, value: String)] {
        let values = Dictionary(grouping: headers) { $0.name.lowercased() }.mapValues { same in
            same.map { $0.value.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.joined(separator: ",")
        }
        return values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// `20260826T101500Z`
    private static func stamp(_ time: Int64) -> String {
        let seconds = time / 1_000_000
        let (day, second) = (seconds / 86_400, seconds % 86_400)
        let date = CivilDate(days: day)
        func digits(_ number: Int64, _ count: Int) -> String {
            String(repeating: "0", count: max(0, count - "\(number)".utf8.count)) + "\(number)"
        }
        let clock = [second / 3_600, second / 60 % 60, second % 60].map { digits($0, 2) }.joined()
        return "\(digits(date.year, 4))\(digits(date.month, 2))\(digits(date.day, 2))T\(clock)Z"
    }
}
