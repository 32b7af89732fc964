import FirestoreCore

/// The batches on their way, in the order they were sent. Decides; `ImportRun` does.
///
/// When one has failed nothing new is sent. Once the others are over it is sent again, and everything behind it too, whether
/// that had gone in or not: a path that stands in the file twice ends up as the file says, and a set may be repeated.
struct ImportLine: Sendable {
    enum Step: Sendable {
        /// There is room for another batch.
        case proceed
        /// Wait until something is over, then ask again.
        case wait
        /// Nothing is on its way. Send these again, or give up; then so many of their documents are in all the same.
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
    /// Documents known to be in.
    private(set) var documents = 0

    init(_ limits: ImportLimits) { self.limits = limits }

    /// Takes a batch that is about to be sent; returns its number.
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

    /// What to do with `weight` more bytes; nil asks for the end of everything.
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
        // Whatever its size, a batch goes alone.
        let hasRoom = entries.count < limits.commitsInFlight && bytes + weight <= limits.bytesInFlight
        return entries.isEmpty || hasRoom ? .proceed : .wait
    }

    private mutating func forget() {
        entries = []
        bytes = 0
    }
}
