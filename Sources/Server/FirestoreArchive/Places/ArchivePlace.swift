// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import Foundation

/// Where an archive is: a folder, or a bucket of S3.
package enum ArchivePlace: Sendable, Hashable {
    /// An absolute path.
    case directory(String)
    case bucket(S3Bucket)

    /// Reads `file:///backup`, a path, or `s3://BUCKET/PREFIX`.
    ///
    /// - Parameter currentDirectory: What a relative path is in; nil for the current directory of the process.
    package init(_ text: String, currentDirectory: String? = nil) throws(FirestoreError) {
        guard !text.isEmpty, !text.utf8.contains(0) else { throw Self.refusal(text, "it is empty, or has a zero byte") }
        guard let separator = text.range(of: "://") else {
            if let kind = ["file:", "s3:"].first(where: { text.lowercased().hasPrefix($0) }) {
                throw Self.refusal(text, "two slashes must follow \(kind)")
            }
            self = .directory(Self.absolute(text, currentDirectory))
            return
        }
        let rest = String(text[separator.upperBound...])
        switch text[..<separator.lowerBound].lowercased() {
        case "file": self = try Self.file(rest, text)
        case "s3": self = try Self.bucket(rest, text)
        case "http", "https": throw Self.refusal(text, "name the bucket as s3://BUCKET/PREFIX, and give this URL as the endpoint")
        case "gs": throw Self.refusal(text, "Google Cloud Storage lacks the conditional writes of S3 that an archive needs")
        default: throw Self.refusal(text, "this kind of place is not known")
        }
    }

    private static func refusal(_ text: String, _ reason: String) -> FirestoreError {
        // A user and password in a URL must not reach a log.
        let shown = text.contains("@") ? "the URL" : "\"\(ArchiveName.printable(text))\""
        return .invalidArgument(
            "\(shown) is not the place of an archive: \(reason); a folder (/backup or file:///backup) or a bucket (s3://BUCKET/PREFIX) "
                + "is expected"
        )
    }

    private static func absolute(_ path: String, _ currentDirectory: String?) -> String {
        let whole = path.hasPrefix("/") ? path : "\(currentDirectory ?? FileManager.default.currentDirectoryPath)/\(path)"
        let trimmed = String(whole.reversed().drop { $0 == "/" }.reversed())
        return trimmed.isEmpty ? "/" : trimmed
    }

    private static func file(_ rest: String, _ text: String) throws(FirestoreError) -> ArchivePlace {
        guard rest.hasPrefix("/") else { throw refusal(text, "write three slashes after file:, as in file:///backup") }
        guard !rest.contains("?"), !rest.contains("#"), let path = rest.removingPercentEncoding, !path.utf8.contains(0) else {
            throw refusal(text, "percent signs, question marks and number signs in a path must be escaped, as in %25")
        }
        return .directory(absolute(path, nil))
    }

    private static func bucket(_ rest: String, _ text: String) throws(FirestoreError) -> ArchivePlace {
        guard !rest.contains("@") else { throw refusal(text, "credentials do not belong into a URL, which others can see") }
        guard !rest.contains("?"), !rest.contains("#") else { throw refusal(text, "it has a query or a fragment") }
        let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let prefix = parts.count > 1 ? String(parts[1].reversed().drop { $0 == "/" }.reversed()) : ""
        return .bucket(try S3Bucket(String(parts[0]), prefix: prefix))
    }
}

extension ArchivePlace: CustomStringConvertible {
    package var description: String {
        switch self {
        case .directory(let path): path
        case .bucket(let bucket): "s3://\(bucket.name)/\(bucket.prefix)"
        }
    }
}
