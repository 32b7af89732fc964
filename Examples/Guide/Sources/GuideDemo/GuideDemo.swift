import FirebaseCore
import FirebaseFirestore
import Foundation
import Guide

/// Runs the guide on a new database file and says whether everything it showed was true.
@main
@MainActor
struct GuideDemo {
    static func main() async throws {
        // The demo says itself where the database is; the log line about it would repeat that.
        FirebaseConfiguration.shared.setLoggerLevel(.warning)

        let file = try GuideDatabase.makeDirectory().appendingPathComponent("guide.sqlite")
        try await SampleApp.launch(useEmulator: false)
        GuideDatabase.use(.file(file))

        let page = Page(style: .forStandardOutput) {
            print($0)
            fflush(nil)
        }
        page.heading(
            "Map Cloud Firestore data with Swift Codable, on Hearth",
            "embedded database, no server, no network: \(file.path)")
        await Walkthrough.run(on: page)
        await Reopening.tell(file: file, on: page)
        try await Firestore.firestore().terminate()

        print("")
        guard page.failures.isEmpty else {
            print("\(page.failures.count) of \(page.claims) checks failed:")
            for failure in page.failures { print("  ✗ \(failure)") }
            exit(1)
        }
        print("All \(page.claims) checks held. The database is kept for a look: sqlite3 \(file.path)")
    }
}
