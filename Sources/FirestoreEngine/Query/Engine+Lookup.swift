// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreStorage

extension Engine {
    /// On the calling thread, through a connection of its own. What is acknowledged is there; who wants to see what is only
    /// submitted gets nothing while any of that is on its way.
    package func documentsNow(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) throws(FirestoreError) -> LookupResponse? {
        try admit(context)
        guard options.moment == .latest, !options.seesSubmitted || core.committer.isIdle else { return nil }
        return try core.store.lookupNow(keys).map { LookupResponse(readTime: $0.readTime, documents: $0.documents) }
    }
}
