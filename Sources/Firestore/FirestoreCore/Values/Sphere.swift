// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Distances on the globe, as security rules and pipelines measure them.
package enum Sphere {
    private static let radius = 6_371_009.0

    /// Along a great circle, in metres.
    package static func distance(_ left: GeoPointValue, _ right: GeoPointValue) -> Double {
        let (leftLatitude, rightLatitude) = (radians(left.latitude), radians(right.latitude))
        let latitudes = sin((rightLatitude - leftLatitude) / 2)
        let longitudes = sin(radians(right.longitude - left.longitude) / 2)
        let haversine = latitudes * latitudes + cos(leftLatitude) * cos(rightLatitude) * longitudes * longitudes
        return 2 * radius * asin(min(1, haversine.squareRoot()))
    }

    private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
}
