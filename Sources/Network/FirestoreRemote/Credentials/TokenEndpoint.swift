// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import Foundation
import HearthBase

/// Requests a token from an endpoint and interprets any answer (RFC 6749, 5.1 and 5.2).
struct TokenEndpoint: Sendable {
    /// The address of the endpoint. Encrypted, unless it is this machine.
    struct Address: Sendable {
        let text: String
        let usesTLS: Bool
        let host: String
        let port: Int
        let path: String
        let query: String?

        /// `name`: what contained the address, for the message. `isLocal`: plain HTTP is allowed.
        init(_ text: String, named name: String, isLocal: Bool = false) throws(FirestoreError) {
            guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(), let host = parts.host,
                !host.isEmpty, scheme == "https" || scheme == "http", (1...65_535).contains(parts.port ?? 1)
            else { throw .invalidArgument("\"\(name)\" is not the address of a token endpoint; an https:// URL is needed") }
            guard scheme == "https" || isLocal || LoopbackHost.names(host) else {
                throw .invalidArgument("\"\(name)\" must begin with https, because secrets are sent to it")
            }
            self.text = text
            usesTLS = scheme == "https"
            // An IPv6 address comes in brackets.
            self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
            port = parts.port ?? (usesTLS ? 443 : 80)
            path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
            query = parts.percentEncodedQuery
        }

        /// Without the query, which might contain secrets.
        var name: String {
            let authority = host.contains(":") ? "[\(host)]" : host
            return authority + (port == (usesTLS ? 443 : 80) ? "" : ":\(port)") + path
        }
    }

    enum Question: Sendable {
        case form(Address, [(name: String, value: String)])
        case metadata(Address)

        var address: Address {
            switch self {
            case .form(let address, _), .metadata(let address): address
            }
        }
    }

    let clock: any WallClock
    let patience: Duration

    /// `unavailable` if trying again may help, `unauthenticated` if the endpoint has rejected. `account` and `advice` become part of that
    /// message; nothing that was sent does.
    func token(from question: Question, for account: String, advice: String) async throws(FirestoreError) -> AccessToken {
        let address = question.address
        let asked = clock.now()
        let answer: HTTPAnswer
        do throws(HTTPFetchError) {
            answer = try await HTTPFetch.run(request(question), patience: patience)
        } catch {
            throw unavailable(address, error.description)
        }
        let json = try? JSON(answer.body)
        guard answer.status == 200 else { throw rejection(answer.status, json, address, account, advice) }
        guard let json, case .string(let token)? = json["access_token"], Self.isToken(token) else {
            throw unavailable(address, "its answer is not a token")
        }
        let node = JSONNode(json)
        guard let seconds = try? node.optional("expires_in")?.integer() ?? Self.defaultLifetime,
            (1...Self.longestLifetime).contains(seconds)
        else { throw unavailable(address, "its token has expired or has no valid lifetime") }
        // Counted from the request: renewing early is better than late.
        return AccessToken(token, expiry: asked + seconds * 1_000_000)
    }

    private static let defaultLifetime: Int64 = 3600
    private static let longestLifetime: Int64 = 366 * 24 * 3600

    /// Whether the text is valid in a header.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 16_384 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private func request(_ question: Question) -> HTTPQuestion {
        let address = question.address
        var request = HTTPQuestion(
            usesTLS: address.usesTLS, host: address.host, port: address.port,
            target: address.path + (address.query.map { "?" + $0 } ?? ""), header: ("Metadata-Flavor", "Google"))
        if case .form(_, let fields) = question {
            // The address comes from a key file. Only questions to the metadata server itself go to the metadata server.
            request.refusesCloudAddresses = true
            request.header = ("Content-Type", "application/x-www-form-urlencoded")
            request.posts = fields.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }.joined(separator: "&")
        }
        return request
    }

    // MARK: Errors

    private func unavailable(_ address: Address, _ reason: String) -> FirestoreError {
        FirestoreError(.unavailable, "no token can be obtained from \(address.name): \(reason)")
    }

    private func rejection(
        _ status: Int, _ json: JSON?, _ address: Address, _ account: String, _ advice: String
    ) -> FirestoreError {
        guard (400..<500).contains(status), status != 408, status != 429 else {
            return unavailable(address, "it answered with HTTP status \(status)")
        }
        let texts = [json?["error"], json?["error_description"]].compactMap { text -> String? in
            guard case .string(let text)? = text else { return nil }
            return Self.printable(text)
        }
        let said = texts.isEmpty ? "HTTP status \(status)" : texts.joined(separator: ": ")
        return FirestoreError(.unauthenticated, "\(account) did not get a token from \(address.name): \(said); \(advice)")
    }

    /// The endpoint's text, restricted to one printable line.
    private static func printable(_ text: String) -> String {
        String(text.unicodeScalars.prefix(300).map { $0.properties.generalCategory == .control ? " " : Character($0) })
    }
}

/// Hosts that are this machine: what is sent to them crosses no network.
enum LoopbackHost {
    static func names(_ host: String) -> Bool {
        let text = host.lowercased()
        return ["localhost", "::1", "[::1]"].contains(text) || text.hasPrefix("127.") && text.allSatisfy { $0.isNumber || $0 == "." }
    }
}
