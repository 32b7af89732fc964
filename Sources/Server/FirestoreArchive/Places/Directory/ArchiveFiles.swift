// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// The files and folders of an archive. Calls block.
final class ArchiveFiles: Sendable {
    private let path: String
    private let mark = ArchiveMark()
    private let leftovers: LeftoverFiles

    init(_ path: String, _ clock: any WallClock) {
        self.path = path
        leftovers = LeftoverFiles(clock)
    }

    /// The folder of the archive, if it is the one of earlier calls.
    func root() throws(FirestoreError) -> OpenFolder {
        let root = try OpenFolder(root: path)
        try mark.check(root)
        return root
    }

    /// The folder of an object; nil if there is none.
    private func folder(of segments: [String]) throws(FirestoreError) -> OpenFolder? {
        var folder = try root()
        for segment in segments.dropLast() {
            guard let next = try folder.folder(segment) else { return nil }
            folder = next
        }
        return folder
    }

    func get(_ segments: [String]) throws(FirestoreError) -> [UInt8]? {
        guard let folder = try folder(of: segments), let name = segments.last else { return nil }
        return try folder.bytes(of: name)
    }

    func delete(_ segments: [String]) throws(FirestoreError) {
        guard let folder = try folder(of: segments), let name = segments.last, let status = try folder.status(of: name) else { return }
        guard status.st_mode & S_IFMT == S_IFREG else { throw folder.notFile(name) }
        guard unlinkat(folder.descriptor, name, 0) == 0 || errno == ENOENT else {
            throw .system("the object cannot be removed", at: folder.path(of: name))
        }
        try folder.sync()
        try removeEmptyFolders(segments.dropLast())
    }

    /// Folders without objects are removed, so that those of deleted hours and bases do not add up. A folder that another process uses
    /// meanwhile is not empty, or is created again by it.
    private func removeEmptyFolders(_ segments: ArraySlice<String>) throws(FirestoreError) {
        var segments = segments
        while let name = segments.popLast() {
            guard let parent = try folder(of: segments + [name]), unlinkat(parent.descriptor, name, AT_REMOVEDIR) == 0 else { return }
        }
    }

    func put(_ segments: [String], _ bytes: [UInt8]) throws(FirestoreError) -> Bool {
        let root = try root()
        try mark.leave(in: root)
        var attempts = 0
        while true {
            attempts += 1
            var folder = root
            do throws(FirestoreError) {
                for segment in segments.dropLast() { folder = try folder.folderOrNew(segment) }
                return try put(segments.last ?? "", bytes, in: folder)
            } catch {
                // A call that removed the last object of the folder has removed the folder, too.
                guard folder.isRemoved, attempts < Self.maximumAttempts else { throw error }
            }
        }
    }

    private static let maximumAttempts = 100

    private func put(_ name: String, _ bytes: [UInt8], in folder: OpenFolder) throws(FirestoreError) -> Bool {
        leftovers.remove(from: folder)
        if let status = try folder.status(of: name) {
            guard status.st_mode & S_IFMT == S_IFREG else { throw folder.notFile(name) }
            return false
        }
        return try NewFile.create(name, bytes, in: folder)
    }
}
