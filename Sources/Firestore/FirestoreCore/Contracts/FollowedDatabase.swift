// SPDX-License-Identifier: Apache-2.0

/// A database whose commits can be followed in their order.
///
/// What a service promises about it: `LoggedDatabase` of `FirestoreStorage`, the only refinement, has the methods, in the terms of stores.
package protocol FollowedDatabase: Sendable {}
