// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage

extension EngineCore {
    /// Whether a read has to wait for pending commits: those submitted before it, if it must see them, or those whose times may
    /// still fall before its moment. Acknowledged commits are visible to every read without waiting.
    func mustWait(for moment: ReadMoment, seesSubmitted: Bool) throws(FirestoreError) -> Bool {
        switch moment {
        case .latest: return seesSubmitted
        case .past(let time):
            committer.commitAfter(passed(time))
            return seesSubmitted || time > hub.published
        // A transaction that has its snapshot does not have to wait.
        case .transaction(let id): return try snapshot(of: id) == nil && seesSubmitted
        }
    }

    /// Reads after the wait that `mustWait` demanded.
    func read<Operation: ReadOperation>(
        _ operation: Operation, at moment: ReadMoment, meter: CallMeter? = nil
    ) async throws(FirestoreError) -> Timed<Operation.Answer> {
        switch moment {
        case .latest:
            let (answer, time) = try await operation.latest(in: store)
            return Timed(answer: answer, time: time)
        case .past(let time):
            // While nothing is committed, the latest state ages and can still be read.
            guard time.microseconds >= clock.now() - retention || time >= hub.published else { throw tooOld(time) }
            // Another process may be about to commit at this time.
            if isShared, time > hub.published { try await store.settle(time) }
            return Timed(answer: try await answer(of: operation, at: time), time: time)
        case .transaction(let id):
            return try await read(operation, in: id, meter: meter)
        }
    }

    /// The answer at a past moment (QR-48).
    func answer<Operation: ReadOperation>(
        of operation: Operation, at time: DocumentVersion
    ) async throws(FirestoreError) -> Operation.Answer {
        let now = clock.now()
        let (hasClock, tooOld) = (store.traits.hasClock, tooOld(time))
        return try await operation.read(store) { (snapshot: any StoreSnapshot) throws(FirestoreError) in
            guard time < snapshot.readTime else {
                // Commit times may be ahead of the clock. A store with a clock has compared the time with it.
                guard hasClock || time.microseconds <= max(now, snapshot.readTime.microseconds) else { throw .future }
                return try operation.answer(from: snapshot)
            }
            guard try snapshot.logFloor().microseconds <= time.microseconds + 1 else { throw tooOld }
            return try operation.answer(from: snapshot, at: time)
        }
    }

    private func tooOld(_ time: DocumentVersion) -> FirestoreError {
        FirestoreError(
            .failedPrecondition,
            "the read time lies before the retention window of the change log; take a later one\(pastReadAdvice(time))")
    }

    /// The moment if it is not later than the clock: only such a moment may advance commit times.
    private func passed(_ time: DocumentVersion) -> DocumentVersion {
        min(time, DocumentVersion(microseconds: clock.now()))
    }
}

extension FirestoreError {
    fileprivate static let future = FirestoreError.invalidArgument(
        "the read time lies in the future; take one within the retention window")
}
