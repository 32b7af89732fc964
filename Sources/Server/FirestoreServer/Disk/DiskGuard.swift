// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import FirestoreCore
import Foundation
package import Logging

/// Keeps the disk of the databases from filling: below a bound, callers under rules can only delete. Administrators can do everything.
///
/// A file of some megabytes is a reserve: it is given back to the system when the disk is full all the same, so that deletes still fit.
package final class DiskGuard: WriteAdmission {
    /// Free and total bytes of the disk that a path is on; nil if they cannot be found out.
    package typealias Look = @Sendable (_ path: String) -> (free: Int64, total: Int64)?

    package static let reserveName = "hearth.reserve"
    private static let interval = DispatchTimeInterval.seconds(2)
    /// Below this much, the reserve is given back.
    private static let almostNothing: Int64 = 16 << 20

    private struct State {
        var isLow = false
        var hasWarned = false
        var free: Int64 = .max
        var timer: (any DispatchSourceTimer)?
        var presence: DataPresence?
    }

    private let directory: String
    private let least: Int64?
    private let reserveBytes: Int64
    private let look: Look
    private let log: Logger
    private let state = Mutex(State())

    /// - Parameters:
    ///   - least: The free bytes below which writes are refused; nil for 1 GiB or 2 % of the disk, the smaller of the two.
    ///   - reserveBytes: The size of the reserve; 0 for none.
    package init(
        directory: String, least: Int64? = nil, reserveBytes: Int64 = 64 << 20, look: @escaping Look = DiskGuard.system, log: Logger
    ) {
        self.directory = directory
        self.least = least
        self.reserveBytes = reserveBytes
        self.look = look
        self.log = log
    }

    /// What the system says. What only root could use does not count.
    package static let system: Look = { path in
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let block = Int64(status.f_frsize)
        return (Int64(clamping: status.f_bavail) * block, Int64(clamping: status.f_blocks) * block)
    }

    /// Nothing is made in the directory while it is another one than the server has locked.
    package func follow(_ presence: DataPresence) { state.withLock { $0.presence = presence } }

    // MARK: Looking

    /// Looks now, and then every other second until `stop`.
    package func start() {
        check()
        state.withLock { $0.timer = startTimer() }
    }

    private func startTimer() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(200))
        timer.setEventHandler { [weak self] in self?.check() }
        timer.resume()
        return timer
    }

    package func stop() {
        state.withLock { state in
            state.timer?.cancel()
            state.timer = nil
        }
    }

    /// Looks at the disk.
    package func check() {
        guard let (free, total) = look(directory) else { return }
        let least = least ?? min(1 << 30, total / 50)
        let (wasLow, isLow, warns) = state.withLock { state in
            let wasLow = state.isLow
            state.free = free
            state.isLow = free < least
            let warns = free < 2 * least && !state.hasWarned
            state.hasWarned = free < 2 * least
            return (wasLow, state.isLow, warns)
        }
        let metadata: Logger.Metadata = ["free": "\(free)", "bound": "\(least)", "directory": "\(directory)"]
        if isLow, !wasLow {
            log.error("the disk is nearly full: writes of callers under rules are refused, and deletes continue", metadata: metadata)
        } else if wasLow, !isLow {
            log.notice("the disk has room again: writes continue", metadata: metadata)
        } else if warns {
            log.warning("the disk fills", metadata: metadata)
        }
        keepReserve(free: free, least: least)
    }

    private func keepReserve(free: Int64, least: Int64) {
        guard reserveBytes > 0, state.withLock({ $0.presence })?.isLost != true else { return }
        let path = directory + "/" + Self.reserveName
        if free < min(Self.almostNothing, least) {
            if unlink(path) == 0 {
                log.error("the disk is full: the reserve is given back, so that deletes fit", metadata: ["bytes": "\(reserveBytes)"])
            }
        } else if free > 2 * least + reserveBytes, access(path, F_OK) != 0 {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return }
            defer { close(descriptor) }
            if posix_fallocate(descriptor, 0, off_t(reserveBytes)) != 0 { unlink(path) }
        }
    }

    // MARK: What follows

    package func admit(_ writes: [Write], for caller: RequestContext.Caller) throws(FirestoreError) {
        guard state.withLock({ $0.isLow }) else { return }
        if case .administrator = caller { return }
        guard writes.contains(where: \.operation.adds) else { return }
        throw FirestoreError(
            .resourceExhausted, "the disk of the server is nearly full, so only deletes are possible; its operator has to make room")
    }

    /// Free bytes when the disk was looked at last; nil before that.
    package var free: Int64? { state.withLock { $0.free == .max ? nil : $0.free } }

    /// Whether writes are refused.
    package var isLow: Bool { state.withLock { $0.isLow } }
}

extension Write.Operation {
    /// Whether it may make a database larger.
    var adds: Bool {
        switch self {
        case .set, .patch: true
        case .delete, .verify: false
        }
    }
}
