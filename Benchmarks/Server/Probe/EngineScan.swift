// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine

/// The whole collection, page by page, inside the process: what a server's streaming is measured against.
struct EngineScan {
    private let engine: Engine
    private let documents: Int

    init(directory: String, documents: Int) async throws {
        engine = try ProbeDatabase.open(path: directory + "/scan.sqlite", durability: .relaxed)
        self.documents = documents
        try await ProbeDatabase.write(documents, to: engine)
    }

    /// Documents per second.
    func rate() async throws -> Double {
        let query = StructuredQuery(scope: .collection(ProbeDatabase.collection))
        let found = Mutex(0)
        let start = ContinuousClock.now
        try await engine.run(query, options: .acknowledged(), context: ProbeDatabase.context) { page in
            found.withLock { $0 += page.documents.count }
            return .next
        }
        let elapsed = (ContinuousClock.now - start).components
        let count = found.withLock { $0 }
        guard count == documents else { throw ProbeFailure("\(count) documents") }
        return Double(count) / (Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18)
    }

    func close() async { await engine.shutdown() }
}
