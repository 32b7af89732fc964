// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import FirestoreEngine
import Foundation

/// A database with 100 documents whose clock stands still.
struct GateDatabase {
    static let count = 100

    let engine: Engine
    let firestore: Firestore
    private let folder: URL

    var collection: CollectionReference { firestore.collection("coll") }

    init(durability: Durability = .relaxed) async throws {
        folder = try BenchmarkDirectory.make()
        engine = try Engine.open(
            EngineConfiguration(
                location: .file(path: folder.appendingPathComponent("gate.sqlite").path), durability: durability,
                databaseID: GateCases.database, clock: ManualClock(microseconds: GateCases.time.microseconds)))
        firestore = Firestore(over: engine, databaseID: GateCases.database)
        let settings = firestore.settings
        settings.dispatchQueue = DispatchQueue(label: "hearth.bench.callbacks")
        firestore.settings = settings
        _ = try await engine.commit((0..<Self.count).map(Self.write), context: .embedded)
    }

    static func write(_ number: Int) -> Write { Write(key: GateCases.key(number), operation: .set(GateCases.fields(number))) }

    func close() async throws {
        try await firestore.terminate()
        try BenchmarkDirectory.remove(folder)
    }
}
