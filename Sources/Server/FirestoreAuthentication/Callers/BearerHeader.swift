// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC

/// The header `Authorization: Bearer …`.
package enum BearerHeader {
    /// nil if a call has no credentials.
    package static func token(_ metadata: RPCMetadata) throws(FirestoreError) -> Substring? {
        var header: String?
        // The length excludes nearly every header.
        for (name, value) in metadata.entries where name.utf8.count == 13 && equalUTF8(name, "authorization") {
            guard header == nil else { throw FirestoreError(.unauthenticated, "the request has two authorization headers; send one") }
            header = value
        }
        guard let header else { return nil }
        // By bytes: finding the characters of a token takes longer than everything else that a call is asked.
        let space = UInt8(ascii: " ")
        let words = header.utf8.drop { $0 == space }
        let scheme = words.prefix { $0 != space }
        var token = words[scheme.endIndex...].drop { $0 == space }
        while token.last == space { token.removeLast() }
        guard !token.isEmpty, !token.contains(space), Substring(scheme).lowercased() == "bearer" else {
            throw FirestoreError(.unauthenticated, "the authorization header must be \"Bearer\" and a token")
        }
        return Substring(token)
    }
}
