// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import Foundation
import Guide

/// Runs the guide on a new database, at the location that its argument names, and reports whether all claims held.
@main
@MainActor
struct GuideDemo {
    static func main() async throws {
        // The demo prints the location of the database itself; the log message would repeat it.
        FirebaseConfiguration.shared.setLoggerLevel(.warning)

        if CommandLine.arguments.dropFirst() == ["sample-app"] {
            try await SampleAppRun.run { print($0) }
            return
        }
        let place: GuidePlace
        do {
            place = try GuidePlace(
                arguments: Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment)
        } catch is GuidePlace.Misunderstood {
            print("usage: guide-demo [embedded | server [HOST:PORT] | emulator [HOST:PORT] | sample-app]")
            print("       without an address: FIRESTORE_EMULATOR_HOST, or 127.0.0.1:8080; sample-app uses the ports of the emulators")
            exit(2)
        }
        let project = GuidePlace.configureApp()
        place.use()
        try await SampleApp.launch(useEmulator: false)
        try await expectAnswer(from: place)

        let page = Page(style: .forStandardOutput, place: place) {
            print($0)
            fflush(nil)
        }
        page.heading("Map Cloud Firestore data with Swift Codable, on Hearth", place.description)
        await Walkthrough.run(on: page)
        await Reopening.tell(on: page)
        try await Firestore.firestore().terminate()

        print("")
        guard page.failures.isEmpty else {
            print("\(page.failures.count) of \(page.claims) checks failed:")
            for failure in page.failures { print("  ✗ \(failure)") }
            exit(1)
        }
        print("All \(page.claims) checks held. ", terminator: "")
        if case .file(let file) = place {
            print("To look at the database: sqlite3 \(file.path)")
            print("The same with a server, and without a connection to it: make demo-server")
        } else {
            print("The project was \(project).")
        }
    }

    /// Ends with instructions if the server cannot be reached.
    private static func expectAnswer(from place: GuidePlace) async throws {
        do {
            _ = try await Firestore.firestore().document("guide/start").getDocument()
        } catch FirestoreErrorCode.unavailable {
            print("The server cannot be reached: \(place.description).")
            print(place.howToStart)
            exit(1)
        } catch FirestoreErrorCode.unimplemented {
            print("This build has the embedded database only: build without HEARTH_EMBEDDED.")
            exit(1)
        }
    }
}
