// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import FirestoreCore

/// An archive in a folder, which is usually on another disk or machine.
///
/// The folder must exist: if its disk is not mounted, the objects must not be written to the disk below. A mark that the first write
/// leaves in the folder is compared with every call, because a mount point exists without its disk, too. An object gets its name when it is
/// complete and synchronized; until then its file has a temporary name that begins with a dot.
///
/// Calls block threads of a queue, never those of Swift concurrency: a file system on a network can hang.
package final class DirectoryArchive: ArchiveStore {
    package let path: String
    private let files: ArchiveFiles
    private let queue = DispatchQueue(label: "hearth.archive.directory", qos: .utility, attributes: .concurrent)

    /// Does not look at the folder yet.
    package init(path: String, clock: any WallClock = SystemClock()) {
        self.path = path
        files = ArchiveFiles(path, clock)
    }

    package var description: String { path }

    package func put(_ name: String, _ bytes: [UInt8]) async throws(FirestoreError) -> Bool {
        let segments = try ArchiveName.segments(of: name)
        return try await onThread { [files] () throws(FirestoreError) in try files.put(segments, bytes) }
    }

    package func get(_ name: String) async throws(FirestoreError) -> [UInt8]? {
        let segments = try ArchiveName.segments(of: name)
        return try await onThread { [files] () throws(FirestoreError) in try files.get(segments) }
    }

    package func list(_ prefix: String, after: String?, limit: Int) async throws(FirestoreError) -> [ArchiveObject] {
        try await onThread { [files] () throws(FirestoreError) in
            var listing = FolderListing(files, prefix: prefix, after: after, limit: limit)
            return try listing.run()
        }
    }

    package func delete(_ name: String) async throws(FirestoreError) {
        let segments = try ArchiveName.segments(of: name)
        try await onThread { [files] () throws(FirestoreError) in try files.delete(segments) }
    }

    private func onThread<R: Sendable>(
        _ body: @escaping @Sendable () throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        let result: Result<R, FirestoreError> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }
}
