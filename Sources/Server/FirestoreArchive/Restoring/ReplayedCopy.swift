// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreStorage

/// A copy out of an archive, on which the journal is repeated.
actor ReplayedCopy {
    private let replay: DatabaseReplay
    /// The last settings in the journal.
    private var settings: [UInt8]?

    /// Opens the file. Fails if it is not a copy of that history.
    init(_ file: String, of database: DatabaseID, history: UInt64, isDraft: Bool = false) throws(FirestoreError) {
        replay = try DatabaseReplay(file, of: database, isDraft: isDraft)
        guard replay.history?.number == history else {
            try? replay.close()
            throw FirestoreError(.dataLoss, "the copy is one of another history than its name says", at: file)
        }
    }

    /// The last commit.
    var time: DocumentVersion { replay.time }

    func apply(_ segment: ArchiveSegment, upTo limit: DocumentVersion?) throws(FirestoreError) {
        guard segment.through > replay.time else { return }
        let commits = limit.map { limit in Array(segment.commits.prefix { $0.time <= limit }) } ?? segment.commits
        try replay.apply(commits)
        if commits.count == segment.commits.count, let newer = segment.settings { settings = newer }
    }

    /// Completes the database: its settings, and its name if it gets another one.
    ///
    /// - Parameter adjust: Changes the settings that it had; nil leaves them.
    func finish(
        as name: DatabaseID?, adjusting adjust: (@Sendable (inout DatabaseSettings) -> Void)? = nil
    ) throws(FirestoreError) {
        if let settings, let read = DatabaseSettings(settings) { try replay.set(read) }
        if let adjust {
            var adjusted = try replay.settings()
            adjust(&adjusted)
            try replay.set(adjusted)
        }
        if let name { try replay.rename(to: name) }
        try replay.close()
    }

    func close() { try? replay.close() }
}
