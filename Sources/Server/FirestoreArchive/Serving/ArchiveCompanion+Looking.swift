// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
package import FirestoreServer
import Logging

extension ArchiveCompanion {
    /// The archives of closed databases that are looked at in a minute.
    private static let closedAtATime = 10

    /// Looks whether the archive still has what was stored in it, of open databases, and in turn of closed ones. What is lost is archived
    /// anew.
    package func look(_ databases: DatabaseRegistry) async {
        let isEmptied = await isEmptied()
        for archiver in archivers.values {
            await archiver.noteReach()
            await archiver.look()
        }
        for (database, sight) in nextClosed(isEmptied ? .max : Self.closedAtATime) {
            if Task.isCancelled { return }
            guard (try? await sight.isThere(in: store)) == false else { continue }
            // Its archiver finds what is missing, and makes a copy. One that cannot be opened is reported when a caller asks for it.
            guard let service = try? await databases.openExisting(database) else { continue }
            await archiver(of: database)?.whenCurrent()
            withExtendedLifetime(service) {}
        }
    }

    /// Whether the mark of the archive is gone, which is left again.
    private func isEmptied() async -> Bool {
        let check = ArchiveKeyCheck(store)
        do throws(FirestoreError) {
            guard try await !check.isMarked() else { return false }
            log.error("the archive was emptied, or made anew, while the server ran: everything is archived again")
            _ = try await check.checkOrLeave()
            return true
        } catch {
            // The archivers say it.
            return false
        }
    }
}

extension DatabaseArchiver {
    private static let pause = Duration.milliseconds(50)
    private static let mostPauses = 600

    /// Returns when everything is archived and what was lost has a new copy, or neither can be, or after so many pauses.
    func whenCurrent(waiting pauses: Int = mostPauses) async {
        for _ in 0..<pauses {
            if Task.isCancelled || status.isCurrent && !status.isLost || status.problem != nil || status.isEnded { return }
            try? await Task.sleep(for: Self.pause)
        }
    }
}
