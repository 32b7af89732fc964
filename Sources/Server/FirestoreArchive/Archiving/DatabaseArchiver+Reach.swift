// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Logging

extension DatabaseArchiver {
    /// Between two notes of how far the archive reaches.
    private static let pause: Int64 = 60_000_000

    /// Notes in the archive how far it reaches, at most once a minute, so that what is missing behind that is missed. Failures are of no
    /// consequence: the next piece of the journal fails as well. Until a complete copy leads there, the archive reaches nothing new.
    ///
    /// - Parameter isLast: The database is closed: it is time for it.
    func noteReach(isLast: Bool = false) async {
        guard let writing, sight != nil, !status.isEnded else { return }
        let (now, reach) = (clock.now(), BaseName(time: writing.position, lease: writing.lease))
        guard isLast || (now - lastReach).magnitude >= Self.pause.magnitude, reaches.last != reach else { return }
        lastReach = now
        let folder = layout.history(writing.history)
        await traffic.turn()
        do throws(FirestoreError) {
            _ = try await store.put(layout.reach(reach, writing.history), ArchiveReach(reach, in: folder).bytes)
            let before = reaches
            reaches = [reach]
            // Not a newer one, which was noted meanwhile.
            for old in before where (old.time, old.lease) < (reach.time, reach.lease) {
                try await store.delete(layout.reach(old, writing.history))
            }
        } catch {
            logger.debug("the archive does not say yet how far it reaches", metadata: ["error": "\(error)"])
        }
    }
}
