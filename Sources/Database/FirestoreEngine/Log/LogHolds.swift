// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage

/// The readers of the change log that must not miss a commit, and how far each has read: the log is not cut behind them.
///
/// Stored as facts, so that a process that opens the database without these readers knows them as well. A reader that is too far behind is
/// dropped; it finds the log cut, and begins anew.
enum LogHolds {
    static let facts = "hearth/log-holds/"..<"hearth/log-holds0"

    static func key(_ name: String) -> String { facts.lowerBound + name }

    static func value(_ time: DocumentVersion) -> ByteSlice { ByteSlice(Array("\(time.microseconds)".utf8)) }

    /// The time of a fact; nil if it is not one.
    static func time(_ bytes: UnsafeRawBufferPointer) -> DocumentVersion? {
        Int64(String(decoding: bytes, as: UTF8.self)).map { DocumentVersion(microseconds: $0) }
    }

    /// The moment up to which the log may be cut: `horizon`, or the earliest place of a reader. Readers before `limit` are dropped.
    static func horizon(
        _ horizon: DocumentVersion, notBefore limit: DocumentVersion, in transaction: any FactTransaction
    ) throws(FirestoreError) -> DocumentVersion {
        var (earliest, dropped) = (horizon, [String]())
        try transaction.facts(in: facts) { key, bytes in
            // Everything after that place is needed.
            guard let time = time(bytes), time < earliest else { return }
            if time < limit { dropped.append(key) } else { earliest = time }
        }
        for key in dropped { try transaction.setFact(key, nil) }
        return earliest
    }
}
