// SPDX-License-Identifier: Apache-2.0

/// How the distance between two vectors is measured, for ``Pipeline/findNearest(field:vectorValue:distanceMeasure:limit:distanceField:)``.
public struct DistanceMeasure: Sendable, Equatable, Hashable, PipelineWord {
    let rawValue: String

    /// The length of the difference.
    public static let euclidean = DistanceMeasure(rawValue: "euclidean")
    /// One minus the cosine of the angle.
    public static let cosine = DistanceMeasure(rawValue: "cosine")
    /// The dot product; the largest is nearest.
    public static let dotProduct = DistanceMeasure(rawValue: "dot_product")
}
