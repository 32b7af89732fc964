// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

/// The SHA-256 hash of a token's text: the key of tables that all connections share, so that these contain no tokens and a lookup compares
/// no secret.
package struct TokenDigest: Hashable, Sendable {
    private let digest: SHA256Digest

    package init(_ text: some StringProtocol) {
        var hash = SHA256()
        let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        if isHashed == nil { hash.update(data: Data(text.utf8)) }
        digest = hash.finalize()
    }
}
