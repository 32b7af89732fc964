// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreArchive

/// What an archive says about a backup.
struct KeptBaseTests {
    private static let layout = ArchiveLayout(DatabaseID(projectID: "test"))

    private static func kept(until: Int64 = 2, created: Int64 = 1, documents: Int = 3) -> KeptBase {
        var kept = KeptBase(id: "b", history: "00000000000000ff", base: "x", until: until, created: created)
        kept.documents = documents
        return kept
    }

    private static func read(_ kept: KeptBase, as id: String = "b") throws(FirestoreError) -> KeptBase {
        try KeptBase.read(ArchiveJSON.bytes(kept), name: layout.kept + id, in: layout)
    }

    @Test func `it is read as it was written`() throws {
        #expect(try Self.read(Self.kept()) == Self.kept())
    }

    // OT-14
    @Test func `one with another name, or with impossible times or counts, is damaged`() {
        #expect(throws: FirestoreError.self) { try Self.read(Self.kept(), as: "c") }
        for kept in [Self.kept(until: .max), Self.kept(created: .min), Self.kept(documents: -1)] {
            #expect(throws: FirestoreError.self, "\(kept)") { try Self.read(kept) }
        }
    }

    @Test func `one that names no copy cannot be restored`() {
        let error = #expect(throws: FirestoreError.self) { try Self.kept().plan(in: Self.layout) }
        #expect(error?.code == .dataLoss)
    }
}
