// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Identifies a state of a file without reading it.
struct FileStamp: Equatable {
    var device: UInt64
    var inode: UInt64
    var size: Int64
    /// Seconds and nanoseconds of the last change of the content, and of the last change of the file's entry.
    var modified: [Int]
    var changed: [Int]

    /// nil if the file does not exist. Follows links, as containers mount their configuration.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Darwin)
            let (content, entry) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (content, entry) = (status.st_mtim, status.st_ctim)
        #endif
        modified = [Int(content.tv_sec), Int(content.tv_nsec)]
        changed = [Int(entry.tv_sec), Int(entry.tv_nsec)]
    }
}

/// Decides when a file that changes is whole. A file that was renamed into place is; one that is being written is when it has not
/// changed for a while. Both look the same from outside, so both wait.
struct FileSettling {
    enum Decision: Equatable {
        case nothing
        /// The file has changed and is whole. To be answered with `took`.
        case read
        /// The file was removed.
        case missing
    }

    /// Time without changes after which a file is whole, in microseconds.
    static let quietTime: Int64 = 200_000

    /// The state that was read last.
    private var taken: FileStamp?
    private var candidate: (stamp: FileStamp?, since: Int64)?

    init(taken: FileStamp?) { self.taken = taken }

    /// `now`: in microseconds, of a clock that is never set back.
    mutating func observe(_ stamp: FileStamp?, now: Int64) -> Decision {
        guard stamp != taken else {
            candidate = nil
            return .nothing
        }
        guard let candidate, candidate.stamp == stamp else {
            candidate = (stamp, now)
            return .nothing
        }
        guard now - candidate.since >= Self.quietTime else { return .nothing }
        if stamp == nil {
            took(nil)
            return .missing
        }
        return .read
    }

    /// The file was read in this state.
    mutating func took(_ stamp: FileStamp?) {
        taken = stamp
        candidate = nil
    }
}
