// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
@testable import FirestoreTransfer
import Foundation
import TestSupport
import Testing

struct ExportFolderTests {
    static let database = DatabaseID(projectID: "library")

    private func write(_ documents: [TransferredDocument], _ path: String, replacing: Bool = false, bytesPerFile: Int64 = 1 << 30) throws {
        let output = try ExportFolderOutput(path, replacing: replacing, database: Self.database, bytesPerFile: bytesPerFile)
        for document in documents { try output.write(document) }
        try output.finish()
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `random documents come back from a folder, from one file or from many`(seed: UInt64) throws {
        let folder = try ScratchFolder()
        var random = RandomDocuments(seed: seed, database: Self.database)
        let documents = random.documents(40)
        try write(documents, folder.file("one"))
        try write(documents, folder.file("many"), bytesPerFile: 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("many/all_namespaces/all_kinds")).count == 41)
        for name in ["one", "many"] {
            let found = try FixtureTests.documents(folder.file(name), into: Self.database)
            #expect(found == documents)
        }
        // The same documents, the same bytes.
        try write(documents, folder.file("again"))
        for file in ["firestore_export.overall_export_metadata", ExportFolder.partMetadata, "all_namespaces/all_kinds/output-0"] {
            #expect(try folder.bytes(of: "one/" + file) == folder.bytes(of: "again/" + file))
        }
    }

    @Test func `an export without documents is one`() throws {
        let folder = try ScratchFolder()
        try write([], folder.file("empty"))
        #expect(try FixtureTests.documents(folder.file("empty")) == [])
    }

    @Test func `an unfinished export leaves nothing behind, and existing files stay`() throws {
        let folder = try ScratchFolder()
        var random = RandomDocuments(seed: 1, database: Self.database)
        let documents = random.documents(3)
        do {
            let output = try ExportFolderOutput(folder.file("half"), replacing: false, database: Self.database)
            try output.write(documents[0])
            #expect(folder.names.count == 1)
        }
        #expect(folder.names == [])
        try write(documents, folder.file("whole"))
        let refused = try #require(throws: FirestoreError.self) { try write([], folder.file("whole")) }
        #expect(refused.code == .alreadyExists)
        #expect(try FixtureTests.documents(folder.file("whole")).count == 3)
        try write([documents[1]], folder.file("whole"), replacing: true)
        #expect(try FixtureTests.documents(folder.file("whole")).map(\.key) == [documents[1].key])
        #expect(folder.names == ["whole"])
    }

    @Test func `nothing but an export is replaced`() throws {
        let folder = try ScratchFolder()
        try FileManager.default.createDirectory(atPath: folder.file("home"), withIntermediateDirectories: false)
        try write([], folder.file("home"), replacing: true)
        _ = try folder.write([1], to: "file")
        try FileManager.default.createDirectory(atPath: folder.file("other/deep"), withIntermediateDirectories: true)
        for name in ["file", "other"] {
            let error = try #require(throws: FirestoreError.self) { try write([], folder.file(name), replacing: true) }
            #expect(error.code == .failedPrecondition)
        }
        #expect(folder.names == ["file", "home", "other"])
    }

    @Test func `a part that is missing or cut off between two records is noticed`() throws {
        let folder = try ScratchFolder()
        var random = RandomDocuments(seed: 2, database: Self.database)
        try write(random.documents(5), folder.file("export"), bytesPerFile: 1)
        let last = "export/all_namespaces/all_kinds/output-4"
        _ = try folder.write([], to: last)
        let cut = try #require(throws: FirestoreError.self) { try FixtureTests.documents(folder.file("export")) }
        #expect(cut.code == .dataLoss)
        #expect(cut.message.contains("it should contain 5 documents, but contains 4"))
        try FileManager.default.removeItem(atPath: folder.file(last))
        let missing = try #require(throws: FirestoreError.self) { try FixtureTests.documents(folder.file("export")) }
        #expect(missing.code == .notFound)
        #expect(missing.location == folder.file(last))
    }

    @Test func `files outside of the folder are not read`() throws {
        for path in ["../x", "/etc/passwd", "a/../../b", "", "a//b", "./a", "..\\x", "a\\..\\..\\b", "a/..\\b", "\\\\host\\x", ".\\a"] {
            let error = try #require(throws: FirestoreError.self) { try ExportFolder.resolve(path, beside: "export/file") }
            #expect(error.code == .dataLoss, "\(path)")
        }
        #expect(try ExportFolder.resolve("a/b", beside: "export/file") == "export/a/b")
        #expect(try ExportFolder.resolve("b", beside: "file") == "b")
        #expect(try ExportFolder.resolve("a\\b", beside: "export/file") == "export/a/b")
    }

    @Test func `an export that was written on Windows is read`() throws {
        let folder = try ScratchFolder()
        var random = RandomDocuments(seed: 4, database: Self.database)
        let documents = random.documents(5)
        try write(documents, folder.file("export"))
        let name = "export/firestore_export.overall_export_metadata"
        var metadata = try OverallExportMetadata(file: folder.file(name))
        metadata.parts[0].path = metadata.parts[0].path.replacing("/", with: "\\")
        let writer = RecordLogWriter(try OutputFile(folder.file(name), replacing: true))
        try writer.append([UInt8](OverallExportMetadata.version.utf8))
        try writer.append(metadata.bytes)
        try writer.finish()
        #expect(try OverallExportMetadata(file: folder.file(name)).parts[0].path.contains("\\"))
        #expect(try FixtureTests.documents(folder.file("export"), into: Self.database) == documents)
    }

    @Test func `a back-slash in a name is a character where the file has that name`() throws {
        let folder = try ScratchFolder()
        _ = try folder.write([], to: "a\\b")
        #expect(try ExportFolder.resolve("a\\b", beside: folder.file("file")) == folder.file("a\\b"))
    }

    @Test func `metadata that is damaged is rejected`() throws {
        let folder = try ScratchFolder()
        var generator = SeededGenerator(seed: 3)
        try write([], folder.file("export"))
        for file in ["export/firestore_export.overall_export_metadata", "export/" + ExportFolder.partMetadata] {
            let bytes = try folder.bytes(of: file)
            for _ in 0..<300 {
                var damaged = bytes
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    damaged[Int.random(in: 0..<damaged.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
                }
                _ = try folder.write(damaged, to: file)
                // The result is either a `FirestoreError` or an export.
                do throws(FirestoreError) {
                    var input = try ExportFolderInput(folder.file("export"), database: Self.database)
                    while try input.next() != nil {}
                } catch {
                    #expect([.dataLoss, .notFound, .invalidArgument].contains(error.code), "\(error)")
                }
            }
            _ = try folder.write(bytes, to: file)
        }
    }
}
