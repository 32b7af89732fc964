// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import Testing

@testable import FirestoreServer

/// Where databases are: names, which tools ask for before they create one.
struct AdminLocationsTests {
    @Test func `the locations are this server and the names that databases were created with`() async throws {
        let fixture = try AdminFixture()
        let request = #"{"name":"projects/\#(AdminFixture.project)"}"#
        func ids() async throws -> [String] {
            try await fixture.call(.listLocations, request).elements("locations").map { $0.text("locationId") }
        }
        #expect(try await ids() == ["local"])
        for (id, place) in [("books", "nam5"), ("films", "eur3"), ("songs", "nam5")] {
            _ = try await fixture.result(
                .createDatabase,
                #"{"parent":"projects/\#(AdminFixture.project)","databaseId":"\#(id)","database":{"locationId":"\#(place)"}}"#)
        }
        #expect(try await ids() == ["eur3", "local", "nam5"])
        let first = try await fixture.call(.listLocations, #"{"name":"projects/\#(AdminFixture.project)","pageSize":2}"#)
        #expect(first.elements("locations").count == 2 && !first.text("nextPageToken").isEmpty)
        let place = try await fixture.call(.getLocation, #"{"name":"projects/\#(AdminFixture.project)/locations/nam5"}"#)
        #expect(place.text("name") == "projects/\(AdminFixture.project)/locations/nam5" && place.text("displayName") == "nam5")
        #expect(await fixture.code(.getLocation, #"{"name":"projects/\#(AdminFixture.project)/locations/mars"}"#) == .notFound)
        #expect(await fixture.code(.listLocations, #"{"name":"nonsense"}"#) == .invalidArgument)
        await fixture.stop()
    }
}
