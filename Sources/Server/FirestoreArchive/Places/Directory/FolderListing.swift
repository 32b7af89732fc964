// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// Lists the objects below a folder in the order of their names, and reads only folders that can contain some of them.
struct FolderListing {
    private let files: ArchiveFiles
    private let prefix: String
    private let after: String?
    private let limit: Int
    private var found: [ArchiveObject] = []

    init(_ files: ArchiveFiles, prefix: String, after: String?, limit: Int) {
        self.files = files
        self.prefix = prefix
        self.after = after
        self.limit = limit
    }

    mutating func run() throws(FirestoreError) -> [ArchiveObject] {
        let root = try files.root()
        guard limit > 0 else { return [] }
        // Goes straight to the folder that the prefix names, through folders that may have many entries.
        var folder = root
        var path = ""
        for segment in prefix.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropLast() {
            let name = String(decoding: segment, as: UTF8.self)
            guard ArchiveName.isValid(name), try folder.hasFolder(name), let next = try folder.folder(name) else { return [] }
            folder = next
            path += name + "/"
        }
        try add(folder, path)
        return found
    }

    /// A name in a folder, with a slash at the end if it is itself a folder: so entries sort like the names of the objects below them.
    private struct Entry {
        let name: String
        let path: String
        let size: Int?
    }

    /// - Parameter path: The beginning of the names of all objects in the folder.
    private mutating func add(_ folder: OpenFolder, _ path: String) throws(FirestoreError) {
        for entry in try entries(of: folder, path) {
            if let size = entry.size {
                found.append(ArchiveObject(name: entry.path, size: size))
            } else if let next = try folder.folder(entry.name) {
                try add(next, entry.path)
            }
            if found.count >= limit { return }
        }
    }

    private func entries(of folder: OpenFolder, _ path: String) throws(FirestoreError) -> [Entry] {
        var entries: [Entry] = []
        for name in try folder.names() where ArchiveName.isValid(name) && ArchiveName.isValid(path + name) {
            let (asFile, asFolder) = (path + name, path + name + "/")
            guard mayMatch(folder: asFolder) || matches(asFile) else { continue }
            // It may have been removed meanwhile.
            guard let status = try folder.status(of: name) else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFREG where matches(asFile): entries.append(Entry(name: name, path: asFile, size: Int(status.st_size)))
            case S_IFDIR where mayMatch(folder: asFolder): entries.append(Entry(name: name, path: asFolder, size: nil))
            default: break
            }
        }
        return entries.sorted { ArchiveName.precedes($0.path, $1.path) }
    }

    private func matches(_ name: String) -> Bool {
        name.utf8.starts(with: prefix.utf8) && (after.map { ArchiveName.precedes($0, name) } ?? true)
    }

    /// Whether a folder can contain objects of the listing.
    private func mayMatch(folder path: String) -> Bool {
        guard path.utf8.starts(with: prefix.utf8) || prefix.utf8.starts(with: path.utf8) else { return false }
        guard let after else { return true }
        return ArchiveName.precedes(after, path) || after.utf8.starts(with: path.utf8)
    }
}
