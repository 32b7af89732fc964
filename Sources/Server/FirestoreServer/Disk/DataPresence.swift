// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
package import Logging

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Whether the data directory of a server is still the one that it has locked, and the files in it those that are open.
///
/// What is open remains, whatever becomes of the directory, until the process ends: nothing is committed any more, reads go on, and a copy
/// can be made. So nothing is opened, made anew or closed meanwhile.
package final class DataPresence: Sendable {
    private struct State {
        /// The directory and its lock file; nil before they are locked.
        var held: [FileIdentity?]?
        var wasLost = false
        var timer: (any DispatchSourceTimer)?
        /// Whether an open database has lost its files.
        var look: (@Sendable () -> Bool)?
    }

    package let directory: String
    private let log: Logger
    private let state = Mutex(State())

    package init(directory: String, log: Logger) { (self.directory, self.log) = (directory, log) }

    private var found: [FileIdentity?] { [FileIdentity(directory), FileIdentity(directory + "/" + DataDirectory.lockName)] }

    /// The directory is locked now. Looks each second until `stop`.
    ///
    /// - Parameter files: Whether an open database has lost its files.
    package func start(files: @escaping @Sendable () -> Bool) {
        let found = found
        state.withLock { state in
            state.held = found
            state.look = files
        }
        state.withLock { $0.timer = startTimer() }
    }

    private func startTimer() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        timer.schedule(deadline: .now() + .seconds(1), repeating: .seconds(1), leeway: .milliseconds(100))
        timer.setEventHandler { [weak self] in self?.check() }
        timer.resume()
        return timer
    }

    package func stop() {
        state.withLock { state in
            state.timer?.cancel()
            state.timer = nil
            state.look = nil
        }
    }

    /// Whether the directory is missing or another one. Asks the system: some microseconds.
    package var isLost: Bool {
        let found = found
        return state.withLock { $0.held.map { $0 != found } ?? false }
    }

    /// Whether the directory or a file in it is missing or another one. Always looks at the files: from then on none of them commits.
    package var hasLostAnything: Bool {
        let hasLostFiles = state.withLock { $0.look }?() ?? false
        return hasLostFiles || isLost
    }

    /// Looks, and logs what has changed.
    package func check() {
        let isLost = hasLostAnything
        let hasChanged = state.withLock { state in
            defer { state.wasLost = isLost }
            return state.wasLost != isLost
        }
        guard hasChanged else { return }
        if isLost {
            log.critical(
                """
                the data directory, or a file in it, was removed, moved or unmounted: nothing is committed any more, and reads go on; \
                do not end this process before you have copied each database to another disk with \
                `hearth backup`, or put the same files back
                """, metadata: ["directory": "\(directory)"])
        } else {
            log.notice("the data directory is there again: commits continue", metadata: ["directory": "\(directory)"])
        }
    }

    /// The error of what would open or make files.
    var error: FirestoreError {
        FirestoreError(
            .unavailable,
            "the data directory was removed, moved or unmounted while the server runs, so no database is opened or made; those that "
                + "are open can be read, and copied with `hearth backup`", at: directory)
    }
}
