// SPDX-License-Identifier: Apache-2.0
#if Remote
import FirestoreCore
import FirestoreRPC

/// The header `Authorization: Bearer …`.
enum BearerHeader {
    /// nil if a call has no credentials.
    static func token(_ metadata: RPCMetadata) throws(FirestoreError) -> Substring? {
        var header: String?
        // The length excludes nearly every header.
        for (name, value) in metadata.entries where name.utf8.count == 13 && equalUTF8(name, "authorization") {
            guard header == nil else { throw FirestoreError(.unauthenticated, "the request has two authorization headers; send one") }
            header = value
        }
        guard let header else { return nil }
        let words = header.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bearer" else {
            throw FirestoreError(.unauthenticated, "the authorization header must be \"Bearer\" and a token")
        }
        return words[1]
    }
}
#endif
