// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A folder that is removed with its contents when the test releases it.
package final class ScratchFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    package var path: String { url.path }

    /// The names of the files in it, sorted.
    package var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    /// The path of a file in it, which need not exist.
    package func file(_ name: String = "test.db") -> String { url.appendingPathComponent(name).path }

    /// Writes a file and returns its path.
    package func file(_ name: String, _ text: String) throws -> String { try write(text.utf8, to: name) }

    /// Writes a file, in folders that are made for it, and returns its path.
    package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }

    package func bytes(of name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: url.appendingPathComponent(name))) }
}
