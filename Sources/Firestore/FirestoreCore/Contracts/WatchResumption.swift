// SPDX-License-Identifier: Apache-2.0

/// Where a watch of one target can resume. Only the service that issued it interprets it.
package enum ResumeToken: Sendable, Hashable {
    /// Issued by the engine: everything up to this time is known. Every service can resume from a time, at the cost of sending
    /// changes again.
    case time(DocumentVersion)
    /// Issued by a server: opaque bytes.
    case opaque(ByteSlice)
}

/// The state of a target that the watcher already knows (LS-4, LS-5).
package struct WatchResumption: Sendable, Hashable {
    /// The state as of this token.
    package var token: ResumeToken
    /// Whether the watcher can compare keys: it wants those of the whole result, and where removals are no longer known, the
    /// comparison is sufficient (`WatchBatch.Basis.partial`).
    package var wantsKeys: Bool

    /// The history that the token names; nil if it names none. It may have been cut before the time of the token.
    package var history: UInt32?
    /// The run of that history that the token names; nil if it names none.
    package var run: UInt32?

    package init(token: ResumeToken, wantsKeys: Bool = false, history: UInt32? = nil, run: UInt32? = nil) {
        self.token = token
        self.wantsKeys = wantsKeys
        self.history = history
        self.run = run
    }

    /// The time of the token; nil for one that only a server can read. A service that cannot resume starts from the beginning.
    package var time: DocumentVersion? { if case .time(let time) = token { time } else { nil } }

    /// The state as of a time.
    package init(time: DocumentVersion, wantsKeys: Bool = false, history: UInt32? = nil, run: UInt32? = nil) {
        self.init(token: .time(time), wantsKeys: wantsKeys, history: history, run: run)
    }

    /// Whether the state is one of a database with this history.
    package func isKnown(in history: DatabaseHistory?) -> Bool {
        guard let history, let mark = self.history, let time else { return true }
        return history.includes(mark, run: run, at: time)
    }
}
