// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Passes the rows of another pipeline behind its own.
final class UnionStage: RowReceiver {
    private let other: CheckedPipeline
    private let holder: RowHolder
    private let next: any RowReceiver
    private var isStopped = false

    init(_ other: CheckedPipeline, _ holder: RowHolder, _ next: any RowReceiver) {
        (self.other, self.holder, self.next) = (other, holder, next)
    }

    func take(_ row: Row) throws(FirestoreError) -> ScanStep {
        let step = try next.take(row)
        isStopped = step == .stop
        return step
    }

    func end() throws(FirestoreError) {
        guard !isStopped else { return }
        // The variables belong to the rows of this pipeline; those of the other one have none of them.
        for slot in holder.slots { holder.execution.frame[slot] = .absent }
        try PipelineRun.run(other, below: nil, holder.execution) { [next] (row) throws(FirestoreError) in try next.take(row) }
    }
}
