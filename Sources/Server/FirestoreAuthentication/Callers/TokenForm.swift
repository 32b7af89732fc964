// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What the form of a bearer token says about its origin. By bytes, because every call is asked.
extension Substring {
    /// Whether the token has the dots of a JSON web token. Administrator keys have none.
    var hasDots: Bool {
        let dot = UInt8(ascii: ".")
        let found = utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, Int32(dot), bytes.count) != nil } ?? false
        }
        return found ?? utf8.contains(dot)
    }

    /// Whether the token is an access token of Google's, which has dots, too.
    var isAccessTokenOfGoogle: Bool { utf8.starts(with: "ya29.".utf8) }
}
