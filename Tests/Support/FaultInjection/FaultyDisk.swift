// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import GRDBSQLite

/// The disk under one database, as SQLite sees it, which can be made to fail at any call.
///
/// Syncs do not reach the real disk; their effect is recorded in memory, so that a loss of power can be played.
package final class FaultyDisk: Sendable {
    private struct State {
        var schedule = FaultSchedule()
        var openFiles = 0
        var unsynced: [String: UnsyncedChanges] = [:]
        /// Whether changes are written down, for a loss.
        var remembers = false

        mutating func synced(_ file: OpenFile) {
            unsynced[file.path, default: UnsyncedChanges()].synced()
            if file.syncsDirectory { namesSynced() }
        }

        mutating func namesSynced() {
            for path in unsynced.keys { unsynced[path]?.nameSynced() }
        }
    }

    private let state = Mutex(State())
    /// The database file; its journals are on the same disk.
    let path: String

    /// From here on every connection opened to this file goes over this disk.
    package init(under path: String) {
        self.path = path
        FaultyVFS.shared.watch(self)
    }

    /// The database goes back to the ordinary disk. Only when it is closed.
    package func remove() { FaultyVFS.shared.forget(self) }

    /// Starts counting again, towards a fault.
    package func arm(_ fault: Fault?) {
        state.withLock { state in
            state.schedule.arm(fault)
            state.unsynced = [:]
            state.remembers = fault?.kind.losesUnsynced ?? false
        }
    }

    /// The disk works again.
    package func lift() { state.withLock { $0.schedule.lift() } }

    package var hasStruck: Bool { state.withLock { $0.schedule.hasStruck } }
    package var isDead: Bool { state.withLock { $0.schedule.isDead } }
    package var openFiles: Int { state.withLock { $0.openFiles } }
    package var calls: [DiskCall: Int] { state.withLock { $0.schedule.counts } }

    /// Starts the machine again after a death: what was lost is gone, and the disk works. Every file must be closed.
    package func restart() throws {
        let (unsynced, fault) = state.withLock { state in
            defer { state = State() }
            return (state.unsynced, state.schedule.fault)
        }
        guard let fault, fault.kind == .powerLoss || fault.kind == .scatteredPowerLoss else { return }
        for (path, changes) in unsynced {
            let file = URL(fileURLWithPath: path)
            if changes.isNew {
                try? FileManager.default.removeItem(at: file)
            } else if let content = changes.deleted ?? (try? Data(contentsOf: file)).map({ [UInt8]($0) }) {
                let left = changes.afterLoss(of: content, keepingEverySecond: fault.kind == .scatteredPowerLoss)
                try Data(left).write(to: file)
            }
        }
    }

    // MARK: Calls of SQLite

    /// Asks whether a call that changes nothing may proceed; nil if so.
    func refusal(of call: DiskCall) -> Int32? {
        state.withLock { state in
            if case .fail(let code) = state.schedule.decide(call) { code } else { nil }
        }
    }

    func opened(_ path: String, isNew: Bool) {
        state.withLock { state in
            state.openFiles += 1
            if isNew, state.remembers { state.unsynced[path, default: UnsyncedChanges()].created() }
        }
    }

    func closed() { state.withLock { $0.openFiles -= 1 } }

    func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile, at offset: Int) -> Int32 {
        state.withLock { state in
            let verdict = state.schedule.decide(.write)
            if case .fail(let code) = verdict { return code }
            if state.remembers {
                state.unsynced[file.path, default: UnsyncedChanges()].wrote(
                    [UInt8](bytes), over: file.content(from: offset, count: bytes.count), at: offset, oldSize: file.size)
            }
            guard case .tear(let code) = verdict else { return file.put(bytes, at: offset) }
            _ = file.put(UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 2)), at: offset)
            return code
        }
    }

    func truncate(_ file: OpenFile, to size: Int) -> Int32 {
        state.withLock { state in
            if case .fail(let code) = state.schedule.decide(.truncate) { return code }
            if state.remembers {
                state.unsynced[file.path, default: UnsyncedChanges()].truncated(
                    to: size, losing: file.content(from: size, count: max(0, file.size - size)))
            }
            return file.cut(to: size)
        }
    }

    func sync(_ file: OpenFile) -> Int32 {
        state.withLock { state in
            switch state.schedule.decide(.sync) {
            case .fail(let code): return code
            case .lose(let code):
                let left = state.unsynced[file.path]?.afterLoss(of: file.content(from: 0, count: file.size))
                if let left {
                    _ = left.withUnsafeBytes { file.put($0, at: 0) }
                    _ = file.cut(to: left.count)
                }
                state.unsynced[file.path] = nil
                return code
            case .pass, .tear:
                if state.remembers { state.synced(file) }
                return SQLITE_OK
            }
        }
    }

    func delete(_ path: String, durably: Bool, _ body: () -> Int32) -> Int32 {
        state.withLock { state in
            if case .fail(let code) = state.schedule.decide(.delete) { return code }
            let content = state.remembers ? (try? Data(contentsOf: URL(fileURLWithPath: path))).map { [UInt8]($0) } : nil
            let result = body()
            if result == SQLITE_OK, let content {
                state.unsynced[path, default: UnsyncedChanges()].deleted(content)
                if durably { state.namesSynced() }
            }
            return result
        }
    }
}
