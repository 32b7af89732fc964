// SPDX-License-Identifier: Apache-2.0
import FirebaseAuth

/// A file that imports FirebaseAuth alone: Foundation comes with it.
func signedInSince(_ user: User) -> TimeInterval? { user.metadata.lastSignInDate.map { Date().timeIntervalSince($0) } }
