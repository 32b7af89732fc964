// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreGeo

/// A city of GeoNames. The same type reads the JSON lines of the data file and the documents made of them.
public struct City: Codable {
    @DocumentID public var id: String?
    public var name: String
    /// ISO 3166-1 alpha-2.
    public var country: String
    public var continent: String
    public var latitude: Double
    public var longitude: Double
    public var population: Int
    public var timezone: String
    public var alternateNames: [String]
    /// Not in the file: the location in a searchable form, and its geohash.
    public var location: GeoPoint?
    public var geohash: String?

    /// The city with the fields for a search around a place.
    func located() throws -> City {
        let location = GeoPoint(latitude: latitude, longitude: longitude)
        var city = self
        city.location = location
        city.geohash = try location.geohash()
        return city
    }
}
