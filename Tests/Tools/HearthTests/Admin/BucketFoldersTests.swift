// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import hearth

/// Where the admin API may export to, and import from.
struct BucketFoldersTests {
    private let folder: ScratchFolder
    private let folders: BucketFolders

    init() throws {
        folder = try ScratchFolder()
        folders = BucketFolders([try MappedBucket("exports=\(folder.path)/exports")], data: folder.path + "/data")
    }

    // OT-40
    @Test func `a bucket is its folder`() throws {
        let path = try folders.folder(of: "gs://exports/2026/a/")
        #expect(path.hasSuffix("/exports/2026/a"))
    }

    @Test(arguments: [
        ("gs://other/a", FirestoreError.Code.notFound), ("gs://exports/../a", .invalidArgument), ("gs://exports/a/../../b", .invalidArgument),
        ("gs://exports//a", .invalidArgument), ("gs://exports/./a", .invalidArgument), ("gs://", .invalidArgument), ("/tmp", .invalidArgument),
        ("file:///tmp", .invalidArgument), ("", .invalidArgument), ("GS://exports/a", .invalidArgument),
    ])
    func `other places are refused`(uri: String, expected: FirestoreError.Code) {
        let error = #expect(throws: FirestoreError.self) { try folders.folder(of: uri) }
        #expect(error?.code == expected)
    }

    @Test func `no link leads out of a bucket`() throws {
        _ = try folders.folder(of: "gs://exports/a")
        for (name, target) in [("out", folder.path), ("nowhere", "/nonexistent/place")] {
            try FileManager.default.createSymbolicLink(atPath: folder.path + "/exports/" + name, withDestinationPath: target)
            let error = #expect(throws: FirestoreError.self) { try folders.folder(of: "gs://exports/\(name)/a") }
            #expect(error?.code == .permissionDenied)
        }
    }

    @Test func `a path of this machine must be below a folder of the server`() throws {
        #expect(try folders.folder(atPath: folder.path + "/data/exports/a").hasSuffix("/data/exports/a"))
        #expect(try folders.folder(atPath: folder.path + "/exports/a").hasSuffix("/exports/a"))
        for path in ["/tmp/a", folder.path + "/data", folder.path + "/data/../a", folder.path + "/database/a"] {
            let error = #expect(throws: FirestoreError.self) { try folders.folder(atPath: path) }
            #expect(error?.code == .permissionDenied, "\(path)")
        }
    }

    @Test(arguments: ["", "=", "a=", "=/tmp", "A=/tmp", "a/b=/tmp", "a b=/tmp"])
    func `a bucket has a name and a folder`(text: String) {
        #expect(throws: (any Error).self) { try MappedBucket(text) }
    }

    @Test func `a bucket has one folder`() throws {
        #expect(try MappedBucket.all(["a=/x", "b=/y=z"]).map(\.folder) == ["/x", "/y=z"])
        #expect(throws: (any Error).self) { try MappedBucket.all(["a=/x", "a=/y"]) }
    }
}
