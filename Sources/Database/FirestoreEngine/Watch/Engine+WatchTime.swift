// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension Engine {
    /// The time of the last commit, once the watch thread has processed it, even if it affected no watch.
    package func watchTime(context: RequestContext) async throws(FirestoreError) -> DocumentVersion {
        try admit(context)
        await withCheckedContinuation { continuation in core.feed.afterOwnCommits { continuation.resume() } }
        return await core.hub.time()
    }

    package func afterWatches(context: RequestContext, _ body: @escaping @Sendable () -> Void) {
        core.feed.afterOwnCommits { [hub = core.hub] in hub.afterPublished(body) }
    }
}
