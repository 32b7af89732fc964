// SPDX-License-Identifier: Apache-2.0
@testable import FirestoreArchive
import FirestoreCore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct DirectoryArchiveTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private var store: DirectoryArchive { DirectoryArchive(path: folder.path) }

    @Test func `an object is a file of its name, which others cannot read, and nothing else is left`() async throws {
        #expect(try await store.put("a/b/c", [1, 2]))
        #expect(try await !store.put("a/b/c", [3]))
        #expect(try folder.bytes(of: "a/b/c") == [1, 2])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("a/b")) == ["c"])
        let rights = try FileManager.default.attributesOfItem(atPath: folder.file("a/b/c"))[.posixPermissions] as? Int
        #expect(rights == 0o600)
        #expect(folder.names == [".hearth-archive", "a"])
    }

    @Test func `folders go with their last object`() async throws {
        #expect(try await store.put("a/b/c", [1]))
        #expect(try await store.put("a/d", [1]))
        try await store.delete("a/b/c")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("a")) == ["d"])
        try await store.delete("a/d")
        #expect(folder.names == [".hearth-archive"])
    }

    @Test func `writers and removers of one folder do not disturb each other`() async throws {
        let store = store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for round in 0..<25 {
                        #expect(try await store.put("x/y/\(worker)-\(round)", [1]))
                        try await store.delete("x/y/\(worker)-\(round)")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.list("", after: nil, limit: 10).isEmpty)
    }

    // MARK: The folder itself

    @Test func `a folder that does not exist is reported and not created`() async throws {
        let store = DirectoryArchive(path: folder.file("absent"))
        await expectError(.unavailable, mentioning: "does not exist", "mount") { try await store.put("a", [1]) }
        await expectError(.unavailable) { try await store.get("a") }
        await expectError(.unavailable) { try await store.list("", after: nil, limit: 1) }
        await expectError(.unavailable) { try await store.delete("a") }
        #expect(folder.names.isEmpty)
    }

    @Test func `a folder that took the place of the archive is not written to, and the archive is recognized when it is back`() async throws {
        let (place, elsewhere) = (folder.file("mount"), folder.file("disk"))
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        let store = DirectoryArchive(path: place)
        #expect(try await store.put("a", [1]))
        try FileManager.default.moveItem(atPath: place, toPath: elsewhere)
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        await expectError(.unavailable, mentioning: "is not the one", "mounted") { try await store.put("b", [1]) }
        await expectError(.unavailable) { try await store.list("", after: nil, limit: 1) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
        try FileManager.default.removeItem(atPath: place)
        try FileManager.default.moveItem(atPath: elsewhere, toPath: place)
        #expect(try await store.put("b", [1]))
        #expect(try await store.list("", after: nil, limit: 9).map(\.name) == ["a", "b"])
    }

    @Test func `a folder that was emptied is used again`() async throws {
        let place = folder.file("place")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        let store = DirectoryArchive(path: place)
        #expect(try await store.put("a", [1]))
        for name in try FileManager.default.contentsOfDirectory(atPath: place) {
            try FileManager.default.removeItem(atPath: place + "/" + name)
        }
        #expect(try await store.list("", after: nil, limit: 9).isEmpty)
        #expect(try await store.put("b", [1]))
        #expect(try await store.list("", after: nil, limit: 9).map(\.name) == ["b"])
    }

    @Test func `reading leaves no mark`() async throws {
        #expect(try await store.list("", after: nil, limit: 1).isEmpty)
        #expect(try await store.get("a") == nil)
        #expect(folder.names.isEmpty)
    }

    // MARK: What else is in it

    @Test func `symbolic links in the archive are not followed`() async throws {
        let outside = try ScratchFolder()
        _ = try outside.file("secret", "x")
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: outside.path)
        try FileManager.default.createSymbolicLink(atPath: folder.file("file"), withDestinationPath: outside.file("secret"))
        let store = store
        await expectError(.failedPrecondition, mentioning: "link") { try await store.get("link/secret") }
        await expectError(.failedPrecondition) { try await store.put("link/new", [1]) }
        await expectError(.failedPrecondition) { try await store.get("file") }
        await expectError(.failedPrecondition) { try await store.put("file", [1]) }
        await expectError(.failedPrecondition) { try await store.delete("file") }
        #expect(try await store.list("", after: nil, limit: 9).isEmpty)
        #expect(outside.names == ["secret"])
    }

    @Test func `the archive itself may be a symbolic link`() async throws {
        let target = try ScratchFolder()
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: target.path)
        let store = DirectoryArchive(path: folder.file("link"))
        #expect(try await store.put("a", [1]))
        #expect(try target.bytes(of: "a") == [1])
    }

    @Test func `a folder in the place of an object, and an object in the place of a folder, are refused`() async throws {
        let store = store
        #expect(try await store.put("a/b", [1]))
        await expectError(.failedPrecondition, mentioning: "must be a file") { try await store.put("a", [1]) }
        await expectError(.failedPrecondition, mentioning: "must be a file") { try await store.get("a") }
        await expectError(.failedPrecondition) { try await store.put("a/b/c", [1]) }
        await expectError(.failedPrecondition) { try await store.delete("a") }
    }

    @Test func `temporary files are not listed, and removed a day after a process left them`() async throws {
        let young = try folder.write([1], to: "a/.part-1.abc.partial")
        let old = try folder.write([1], to: "a/.part-2.abc.partial")
        let now = SystemClock().now()
        let days = { (days: Int64) in Date(timeIntervalSince1970: Double(now / 1_000_000 - days * 86_400)) }
        try FileManager.default.setAttributes([.modificationDate: days(2)], ofItemAtPath: old)
        let store = DirectoryArchive(path: folder.path, clock: ManualClock(microseconds: now))
        #expect(try await store.list("", after: nil, limit: 9).isEmpty)
        #expect(FileManager.default.fileExists(atPath: old), "a listing removes nothing")
        #expect(try await store.put("a/part-3", [1]))
        #expect(!FileManager.default.fileExists(atPath: old) && FileManager.default.fileExists(atPath: young))
    }

    // MARK: Errors of the system

    @Test(arguments: [
        (ENOSPC, FirestoreError.Code.resourceExhausted, "free space"), (EDQUOT, .resourceExhausted, "free space"),
        (EROFS, .failedPrecondition, "for writing"), (EACCES, .permissionDenied, "right"), (EIO, .unavailable, "check the disk"),
        (ENOENT, .unavailable, "mounted"), (ELOOP, .failedPrecondition, "remove what else"), (ESTALE, .unavailable, "check the disk"),
    ])
    func `an error of the system says what an operator can do`(number: Int32, code: FirestoreError.Code, advice: String) {
        errno = number
        let error = FirestoreError.system("the object cannot be written", at: "/backup/a")
        #expect(error.code == code && error.message.contains(advice) && error.location == "/backup/a", "\(error)")
    }
}
