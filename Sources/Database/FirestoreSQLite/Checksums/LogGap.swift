// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// A damaged place in the log that a process has left, with commits behind it.
///
/// SQLite takes the first frame without its checksum for the end of the log, as a failure of the machine leaves it. But each commit waits
/// for the disk before the next one begins, so at most one commit can be behind such an end. Two of them show that the frame was right
/// once, and that what follows was acknowledged.
struct LogGap: Equatable {
    /// The place in the log, which is the end of what can be read.
    let offset: Int64
    /// The commits that follow.
    let commits: Int

    /// Rejects a log with a gap: opening the database would remove it.
    static func check(_ path: StorePath, _ errors: StoreErrors) throws(FirestoreError) {
        guard let gap = find(in: path.path + "-wal") else { return }
        let log = path.path + "-wal"
        throw FirestoreError(
            .dataLoss,
            "the log of the database is damaged at byte \(gap.offset), and \(gap.commits) commits behind that would be lost; restore the "
                + "database from a backup, or copy both files and give up these commits: truncate -s \(gap.offset) \(log)", at: log)
    }

    static func find(in log: String) -> LogGap? {
        // Not locked by SQLite, whose locks are on other files.
        guard let file = try? FileHandle(forReadingFrom: URL(fileURLWithPath: log)) else { return nil }
        defer { try? file.close() }
        guard let header = try? file.read(upToCount: LogFrame.logHeaderSize), header.count == LogFrame.logHeaderSize else { return nil }
        var search = Search(header: [UInt8](header))
        guard search.frameSize > LogFrame.headerSize else { return nil }
        while let bytes = try? file.read(upToCount: search.frameSize), bytes.count == search.frameSize { search.take(bytes) }
        return search.gap
    }

    private struct Search {
        let frameSize: Int
        private let salts: UInt64
        private let isSwapped: Bool
        /// What the next frame continues if the log is right up to it.
        private var end: LogFrame.Checksum?
        /// What the frame before says that it continues.
        private var last: LogFrame.Checksum
        private var offset = Int64(LogFrame.logHeaderSize)
        private var gapOffset: Int64?
        private var commits = 0
        /// Frames behind the gap. Each continues the one before it, except that the damage may be in the checksum of the first.
        private var framesBehind = 0
        private var isOver = false

        init(header: [UInt8]) {
            func number(_ place: Int) -> UInt32 { header[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) } }
            // A damaged header hides all of the log, so what the search needs of it is believed where it is possible.
            let size = Int(number(8))
            let isPossible = (512...65_536).contains(size) && size & (size - 1) == 0
            frameSize = (isPossible ? size : SQLiteSettings.pageSize) + LogFrame.headerSize
            salts = UInt64(number(16)) << 32 | UInt64(number(20))
            isSwapped = number(0) & 1 == 1
            let checksum = header.withUnsafeBytes {
                LogFrame.Checksum().extended(by: $0, count: LogFrame.logChecksumPlace, isSwapped: number(0) & 1 == 1)
            }
            last = header.withUnsafeBytes { LogFrame.Checksum($0, at: LogFrame.logChecksumPlace) }
            end = checksum == last ? checksum : nil
            if end == nil { gapOffset = 0 }
        }

        mutating func take(_ bytes: Data) {
            bytes.withUnsafeBytes { frame in
                let page = UnsafeRawBufferPointer(rebasing: frame[LogFrame.headerSize...])
                let stored = LogFrame.Checksum(frame, at: LogFrame.checksumPlace)
                let isOfThisLog = UInt64(bigEndian: frame.loadUnaligned(fromByteOffset: 8, as: UInt64.self)) == salts
                let isCommit = frame.loadUnaligned(fromByteOffset: 4, as: UInt32.self) != 0
                if let end, isOfThisLog, stored == extended(end, by: frame, page) {
                    self.end = stored
                } else {
                    if gapOffset == nil { gapOffset = offset }
                    let continues = stored == extended(last, by: frame, page)
                    // Frames of an earlier log have other salts. If the header is damaged, its salts may be; and the damage may be in the
                    // salts of the first frame, which its checksum does not cover.
                    let isBehind = isOfThisLog || gapOffset == 0 || framesBehind == 0 && continues
                    // What is left of rejected commits begins and ends somewhere.
                    if framesBehind > 1, !continues { isOver = true }
                    if !isOver, isCommit, isBehind, continues || framesBehind == 0 { commits += 1 }
                    framesBehind += 1
                    end = nil
                }
                last = stored
                offset += Int64(frame.count)
            }
        }

        private func extended(
            _ checksum: LogFrame.Checksum, by frame: UnsafeRawBufferPointer, _ page: UnsafeRawBufferPointer
        ) -> LogFrame.Checksum {
            checksum.extended(by: frame, count: 8, isSwapped: isSwapped).extended(by: page, count: page.count, isSwapped: isSwapped)
        }

        var gap: LogGap? {
            guard let gapOffset, commits >= 2 else { return nil }
            return LogGap(offset: gapOffset, commits: commits)
        }
    }
}
