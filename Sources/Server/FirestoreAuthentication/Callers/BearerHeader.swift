// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC
import Foundation

/// The header `Authorization: Bearer …`.
package enum BearerHeader {
    /// nil if a call has no credentials.
    package static func token(_ metadata: RPCMetadata) throws(FirestoreError) -> Substring? {
        var found: String?
        // The length excludes nearly every header.
        for (name, value) in metadata.entries where name.utf8.count == 13 && equalUTF8(name, "authorization") {
            guard found == nil else { throw FirestoreError(.unauthenticated, "the request has two authorization headers; send one") }
            found = value
        }
        guard var header = found else { return nil }
        // By bytes: finding the characters of a token takes longer than everything else that a call is asked.
        guard let bounds = header.withUTF8({ bounds(in: $0) }) else {
            throw FirestoreError(.unauthenticated, "the authorization header must be \"Bearer\" and a token")
        }
        let utf8 = header.utf8
        return header[utf8.index(utf8.startIndex, offsetBy: bounds.lowerBound)..<utf8.index(utf8.startIndex, offsetBy: bounds.upperBound)]
    }

    /// Where the token is; nil if the text is anything else than the scheme and one word.
    private static func bounds(in header: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        let space = UInt8(ascii: " ")
        func end(ofSpacesAt start: Int) -> Int { header[start...].firstIndex { $0 != space } ?? header.count }
        let scheme = end(ofSpacesAt: 0)
        let start = end(ofSpacesAt: scheme + bearer.count <= header.count ? scheme + bearer.count : header.count)
        guard start > scheme + bearer.count, zip(header[scheme...], bearer).allSatisfy({ $0 | 0x20 == $1 }) else { return nil }
        var end = header.count
        while end > start, header[end - 1] == space { end -= 1 }
        guard start < end, let base = header.baseAddress, memchr(base + start, Int32(space), end - start) == nil else { return nil }
        return start..<end
    }

    private static let bearer = Array("bearer".utf8)
}
