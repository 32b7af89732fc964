// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import Foundation

/// Whether the files of an open database are still those that its path names.
///
/// The files of a directory that is removed, moved or unmounted stay open: everything continues as if nothing had happened, and ends with
/// the process. So the file and its log are compared with what their paths name, by device and inode: two calls of the system, together
/// about two microseconds.
package final class FilePresence: Sendable {
    private struct State {
        /// The log, once it was seen.
        var log: FileIdentity?
        var isLost = false
        /// When it was looked last, in nanoseconds of the system's uptime.
        var looked: UInt64 = 0
    }

    /// How long a look counts for commits, in nanoseconds.
    static let interval: UInt64 = 100_000_000

    private let path: String
    private let file: FileIdentity?
    private let state = Mutex(State())

    /// Call it when the file is open.
    package init(_ path: String) {
        self.path = path
        file = FileIdentity(path)
        look()
    }

    /// Looks now. Returns whether a file is missing or another one. A directory that is put back is found again.
    @discardableResult
    package func look() -> Bool {
        let began = DispatchTime.now().uptimeNanoseconds
        let (now, log) = (FileIdentity(path), FileIdentity(path + "-wal"))
        return state.withLock { state in
            // Another look that began later knows more.
            guard began >= state.looked else { return state.isLost }
            // A file whose identity was never known is not judged.
            state.isLost = file != nil && (now != file || (state.log != nil && log != state.log))
            if !state.isLost { state.log = state.log ?? log }
            state.looked = began
            return state.isLost
        }
    }

    /// Looks, unless that was done a moment ago and found the files.
    package func lookAgain() -> Bool {
        let now = DispatchTime.now().uptimeNanoseconds
        let isFresh = state.withLock { !$0.isLost && now &- $0.looked < Self.interval }
        return isFresh ? false : look()
    }

    /// What the last look has found.
    package var isLost: Bool { state.withLock { $0.isLost } }
}
