// SPDX-License-Identifier: Apache-2.0
/// The collections of one model that lie below the documents of another one.
///
/// ```swift
/// extension City {
///     static let landmarks = Subcollection<City, Landmark>("landmarks")
/// }
/// let landmarks = cities.document("berlin").collection(City.landmarks)
/// let everywhere = db.collectionGroup(City.landmarks)
/// ```
///
/// Beyond the Apple SDK.
public struct Subcollection<Parent: FirestoreModel, Child: FirestoreModel>: Hashable, Sendable {
    /// The collection's id: the last segment of its path.
    public let id: String

    /// Collections with an id, below documents of `Parent`, with documents of `Child`.
    public init(_ id: String) { self.id = id }
}
