// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import Foundation
import HearthBase

/// The server of a bucket, and how its objects are addressed there.
package struct S3Endpoint: Sendable, Hashable {
    package let usesTLS: Bool
    /// Without the brackets of IPv6.
    package let host: String
    package let port: Int
    /// The escaped path of the bucket: `/BUCKET`, or nothing if the host names it.
    let bucketPath: String

    /// The server of AWS for a bucket. The host names the bucket, unless that has dots: a certificate of AWS covers no further level.
    package init(bucket: String, region: String) {
        usesTLS = true
        port = 443
        let server = "s3.\(region).amazonaws.com\(region.hasPrefix("cn-") ? ".cn" : "")"
        let isInPath = bucket.contains(".") || bucket.contains("_") || bucket.contains { $0.isUppercase }
        host = isInPath ? server : "\(bucket).\(server)"
        bucketPath = isInPath ? "/" + PercentEncoding.encode(bucket) : ""
    }

    /// Another server, whose paths begin with the bucket.
    ///
    /// - Parameter text: A URL with https or http, without a path.
    package init(_ text: String, bucket: String) throws(FirestoreError) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(), let host = parts.host, !host.isEmpty,
            scheme == "https" || scheme == "http", (1...65_535).contains(parts.port ?? 1), parts.user == nil, parts.password == nil,
            parts.query == nil, parts.fragment == nil, ["", "/"].contains(parts.percentEncodedPath)
        else {
            throw .invalidArgument(
                "\"\(ArchiveName.printable(Self.withoutSecrets(text)))\" is not an endpoint of S3; "
                    + "give the URL of the server without the bucket, such as https://s3.example.com")
        }
        usesTLS = scheme == "https"
        port = parts.port ?? (usesTLS ? 443 : 80)
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        bucketPath = "/" + PercentEncoding.encode(bucket)
    }

    /// A user and password before the host must not reach a log.
    private static func withoutSecrets(_ text: String) -> String {
        text.lastIndex(of: "@").map { "…" + text[$0...] } ?? text
    }

    /// For messages.
    var name: String {
        let isUsual = port == (usesTLS ? 443 : 80)
        let host = host.contains(":") ? "[\(host)]" : host
        return "\(usesTLS ? "https" : "http")://\(host)\(isUsual ? "" : ":\(port)")"
    }
}
