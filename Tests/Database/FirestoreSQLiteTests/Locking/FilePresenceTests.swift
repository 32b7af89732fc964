// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

/// A directory that vanishes under an open database.
@Suite struct FilePresenceTests {
    private let folder: ScratchFolder
    private var data: String { folder.file("data") }
    private var file: String { folder.file("data/test.db") }

    init() throws { folder = try ScratchFolder() }

    private func open() throws -> SQLiteStore {
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let store = try SQLiteStore.open(file: file)
        try store.put((0..<200).map { ("c/\($0)", FieldMap([("n", .integer(Int64($0)))])) })
        return store
    }

    enum Way: CaseIterable {
        case removed, moved, replaced, withoutFile, withoutLog

        func happen(_ data: String) throws {
            let manager = FileManager.default
            switch self {
            case .removed: try manager.removeItem(atPath: data)
            case .moved: try manager.moveItem(atPath: data, toPath: data + "-moved")
            case .replaced:
                try manager.copyItem(atPath: data, toPath: data + "-copy")
                try manager.removeItem(atPath: data)
                try manager.moveItem(atPath: data + "-copy", toPath: data)
            case .withoutFile: try manager.removeItem(atPath: data + "/test.db")
            case .withoutLog: try manager.removeItem(atPath: data + "/test.db-wal")
            }
        }
    }

    @Test(arguments: Way.allCases)
    func `without its files nothing is committed, reads go on, and a copy has every acknowledged commit`(way: Way) async throws {
        let store = try open()
        #expect(!store.hasLostFiles)
        try way.happen(data)
        #expect(store.hasLostFiles)
        expectImmediateError(.unavailable, mentioning: "removed, moved or unmounted", "hearth backup", "test.db") {
            try store.put(["c/lost"])
        }
        // More than there are connections: none of them may be opened anew.
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await store.read { (view: any StoreSnapshot) throws(FirestoreError) in
                        try view.documents((0..<200).map { DocumentKey(trusted: "c/\($0)") }).documents.count { $0 != nil }
                    }
                }
            }
            for try await count in group { #expect(count == 200) }
        }
        #expect(try store.get("c/7") != nil)
        #expect(try store.get("c/lost") == nil)
        #expect(try store.lookupNow([DocumentKey(trusted: "c/8")])?.documents.first.map { $0 != nil } == true)
        let copy = try store.beginCopy(to: folder.file("copy.db"))
        while try !store.step(copy) {}
        try store.close()
        let rescued = try SQLiteStore.open(file: folder.file("copy.db"))
        #expect(try rescued.paths(in: .collection(CollectionPath(trusted: "c"))).count == 200)
        try rescued.checkAndClose()
    }

    @Test func `the first commit after an interval looks by itself`() throws {
        let store = try open()
        try FileManager.default.removeItem(atPath: data)
        // Commits of a moment may be acknowledged still; none after it.
        let end = ContinuousClock.now + .seconds(30)
        var isRefused = false
        while !isRefused, ContinuousClock.now < end {
            do { try store.put(["c/late"]) } catch { isRefused = true }
        }
        #expect(isRefused)
        #expect(throws: FirestoreError.self) { try store.put(["c/later"]) }
        try store.close()
    }

    @Test func `files that are put back are found again, and commits continue`() throws {
        let store = try open()
        try FileManager.default.moveItem(atPath: data, toPath: folder.file("away"))
        #expect(store.hasLostFiles)
        #expect(throws: FirestoreError.self) { try store.put(["c/x"]) }
        try FileManager.default.moveItem(atPath: folder.file("away"), toPath: data)
        try store.put(["c/y"])
        #expect(!store.hasLostFiles)
        try store.checkAndClose()
        let next = try SQLiteStore.open(file: file)
        #expect(try next.get("c/y") != nil)
        #expect(try next.get("c/x") == nil)
        try next.checkAndClose()
    }

    @Test func `the end of a store without its files leaves those of another one at their place`() throws {
        let store = try open()
        try FileManager.default.moveItem(atPath: data, toPath: folder.file("away"))
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let other = try SQLiteStore.open(file: file)
        try other.put(["c/other"])
        try store.close()
        #expect(FileManager.default.fileExists(atPath: file + "-wal"))
        try other.put(["c/another"])
        try other.checkAndClose()
        let next = try SQLiteStore.open(file: file)
        #expect(try next.get("c/other") != nil)
        #expect(try next.get("c/another") != nil)
        try next.checkAndClose()
    }

    @Test func `a database in memory has no files to lose`() throws {
        let store = try SQLiteStore.memory()
        #expect(!store.hasLostFiles)
        try store.put(["c/a"])
        try store.checkAndClose()
    }
}
