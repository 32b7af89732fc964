// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine

/// What a database knows of its archive: the lease under which it was archived last. Stored as a fact before the lease is taken, so that a
/// server that ends in between recognizes it.
struct ArchiveRecord: Codable, Hashable {
    static let fact = "hearth/archive"
    /// The reader of the log.
    static let hold = "archive"

    /// Where the archive is.
    let place: String
    let history: String
    let lease: Int
    let holder: String

    static func read(_ engine: Engine) async throws(FirestoreError) -> ArchiveRecord? {
        // A record of a newer version is ignored; the lease in the archive decides.
        try await engine.fact(fact).flatMap { try? ArchiveJSON.read($0.array, name: fact) }
    }

    func store(in engine: Engine) async throws(FirestoreError) {
        try await engine.setFact(Self.fact, ByteSlice(ArchiveJSON.bytes(self)))
    }
}
