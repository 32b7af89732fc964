// SPDX-License-Identifier: Apache-2.0

/// Where a watch of one target can go on. Only the service that gave it out looks inside.
package enum ResumeToken: Sendable, Hashable {
    /// Of the engine: everything up to this time is known. Every service can go on from a time, at the cost of telling again
    /// what it has told since.
    case time(DocumentVersion)
    /// Of a server: bytes that mean something to it alone.
    case opaque(ByteSlice)
}

/// The state of a target that the watcher knows already (LS-4, LS-5).
package struct WatchResumption: Sendable, Hashable {
    /// The state as of this token.
    package var token: ResumeToken
    /// The watcher can compare keys: it wants those of the whole result, and where removals are not known any more, the
    /// comparison will do (`WatchBatch.Basis.partial`).
    package var wantsKeys: Bool

    package init(token: ResumeToken, wantsKeys: Bool = false) {
        self.token = token
        self.wantsKeys = wantsKeys
    }

    /// The time the token stands for; nil for one that only a server can read. A service begins anew where it cannot go on.
    package var time: DocumentVersion? { if case .time(let time) = token { time } else { nil } }

    /// The state as of a time.
    package init(time: DocumentVersion, wantsKeys: Bool = false) { self.init(token: .time(time), wantsKeys: wantsKeys) }
}
