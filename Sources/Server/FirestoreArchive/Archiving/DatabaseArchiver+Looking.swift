// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Logging

extension DatabaseArchiver {
    /// Looks whether the archive still has the last copy and the last piece of the journal. What is lost is archived anew, and said.
    package func look() async {
        guard let writing, let sight, !status.isEnded else { return }
        do throws(FirestoreError) {
            if try await sight.isThere(in: store) { return seen() }
            // What is old is gathered in other objects, and removed.
            let catalog = try await ArchiveCatalog.load(layout, from: store)
            guard self.sight == sight, self.writing?.lease == writing.lease else { return }
            if catalog.has(writing) {
                self.sight = catalog.sight(of: writing.history, lease: writing.lease)
                return seen()
            }
            lose()
        } catch {
            if status.unseenSince == nil { status.unseenSince = status.lastSeen ?? clock.now() }
            status.failures += 1
            note(error, 1)
        }
    }

    private func seen() {
        status.lastSeen = clock.now()
        guard !status.isLost else { return }
        if status.unseenSince != nil { status.problem = nil }
        status.unseenSince = nil
    }

    /// Begins again with what is there, in the next round of the loop.
    private func lose() {
        noteLoss()
        isToBeginAgain = true
        wakeUp()
    }

    /// Says that the archive has lost what it had. Until it has a new copy, nothing can be restored.
    func noteLoss() {
        guard !status.isLost else { return }
        status.isLost = true
        status.unseenSince = status.unseenSince ?? status.lastSeen ?? clock.now()
        status.failures += 1
        logger.error("the archive is lost", metadata: ["error": "\(FirestoreError.lostArchive(layout))"])
    }

    /// The archive has everything again.
    func noteRecovery() {
        status.lastSeen = clock.now()
        status.unseenSince = nil
        guard status.isLost else { return }
        status.isLost = false
        logger.notice("the archive is complete again: it has a new copy")
    }
}

extension ArchiveCatalog {
    /// Whether the archive has a lease, and leads from a copy to the place at which the journal is continued.
    func has(_ writing: SegmentWriting) -> Bool {
        guard leases.contains(where: { $0.number >= writing.lease }), let base = bases(of: writing.history).last else { return false }
        return reaches(writing.position, from: base, of: writing.history)
    }

    /// What is looked for from now on.
    func sight(of history: UInt64, lease: Int) -> ArchiveSight {
        ArchiveSight(
            lease: layout.lease(lease), copy: bases(of: history).last.map { layout.manifest(of: $0, history) },
            piece: lastSegment(of: history).map { layout.segment($0, history) })
    }
}
