// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The batches in flight, in the order they were sent. It decides; `ImportRun` acts.
///
/// After a failure nothing new is sent. When no batch is in flight any more, the failed batch and all later ones are
/// sent again, including those that were committed: a path that occurs twice in the file ends up with its last content,
/// and a set may be repeated.
struct ImportLine: Sendable {
    enum Step: Sendable {
        /// There is room for another batch.
        case proceed
        /// Wait until a commit has ended, then ask again.
        case wait
        /// Nothing is in flight. Send `again`, or give up; then `areIn` of their documents are imported nevertheless.
        case failed(FirestoreError, again: [ImportBatch], areIn: Int)
    }

    private struct Entry: Sendable {
        let number: Int
        let batch: ImportBatch
        var result: Result<Void, FirestoreError>?
    }

    private let limits: ImportLimits
    private var entries: [Entry] = []
    private var bytes = 0
    private var lastNumber = 0
    /// The number of documents known to be imported.
    private(set) var documents = 0

    init(_ limits: ImportLimits) { self.limits = limits }

    /// Adds a batch that is about to be sent; returns its number.
    mutating func add(_ batch: ImportBatch) -> Int {
        lastNumber += 1
        entries.append(Entry(number: lastNumber, batch: batch))
        bytes += batch.weight
        return lastNumber
    }

    mutating func finish(_ number: Int, _ result: Result<Void, FirestoreError>) {
        guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
        entries[index].result = result
        while case .success? = entries.first?.result {
            let entry = entries.removeFirst()
            documents += entry.batch.count
            bytes -= entry.batch.weight
        }
    }

    /// The next step for `weight` more bytes; nil waits for the end of all batches.
    mutating func next(toSend weight: Int?) -> Step {
        let failure = entries.lazy.compactMap { entry -> FirestoreError? in
            if case .failure(let error)? = entry.result { return entry.batch.located(error) }
            return nil
        }.first
        if let failure {
            guard entries.allSatisfy({ $0.result != nil }) else { return .wait }
            defer { forget() }
            let areIn = entries.reduce(0) { count, entry in
                if case .success? = entry.result { count + entry.batch.count } else { count }
            }
            return .failed(failure, again: entries.map(\.batch), areIn: areIn)
        }
        guard let weight else { return entries.isEmpty ? .proceed : .wait }
        // A batch is sent alone whatever its size.
        let hasRoom = entries.count < limits.commitsInFlight && bytes + weight <= limits.bytesInFlight
        return entries.isEmpty || hasRoom ? .proceed : .wait
    }

    private mutating func forget() {
        entries = []
        bytes = 0
    }
}
