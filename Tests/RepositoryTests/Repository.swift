// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The files of this repository, found from this file's own path.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    struct File: CustomStringConvertible, Sendable {
        /// Relative to the root.
        let path: String

        var description: String { path }

        var text: String {
            get throws { try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8) }
        }

        /// For scans that look at bytes: in a debug build a hundred times as fast as characters.
        var bytes: [UInt8] {
            get throws { [UInt8](try Data(contentsOf: Repository.root.appendingPathComponent(path))) }
        }

        var lines: [Substring] {
            // By bytes: splitting by characters takes most of a minute in a debug build.
            get throws {
                try text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Substring($0) }
            }
        }
    }

    /// Files with one of these extensions below the folders, sorted; folders that start with a dot are not ours.
    static func files(in folders: [String], withExtensions extensions: Set<String>) -> [File] {
        folders.flatMap { folder -> [File] in
            let walk = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
            var found: [File] = []
            while let path = walk?.nextObject() as? String {
                if (path as NSString).lastPathComponent.hasPrefix(".") {
                    walk?.skipDescendants()
                } else if extensions.contains((path as NSString).pathExtension) {
                    found.append(File(path: folder.isEmpty ? path : "\(folder)/\(path)"))
                }
            }
            return found
        }
        .sorted { $0.path < $1.path }
    }

    /// The files written by hand. Only the rules about imports and the trait apply to generated ones.
    static let swiftFiles = allSwiftFiles.filter { !$0.path.contains("/Generated/") }
    static let allSwiftFiles = files(
        in: ["Sources", "Plugins", "Console", "Tests", "Benchmarks", "Examples", "dev"], withExtensions: ["swift"])
    static let markdownFiles = files(in: [""], withExtensions: ["md"])
    static let pythonFiles = files(in: ["Tests", "Benchmarks", "Examples", "dev"], withExtensions: ["py"])

    static func text(of path: String) throws -> String { try File(path: path).text }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }
}
