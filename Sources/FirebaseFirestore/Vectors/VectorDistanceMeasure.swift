/// How far apart two vectors are.
public enum VectorDistanceMeasure: Sendable, Hashable, CaseIterable {
    /// The length of the straight line between them; smaller is nearer.
    case euclidean
    /// One minus the cosine of the angle between them, 0 to 2; smaller is nearer. With a zero vector there is no angle
    /// and the distance is NaN, which is farthest.
    case cosine
    /// The dot product; larger is nearer. For vectors of length 1 it orders as the others do, and is quickest.
    case dotProduct
}
