// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The contents of a database's lock file: the history of the file beside it and the time of a commit in it.
///
/// If the file has another history, or lacks that commit, it was exchanged.
enum HistoryRecord: Equatable {
    /// There was no lock file, or it is unreadable.
    case unknown
    /// The lock file is from before histories had numbers.
    case earlier
    case known(history: UInt64, lastCommit: DocumentVersion)

    private static let label = "history"

    /// The note of a lock file that says nothing yet. Unlike an empty note, it does not come from an earlier version.
    static let unknownNote = "unknown\n"

    /// Reads the note of a lock file; nil: the lock file is new.
    init(note: String?) {
        guard let note else {
            self = .unknown
            return
        }
        guard !note.utf8.isEmpty else {
            self = .earlier
            return
        }
        let words = note.utf8.prefix { $0 != UInt8(ascii: "\n") }.split(separator: UInt8(ascii: " ")).map { Substring($0) }
        guard words.count == 3, words[0] == Self.label, words[1].utf8.count == 16, let history = UInt64(words[1], radix: 16),
            let time = Int64(words[2]), time >= 0
        else {
            self = .unknown
            return
        }
        self = .known(history: history, lastCommit: DocumentVersion(microseconds: time))
    }

    var note: String {
        switch self {
        case .unknown: return Self.unknownNote
        case .earlier: return ""
        case .known(let history, let lastCommit):
            let digits = String(history, radix: 16)
            let padding = String(repeating: "0", count: 16 - digits.utf8.count)
            return "\(Self.label) \(padding)\(digits) \(lastCommit.microseconds)\n"
        }
    }

    /// Whether a file with this history and this last commit is the one that the lock file was beside.
    func fits(_ history: UInt64, _ lastCommit: DocumentVersion) -> Bool {
        switch self {
        case .unknown: false
        case .earlier: true
        case .known(let known, let time): known == history && time <= lastCommit
        }
    }
}
