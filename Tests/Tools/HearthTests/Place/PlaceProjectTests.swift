// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import hearth

/// The project of a command with `--server` and without `--project`.
@Suite struct PlaceProjectTests {
    @Test(arguments: [
        // What the server says; the project, and whether a command that writes says so.
        (Place.ServerProjects.unknown, "demo-hearth" as String?, "does not say" as String?),
        (.known([]), "demo-hearth", nil), (.known(["demo-hearth"]), "demo-hearth", nil), (.known(["shop"]), "shop", "shop"),
        (.known(["shop", "demo-hearth"]), "demo-hearth", "others"), (.known(["shop", "b"]), nil, nil),
    ])
    func `it is that of the server, or is said, or must be named`(projects: Place.ServerProjects, project: String?, note: String?) throws {
        guard let project else {
            let error = #expect(throws: FirestoreError.self) { try Place.choose(projects) }
            #expect(error?.code == .invalidArgument && error?.message.contains("shop, b") == true)
            return
        }
        let chosen = try Place.choose(projects)
        #expect(chosen.project == project && (chosen.note == nil) == (note == nil))
        if let note { #expect(chosen.note?.contains(note) == true && chosen.note?.contains("--project") == true || note == "shop") }
    }
}
