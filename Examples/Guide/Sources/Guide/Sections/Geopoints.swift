// SPDX-License-Identifier: Apache-2.0
import CoreLocation
import FirebaseFirestore

/// Section "Geopoints".
public struct Office: Codable {
    @DocumentID var id: String?
    var name: String
    var location: GeoPoint
}

extension Office {
    var coordinate: CLLocationCoordinate2D {
        let office = self
        return CLLocationCoordinate2D(
            latitude: office.location.latitude,
            longitude: office.location.longitude)
    }
}
