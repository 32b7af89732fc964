// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension Engine {
    /// The time of the last commit, once the watch thread has told of it: also when it concerned nobody.
    package func watchTime(context: RequestContext) async throws(FirestoreError) -> DocumentVersion {
        try admit(context)
        return await core.hub.time()
    }
}
