// SPDX-License-Identifier: Apache-2.0

/// The measure of the distance between two vectors.
///
/// Beyond the Apple SDK.
public enum VectorDistanceMeasure: Sendable, Hashable, CaseIterable {
    /// The length of the straight line between them; smaller is nearer.
    case euclidean
    /// One minus the cosine of the angle between them, 0 to 2; smaller is nearer. The distance to a zero vector is NaN,
    /// which is farthest.
    case cosine
    /// The dot product; larger is nearer. For vectors of length 1 the order is the same as with the others, and it is
    /// the fastest.
    case dotProduct
}
