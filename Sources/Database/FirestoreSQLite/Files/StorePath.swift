// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import Foundation

/// The canonical path of a file: absolute, without symbolic links. It defines "the same database" in a process.
package struct StorePath: Sendable {
    package let path: String

    /// Resolves links, including the last one even if its target does not exist yet, and creates missing directories.
    ///
    /// `isPrivate`: directories that it creates can be entered by their owner only, whatever the process's umask.
    package init(preparing path: String, isPrivate: Bool = false) throws(FirestoreError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .invalidArgument("a database needs a file path that is not empty")
        }
        var current = path
        for _ in 0..<40 {
            let directory = Self.directory(of: current)
            do {
                if isPrivate {
                    try Self.createPrivateDirectory(directory)
                } else {
                    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
                }
            } catch {
                throw FirestoreError(
                    .permissionDenied, "the directory of the database cannot be created; create it or give another path",
                    at: current, cause: error)
            }
            guard let real = realpath(directory, nil) else {
                throw FirestoreError(.failedPrecondition, "the directory of the database cannot be found", at: current)
            }
            defer { free(real) }
            let root = String(cString: real)
            let resolved = (root == "/" ? "" : root) + "/" + Self.name(of: current)
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: resolved) else {
                self.path = resolved
                return
            }
            current = target.hasPrefix("/") ? target : root + "/" + target
        }
        throw FirestoreError(.failedPrecondition, "the path contains a cycle of symbolic links", at: path)
    }

    private static func createPrivateDirectory(_ directory: String) throws {
        if FileManager.default.fileExists(atPath: directory) { return }
        let parent = Self.directory(of: directory)
        if parent != directory { try createPrivateDirectory(parent) }
        guard mkdir(directory, 0o700) == 0 else {
            if errno == EEXIST { return }
            throw CocoaError(.fileWriteNoPermission)
        }
        chmod(directory, 0o700)
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func name(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }
}

extension StorePath: Hashable {
    // File names are bytes: composed and decomposed spellings are different files.
    package static func == (left: StorePath, right: StorePath) -> Bool { left.path.utf8.elementsEqual(right.path.utf8) }
    package func hash(into hasher: inout Hasher) { hashUTF8(path, into: &hasher) }
}
