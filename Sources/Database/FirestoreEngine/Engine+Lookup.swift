// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreStorage

extension Engine {
    /// Reads on the calling thread, through a separate connection. The result has everything acknowledged; a caller that wants to see
    /// submitted commits gets nil while any are pending.
    package func documentsNow(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) throws(FirestoreError) -> LookupResponse? {
        try admit(context)
        guard options.moment == .latest, !options.seesSubmitted || core.committer.isIdle else { return nil }
        return try core.store.lookupNow(keys).map { LookupResponse(readTime: $0.readTime, documents: $0.documents) }
    }
}
