// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreGeo
import TestSupport
import Testing

struct GeohashTests {
    // Computed with exact fractions, bit by bit, in another language.
    static let known: [(latitude: Double, longitude: Double, geohash: String)] = [
        (42.605, -5.603, "ezs42s000esk"),
        (57.64911, 10.40744, "u4pruydqqvj8"),
        (37.7749, -122.4194, "9q8yyk8ytpxr"),
        (51.5074, -0.1278, "gcpvj0duq533"),
        (-33.8688, 151.2093, "r3gx2f77bn44"),
        (35.6895, 139.69171, "xn774c06kv08"),
        (64.1466, -21.9426, "ge2kuttch2gt"),
        (0, 0, "s00000000000"),
        (-1e-9, -1e-9, "7zzzzzzzzzzz"),
        (-90, -180, "000000000000"),
        (90, 180, "zzzzzzzzzzzz"),
        (-90, 180, "pbpbpbpbpbpb"),
        (90, -180, "bpbpbpbpbpbp"),
    ]

    @Test(arguments: known)
    func `known points have their geohash in every precision`(latitude: Double, longitude: Double, geohash: String) throws {
        let point = GeoPoint(latitude: latitude, longitude: longitude)
        for precision in 1...12 {
            #expect(try point.geohash(precision: precision) == String(geohash.prefix(precision)))
        }
        #expect(try point.geohash() == String(geohash.prefix(10)))
    }

    @Test(arguments: [
        GeoPoint(latitude: 90.0001, longitude: 0), GeoPoint(latitude: -91, longitude: 0), GeoPoint(latitude: 0, longitude: 180.5),
        GeoPoint(latitude: 0, longitude: -181), GeoPoint(latitude: .nan, longitude: 0), GeoPoint(latitude: 0, longitude: .infinity),
    ])
    func `a point off the globe has no geohash and no ranges`(point: GeoPoint) {
        #expect(throws: FirestoreErrorCode.self) { try point.geohash() }
        #expect(throws: FirestoreErrorCode.self) { try point.geohashRanges(within: 1) }
    }

    @Test(arguments: [0, -1, 13, Int.min, Int.max])
    func `a precision outside 1 to 12 is rejected`(precision: Int) {
        let point = GeoPoint(latitude: 1, longitude: 2)
        #expect { try point.geohash(precision: precision) } throws: { FirestoreErrorCode.invalidArgument ~= $0 }
        #expect { try point.geohashRanges(within: 1, precision: precision) } throws: { FirestoreErrorCode.invalidArgument ~= $0 }
    }

    @Test(arguments: [-1, -Double.infinity, Double.nan])
    func `an invalid radius is rejected`(radius: Double) {
        let point = GeoPoint(latitude: 1, longitude: 2)
        #expect { try point.geohashRanges(within: radius) } throws: { FirestoreErrorCode.invalidArgument ~= $0 }
    }

    @Test func `an invalid argument throws an NSError in every spelling`() {
        let bad = GeoPoint(latitude: 91, longitude: 0)
        for way in [{ _ = try bad.geohash() }, { _ = try bad.geohashRanges(within: 1) }] as [() throws -> Void] {
            do {
                try way()
                Issue.record("nothing failed")
            } catch {
                #expect(ErrorSpellings.missing(error, domain: FirestoreErrorDomain, code: 3).isEmpty, "\(error)")
            }
        }
    }
}
