// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension Engine {
    /// The time of the last commit, once the watch thread has processed it, even if it affected no watch.
    package func watchTime(context: RequestContext) async throws(FirestoreError) -> DocumentVersion {
        try admit(context)
        return await core.hub.time()
    }

    /// Commits are published before they are acknowledged.
    package func afterWatches(context: RequestContext, _ body: @escaping @Sendable () -> Void) { core.hub.afterPublished(body) }
}
