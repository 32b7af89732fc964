// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
package import FirestoreRPC
import FirestoreTokens
import Foundation

/// The configured address of an issuer's keys: https, or http on this machine.
package struct KeyAddress: Equatable {
    package let text: String
    package let usesTLS: Bool
    /// Without the brackets of IPv6.
    package let host: String
    package let port: Int
    private let target: String

    /// `name`: what names the address in messages.
    package init(_ text: String, named name: String) throws(StartRefusal) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(), let host = parts.host, !host.isEmpty,
            scheme == "https" || scheme == "http", (1...65_535).contains(parts.port ?? 1), parts.user == nil, parts.password == nil,
            parts.fragment == nil
        else { throw StartRefusal("\(name): \"\(text)\" is not an address of keys; give an https:// URL") }
        let plain = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        guard scheme == "https" || LoopbackAddress.names(plain) else {
            throw StartRefusal("\(name): \"\(text)\" must begin with https: over http anybody on the way could replace the keys")
        }
        self.text = text
        self.host = plain
        usesTLS = scheme == "https"
        port = parts.port ?? (usesTLS ? 443 : 80)
        target = (parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath) + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    }

    /// Why a document was not received. The text names the address.
    package struct Failure: Error {
        package let message: String
    }

    private static let patience = Duration.seconds(10)

    /// Requests the document. Redirects are not followed: they could lead to keys that were not configured.
    package func fetch() async throws(Failure) -> HTTPAnswer {
        var question = HTTPQuestion(
            usesTLS: usesTLS, host: host, port: port, target: target, header: ("Accept-Encoding", "identity"))
        question.maximumBytes = VerificationKeySet.maximumBytes
        question.refusesCloudAddresses = true
        let answer: HTTPAnswer
        do throws(HTTPFetchError) {
            answer = try await HTTPFetch.run(question, patience: Self.patience)
        } catch {
            throw Failure(message: "\(text): \(error)")
        }
        guard answer.status == 200 else {
            let redirect = (300..<400).contains(answer.status) ? "; redirects are not followed, configure the final address" : ""
            throw Failure(message: "\(text): HTTP status \(answer.status)\(redirect)")
        }
        return answer
    }
}

extension HTTPAnswer {
    /// The seconds for which the answer may be cached, by `Cache-Control`; nil if it does not say.
    package var lifetime: Int64? {
        guard let cacheControl else { return nil }
        for directive in cacheControl.lowercased().split(separator: ",") {
            let words = directive.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\"" } }
            if words.count == 2, words[0] == "max-age" { return Int64(words[1]) }
        }
        return nil
    }
}
