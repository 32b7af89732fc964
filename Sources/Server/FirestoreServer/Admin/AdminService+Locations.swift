// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

/// Locations, which are names here: a database may be created with any, and is where its server is.
extension AdminService {
    func listLocations(_ request: JSON) async throws(FirestoreError) -> JSON {
        let project = try AdminName.project(request.text("name"))
        guard request.text("filter").isEmpty else { throw .invalidArgument("lists of locations have no filter here", at: "filter") }
        let page = try AdminPage.of(try await locations(of: project), request) { $0 }
        let messages = page.elements.map { Self.location($0, project) }
        return .members([("locations", .array(messages)), ("nextPageToken", page.next)])
    }

    func getLocation(_ request: JSON) async throws(FirestoreError) -> JSON {
        let (project, place) = try AdminName.place(request.text("name"))
        guard try await locations(of: project).contains(where: { equalUTF8($0, place) }) else {
            throw FirestoreError(.notFound, "no database of the project was created with this location", at: String(place.prefix(200)))
        }
        return Self.location(place, project)
    }

    /// The location of databases that were created without one, and those of the databases of the project. Sorted.
    private func locations(of project: String) async throws(FirestoreError) -> [String] {
        var places = [AdminDatabase.localPlace]
        for listed in await databases.listed() where equalUTF8(listed.projectID, project) {
            let place = try await settings(of: listed).place
            if !place.isEmpty, !places.contains(where: { equalUTF8($0, place) }) { places.append(place) }
        }
        return places.sorted { compareUTF8($0, $1) < 0 }
    }

    private static func location(_ place: String, _ project: String) -> JSON {
        let isLocal = equalUTF8(place, AdminDatabase.localPlace)
        return .object([
            ("name", .string("projects/\(project)/locations/\(place)")), ("locationId", .string(place)),
            ("displayName", .string(isLocal ? "This server" : place)),
        ])
    }
}
