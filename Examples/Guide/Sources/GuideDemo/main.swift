import FirebaseCore
import FirebaseFirestore
import Foundation
import Guide

// The demo says itself where the database is; the log line about it would repeat that.
FirebaseConfiguration.shared.setLoggerLevel(.warning)

let directory = try GuideDatabase.makeDirectory()
let file = directory.appendingPathComponent("guide.sqlite")
GuideDatabase.use(.file(file))
try await SampleApp.launch(useEmulator: false)

let page = Page(style: .forStandardOutput) { print($0) }
page.heading(
    "Map Cloud Firestore data with Swift Codable, on Hearth",
    "embedded database, no server, no network: \(file.path)")
await Walkthrough.run(on: page)
await Reopening.tell(file: file, on: page)
try await Firestore.firestore().terminate()

print("")
if page.failures.isEmpty {
    print("All \(page.claims) checks held. The database is kept for a look: sqlite3 \(file.path)")
    exit(0)
}
print("\(page.failures.count) of \(page.claims) checks failed:")
for failure in page.failures { print("  ✗ \(failure)") }
exit(1)
