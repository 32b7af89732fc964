// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Passes the rows of another pipeline behind its own.
final class UnionStage: RowReceiver {
    private let other: CheckedPipeline
    private let execution: Execution
    private let next: any RowReceiver
    private var isStopped = false

    init(_ other: CheckedPipeline, _ execution: Execution, _ next: any RowReceiver) {
        (self.other, self.execution, self.next) = (other, execution, next)
    }

    func take(_ row: Row) throws(FirestoreError) -> ScanStep {
        let step = try next.take(row)
        isStopped = step == .stop
        return step
    }

    func end() throws(FirestoreError) {
        if !isStopped {
            try PipelineRun.run(other, below: nil, execution) { [next] (row) throws(FirestoreError) in try next.take(row) }
        }
        try next.end()
    }
}
