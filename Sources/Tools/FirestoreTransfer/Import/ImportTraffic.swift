// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore

/// The state shared by the thread of an import and the service's threads.
final class ImportTraffic: Sendable {
    private let line: Mutex<ImportLine>
    private let end = Mutex(End())
    private let somethingIsOver = DispatchSemaphore(value: 0)

    private struct End {
        /// Documents that are imported although an earlier batch is not.
        var stragglers = 0
        var hasGivenUp = false
        var isCancelled = false
    }

    init(_ limits: ImportLimits) { line = Mutex(ImportLine(limits)) }

    /// The number of documents known to be imported.
    var documents: Int { line.withLock { $0.documents } + end.withLock { $0.stragglers } }
    var hasGivenUp: Bool { end.withLock { $0.hasGivenUp } }
    var isCancelled: Bool { end.withLock { $0.isCancelled } }

    func next(toSend weight: Int?) -> ImportLine.Step { line.withLock { $0.next(toSend: weight) } }

    func giveUp(_ areIn: Int) {
        end.withLock {
            $0.stragglers = areIn
            $0.hasGivenUp = true
        }
    }

    func cancel() { end.withLock { $0.isCancelled = true } }

    /// There is one signal per commit, and some arrive late; the waiting thread checks again.
    func waitForSomething() { somethingIsOver.wait() }

    func send(_ batch: ImportBatch, through plan: DocumentImport) {
        let number = line.withLock { $0.add(batch) }
        plan.service.submit(batch.writes, context: plan.context) { [self] result in
            line.withLock { $0.finish(number, result.map { _ in }) }
            somethingIsOver.signal()
        }
    }
}
