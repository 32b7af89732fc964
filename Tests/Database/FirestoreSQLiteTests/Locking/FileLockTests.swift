// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

@Suite struct FileLockTests {
    @Test("a second opener is rejected and learns who has the file")
    func refusal() throws {
        let directory = try ScratchFolder()
        let path = try StorePath(preparing: directory.file())
        var first: FileLock? = try FileLock(for: path)
        expectImmediateError(.failedPrecondition, mentioning: "pid \(getpid())", "serve", "test.db") { try FileLock(for: path) }
        withExtendedLifetime(first) {}
        first = nil
        _ = try FileLock(for: path)
    }

    @Test("a lock is released even if another process has inherited the descriptor")
    func inherited() throws {
        let directory = try ScratchFolder()
        let path = try StorePath(preparing: directory.file())
        var first: FileLock? = try FileLock(for: path)
        withExtendedLifetime(first) {}
        // What a child process has between fork and exec: the same open file.
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        let own = try #require(
            descriptors.first { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path.path + ".lock" })
        let inherited = dup(own)
        defer { close(inherited) }
        first = nil
        _ = try FileLock(for: path)
    }

    @Test("all ways to a file have one name")
    func canonical() throws {
        let directory = try ScratchFolder()
        let manager = FileManager.default
        let real = try StorePath(preparing: directory.file("real/deep/test.db"))
        #expect(manager.fileExists(atPath: directory.file("real/deep")))
        try manager.createSymbolicLink(atPath: directory.file("alias"), withDestinationPath: directory.file("real"))
        try manager.createSymbolicLink(atPath: directory.file("link.db"), withDestinationPath: "real/deep/test.db")
        for other in ["real/deep/../deep/test.db", "alias/deep/test.db", "link.db", "real//deep/./test.db"] {
            #expect(try StorePath(preparing: directory.file(other)) == real, "\(other)")
        }
        #expect(
            try StorePath(preparing: directory.file("real/deep/te\u{301}st.db"))
                != StorePath(preparing: directory.file("real/deep/t\u{E9}st.db")))
    }

    @Test("an invalid path is rejected")
    func invalid() throws {
        let directory = try ScratchFolder()
        expectImmediateError(.invalidArgument) { try StorePath(preparing: "") }
        try Data().write(to: URL(fileURLWithPath: directory.file("plain")))
        expectImmediateError(.permissionDenied, mentioning: "plain") { try StorePath(preparing: directory.file("plain/test.db")) }
        try FileManager.default.createSymbolicLink(atPath: directory.file("a"), withDestinationPath: "b")
        try FileManager.default.createSymbolicLink(atPath: directory.file("b"), withDestinationPath: "a")
        expectImmediateError(.failedPrecondition, mentioning: "cycle") { try StorePath(preparing: directory.file("a")) }
    }
}
