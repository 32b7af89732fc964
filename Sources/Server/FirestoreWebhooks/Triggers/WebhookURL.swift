// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreRPC
import Foundation

/// Where events are sent to: an address that an operator has written.
package struct WebhookURL: Sendable, Equatable, CustomStringConvertible {
    package let usesTLS: Bool
    package let host: String
    package let port: Int
    /// Path and query, escaped.
    package let target: String
    package let description: String

    package init(_ text: String) throws(FirestoreError) {
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty else {
            throw .invalidArgument("\"\(text)\" is not a URL with a host, such as https://example.com/events")
        }
        switch parts.scheme?.lowercased() {
        case "https": usesTLS = true
        case "http": usesTLS = false
        default: throw .invalidArgument("\"\(text)\" begins neither with https:// nor with http://")
        }
        guard parts.user == nil, parts.password == nil else {
            throw .invalidArgument("a URL of a receiver contains no user and no password; let the receiver check signatures (secretFile)")
        }
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        guard !CloudAddress.matches(name) else {
            throw .invalidArgument(
                "the address \(name.quoted) is one at which clouds keep secrets of machines; events are not sent to such addresses")
        }
        let port = parts.port ?? (usesTLS ? 443 : 80)
        guard (1...65_535).contains(port) else { throw .invalidArgument("\(port) is not a port") }
        self.host = name
        self.port = port
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        target = parts.percentEncodedQuery.map { path + "?" + $0 } ?? path
        description = text
    }
}
