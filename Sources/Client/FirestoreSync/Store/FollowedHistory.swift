// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

/// The history of the authority's database that its tokens name (`DatabaseHistory.mark`), and the run of it (`DatabaseRuns`).
struct FollowedHistory: Hashable {
    var history: UInt32
    /// nil while the tokens name none.
    var run: UInt32?

    /// nil for a token that names no history.
    init?(_ token: ByteSlice) {
        guard !token.isEmpty, let token = ListenToken(token), let history = token.history else { return nil }
        (self.history, run) = (history, token.run)
    }

    init(history: UInt32, run: UInt32? = nil) { (self.history, self.run) = (history, run) }

    /// nil for other bytes.
    init?(stored bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 8 else { return nil }
        func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }
        history = number(bytes[..<4])
        run = bytes.count == 8 ? number(bytes[4...]) : nil
    }

    var stored: [UInt8] {
        [history, run].compactMap(\.self).flatMap { number in withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) } }
    }
}

/// Whether the authority's database continues what the cache knows, when its tokens name another run of the same history.
///
/// The authority was opened again, or its file was put back as it was earlier. It says which of the two by the way it answers targets that
/// are resumed with the newest token of the cache: it resets them if it does not have the commit of that token.
struct ContinuationEvidence {
    enum Verdict {
        case continues, differs
        /// No target has been answered that would show it.
        case open
    }

    /// The targets that were resumed on this stream with the newest token, until they are answered.
    private var asked: Set<TargetID> = []
    private var isContinued = false
    private var isReset = false
    /// Whether tokens name another run, and no target has shown which it is: snapshots wait until one has.
    var isUndecided = false

    /// A target was requested. `newest`: the last snapshot that the cache has.
    mutating func requested(_ target: TargetData, newest: DocumentVersion) {
        asked.remove(target.targetID)
        guard let token = ListenToken(target.resumeToken), token.run != nil, token.time >= newest,
            token.laggards[target.targetID] == nil
        else { return }
        asked.insert(target.targetID)
    }

    mutating func withdrawn(_ id: TargetID) { asked.remove(id) }

    mutating func changed(_ change: TargetChange) {
        for id in change.targets where asked.contains(id) {
            switch change.kind {
            case .reset: isReset = true
            case .current: isContinued = true
            case .remove: break
            default: continue
            }
            asked.remove(id)
        }
    }

    /// Without a target that shows it, the cache begins anew: that is always right.
    var verdict: Verdict { isReset ? .differs : isContinued ? .continues : asked.isEmpty ? .differs : .open }
}
