// SPDX-License-Identifier: Apache-2.0
import CoreLocation
import FirebaseFirestore

enum GeopointsChapter: Chapter {
    static let title = "Geopoints"

    static func tell(on page: Page) async throws {
        let document = Firestore.firestore().collection("locations").document("greenwich")
        try document.setData(
            from: Office(name: "Royal Observatory", location: GeoPoint(latitude: 51.4769, longitude: -0.0005)))
        try await page.show(document)
        let office = try await document.getDocument(as: Office.self)
        page.value(office)
        page.claim(
            "and on to CLLocationCoordinate2D(latitude: \(office.coordinate.latitude), "
                + "longitude: \(office.coordinate.longitude))",
            office.coordinate.latitude == 51.4769 && office.coordinate.longitude == -0.0005)
    }
}
