// SPDX-License-Identifier: Apache-2.0

/// The user whose writes a cache queues and shows: a user id, or nil when signed out.
package struct SyncUser: Hashable, Sendable {
    package var uid: String?

    package init(uid: String?) { self.uid = uid }

    package static let unauthenticated = SyncUser(uid: nil)
}
