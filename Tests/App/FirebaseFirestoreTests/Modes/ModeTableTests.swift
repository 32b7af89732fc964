// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import TestSupport
import Testing

/// The table of what not every mode can do: complete, needed, and what docs/reference/modes.md says.
@Suite struct ModeTableTests {
    private static let root = repositoryRoot
    private static let page = "docs/reference/modes.md"

    @Test func `docs/reference/modes.md equals the table`() throws {
        let text = ModeTable.page
        let file = Self.root.appendingPathComponent(Self.page)
        if ProcessInfo.processInfo.environment["HEARTH_WRITE_MODES"] == "1" {
            try Data(text.utf8).write(to: file)
            print("\(Self.page) is written")
        } else {
            let written = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            let isSame = written.utf8.elementsEqual(text.utf8)
            #expect(isSame, "\(Self.page) is not what the table says: make pages")
        }
    }

    @Test func `each entry is in the list, once, is used by a test, and leaves a mode out`() throws {
        var sources = ""
        for folder in ["App/FirebaseFirestoreTests", "App/CompatibilityTests", "Support/ModeSupport"] {
            let place = Self.root.appendingPathComponent("Tests/\(folder)")
            for case let file as URL in try #require(FileManager.default.enumerator(at: place, includingPropertiesForKeys: nil))
            where file.pathExtension == "swift" && file.lastPathComponent != "ModeTable.swift" {
                sources += try String(contentsOf: file, encoding: .utf8)
            }
        }
        let place = Self.root.appendingPathComponent("Tests/Support/ModeSupport/ModeTable.swift")
        let table = try String(contentsOf: place, encoding: .utf8)
        let ids = ModeTable.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(table.components(separatedBy: " = ModeTable.Entry(").count - 1 == ids.count)
        for entry in ModeTable.all {
            #expect(table.contains("static let \(entry.id) = ModeTable.Entry("), "\(entry.id)")
            #expect(
                ["only(.", "can(.", "without(.", "only: ."].contains { sources.contains("\($0)\(entry.id)") },
                "no test needs \(entry.id)")
            #expect(entry.modes.contains(.embedded) && (entry.modes.count < Mode.allCases.count || entry.cache != .any), "\(entry.id)")
        }
    }
}

/// What is said where an entry of the table does not hold.
@Suite struct ModeRefusalTests {
    let db = Scratch.firestore()

    @Test(.without(.indexes)) func `indexes cannot be managed, and there is no manager`() async {
        #expect(isFailure(await failure { try await db.setIndexConfiguration(#"{"indexes":[]}"#) }, .unimplemented))
        #expect(isFailure(await failure { try await db.indexConfiguration() }, .unimplemented))
        #expect(isFailure(await failure { try await db.waitForIndexes() }, .unimplemented))
        // A cache on disk, the default of the settings, has a manager, which says that it has no effect.
        let isOnDisk = Mode.current == .loopback || ModeCache.current == .disk
        #expect((db.persistentCacheIndexManager == nil) == !isOnDisk)
    }

    @Test(.without(.bundles)) func `a mode without bundles rejects a bundle with a reason`() async {
        let error = await failure { try await db.loadBundle(BundleText(project: "demo").data) }
        #expect(isFailure(error, .unknown, naming: "embedded"))
        #expect(await db.getQuery(named: "all") == nil)
    }

    @Test(.without(.explaining)) func `in a mode without explanations explain fails as unimplemented`() async {
        #expect(isFailure(await failure { try await db.collection("a").explain() }, .unimplemented))
    }

    @Test(.without(.files)) func `the cache of a server's client is cleared only before the first use`() async throws {
        try await db.clearPersistence()
        try await db.document("a/b").setData(["n": 1])
        #expect(isFailure(await failure { try await db.clearPersistence() }, .failedPrecondition))
        try await db.terminate()
        try await db.clearPersistence()
    }
}

extension Trait where Self == ConditionTrait {
    /// Only in the modes that an entry of the table leaves out.
    fileprivate static func without(_ entry: ModeTable.Entry) -> Self {
        .enabled(if: !Mode.can(entry), "\(Mode.current.rawValue) has it")
    }
}

extension ModeTable {
    /// docs/reference/modes.md
    static var page: String {
        let introduction = """
            # Modes of the suite

            `Tests/App/FirebaseFirestoreTests`, the suite of the public API, runs unchanged in four modes; `HEARTH_MODE` selects one.

            | Mode | Implementation of `Firestore` |
            |---|---|
            | `embedded` | the engine in the process of the tests; the default |
            | `loopback` | the client of a server and the server's methods in one process, gRPC without a socket |
            | `server` | `hearth serve`, another process, over a socket |
            | `emulator` | Google's official emulator (Google Cloud CLI 528.0.0) over a socket, which verifies that the client speaks the official protocol |

            In front of a server there can be a cache, as in an app: `HEARTH_MODE_CACHE` is `off` (the default), `memory` or `disk`. `dev/test modes`
            writes it behind a plus sign: `server+memory`.

            `make test` runs the first, and a few suites of `server`; `make check` runs `loopback`, `server` with and without a cache, and two nodes
            over PostgreSQL behind a proxy (`nodes`); `make test-modes` all but the first, and the
            emulator without a cache and with one on disk if it is installed (it reports if it is not). `HEARTH_EMULATOR=127.0.0.1:8080` names a
            running emulator. In the modes with a server each test uses a separate project and a separate cache, and the server ends with the tests.

            Features that are not available in every mode are listed here, with the reason. Everything else works in all modes. Generated from
            [ModeTable.swift](../../Tests/Support/ModeSupport/ModeTable.swift) by `make pages`; a test fails when it is out of date.

            | Id | Only in | Reason |
            |---|---|---|
            """
        let rows = all.map { entry in
            let modes = entry.modes.map(\.rawValue).joined(separator: ", ")
            let cache =
                switch entry.cache {
                case .any: ""
                case .extends: ", any server with a cache"
                case .excludes: ", without a cache"
                }
            return "| \(entry.id) | \(modes)\(cache) | \(entry.reason) |"
        }
        return ([introduction] + rows).joined(separator: "\n") + "\n"
    }
}
