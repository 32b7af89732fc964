import Dispatch
import FirestoreCore

/// What the thread of an import and the service's threads share.
final class ImportTraffic: Sendable {
    private let line: Mutex<ImportLine>
    private let end = Mutex(End())
    private let somethingIsOver = DispatchSemaphore(value: 0)

    private struct End {
        /// In, although something before them is not.
        var stragglers = 0
        var hasGivenUp = false
        var isCancelled = false
    }

    init(_ limits: ImportLimits) { line = Mutex(ImportLine(limits)) }

    /// Documents known to be in.
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

    /// There is one signal for each commit, so that some come late; who waits looks again.
    func waitForSomething() { somethingIsOver.wait() }

    func send(_ batch: ImportBatch, through plan: DocumentImport) {
        let number = line.withLock { $0.add(batch) }
        plan.service.submit(batch.writes, context: plan.context) { [self] result in
            line.withLock { $0.finish(number, result.map { _ in }) }
            somethingIsOver.signal()
        }
    }
}
