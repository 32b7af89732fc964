// SPDX-License-Identifier: Apache-2.0
// Written by `hearth types cities --name StoredCity --fields` from cities-large.jsonl, whose ids are those of the documents.
// cities: 4,028 documents read, all.
import FirebaseFirestore
import FirestoreModels

struct StoredCity: Codable {
    @DocumentID var id: String?
    var alternateNames: [String]
    var continent: Continent
    var country: String
    var latitude: Double
    var longitude: Double
    var name: String
    var population: Int
    var timezone: String

    // 6 values in 4,028
    enum Continent: OpenEnum, Hashable, Sendable {
        case af
        case `as`
        case eu
        case na
        case oc
        case sa
        // A value that was not among the documents; it is written back as it was read.
        case unknown(String)

        init?(rawValue: String) {
            switch rawValue {
            case "AF": self = .af
            case "AS": self = .`as`
            case "EU": self = .eu
            case "NA": self = .na
            case "OC": self = .oc
            case "SA": self = .sa
            default: return nil
            }
        }

        var rawValue: String {
            switch self {
            case .af: "AF"
            case .`as`: "AS"
            case .eu: "EU"
            case .na: "NA"
            case .oc: "OC"
            case .sa: "SA"
            case .unknown(let text): text
            }
        }
    }

    enum CodingKeys: String, CodingKey {
        case id
        case alternateNames
        case continent
        case country
        case latitude
        case longitude
        case name
        case population
        case timezone
    }

    struct Fields: Sendable {
        let id = ModelField<StoredCity, String, FieldKind.DocumentID>.documentID
        let alternateNames = ModelField<StoredCity, [String], FieldKind.Required>(CodingKeys.alternateNames)
        let continent = ModelField<StoredCity, Continent, FieldKind.Required>(CodingKeys.continent)
        let country = ModelField<StoredCity, String, FieldKind.Required>(CodingKeys.country)
        let latitude = ModelField<StoredCity, Double, FieldKind.Required>(CodingKeys.latitude)
        let longitude = ModelField<StoredCity, Double, FieldKind.Required>(CodingKeys.longitude)
        let name = ModelField<StoredCity, String, FieldKind.Required>(CodingKeys.name)
        let population = ModelField<StoredCity, Int, FieldKind.Required>(CodingKeys.population)
        let timezone = ModelField<StoredCity, String, FieldKind.Required>(CodingKeys.timezone)
    }
    static let fields = Fields()
}

extension StoredCity: FirestoreModel {}
