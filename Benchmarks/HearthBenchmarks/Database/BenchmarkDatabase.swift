// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import FirestoreCore
import Foundation

/// A separate durable database in a temporary directory: what every database case runs on.
struct BenchmarkDatabase {
    let directory: URL
    let firestore: Firestore

    private static let counter = Mutex(0)

    /// Opens `hearth.sqlite` in a new directory, with the default durability (`.full`); or nothing but memory.
    init(inMemory: Bool = false) throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "hearth-bench-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let number = Self.counter.withLock { counter in
            counter += 1
            return counter
        }
        let options = FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1")
        options.projectID = "bench-\(number)"
        FirebaseApp.configure(name: "bench-\(number)", options: options)
        guard let app = FirebaseApp.app(name: "bench-\(number)") else { throw BenchmarkFailure("no app") }
        firestore = Firestore.firestore(app: app)
        let settings = FirestoreSettings()
        settings.storage = inMemory ? .memory : .file(directory.appendingPathComponent("hearth.sqlite"))
        settings.dispatchQueue = DispatchQueue(label: "hearth.bench.callbacks")
        firestore.settings = settings
    }

    /// Where a raw peer may put its file: the same disk.
    var peerPath: String { directory.appendingPathComponent("peer.sqlite").path }

    func close() async throws {
        try await firestore.terminate()
        try FileManager.default.removeItem(at: directory)
    }
}

struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
