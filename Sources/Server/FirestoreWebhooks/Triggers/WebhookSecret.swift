// SPDX-License-Identifier: Apache-2.0
import Crypto
package import FirestoreCore
import Foundation

/// A key that bodies are signed with.
package struct WebhookSecret: Sendable, Equatable {
    private let bytes: [UInt8]

    /// - Parameter text: `whsec_` and base64, as Standard Webhooks write keys, or any other text of at least 16 bytes.
    package init(_ text: String) throws(FirestoreError) {
        let prefix = "whsec_"
        if text.hasPrefix(prefix) {
            guard let data = Data(base64Encoded: String(text.dropFirst(prefix.count))) else {
                throw .invalidArgument("the secret begins with whsec_, but the rest is not base64")
            }
            bytes = [UInt8](data)
        } else {
            bytes = Array(text.utf8)
        }
        guard bytes.count >= 16 else { throw .invalidArgument("the secret is too short; use at least 16 random bytes") }
    }

    /// The secrets of a file, one in each line: all of them sign, so that a receiver can change from one to the next.
    package static func read(_ path: String) throws(FirestoreError) -> [WebhookSecret] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw FirestoreError(.notFound, "the file with the secret cannot be read", at: path)
        }
        let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
        guard !lines.isEmpty else { throw .invalidArgument("the file contains no secret", at: path) }
        var secrets: [WebhookSecret] = []
        for line in lines {
            do throws(FirestoreError) { secrets.append(try WebhookSecret(line)) } catch { throw error.located(at: path) }
        }
        return secrets
    }

    /// The signature of Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`.
    package func signature(id: String, timestamp: Int64, body: [UInt8]) -> String {
        var code = HMAC<SHA256>(key: SymmetricKey(data: bytes))
        code.update(data: Array("\(id).\(timestamp).".utf8))
        code.update(data: body)
        return "v1," + Data(code.finalize()).base64EncodedString()
    }
}
