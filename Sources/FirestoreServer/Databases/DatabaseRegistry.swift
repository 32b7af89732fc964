import Dispatch
package import FirestoreCore
package import Logging

/// The open databases of a server. Each is opened when first asked for, once for all who ask at the same time.
package final class DatabaseRegistry: Sendable {
    private typealias Waiter = CheckedContinuation<Result<any DocumentService, FirestoreError>, Never>

    private enum Entry {
        case opening([Waiter])
        case open(any DocumentService)
    }

    private struct State {
        var entries: [DatabaseName: Entry] = [:]
        var isClosed = false
    }

    private let opening: DatabaseOpening
    private let maximum: Int
    private let log: Logger
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "hearth.databases", attributes: .concurrent)

    /// At most `maximum` databases are open at a time; each holds files and memory.
    package init(_ opening: DatabaseOpening, maximum: Int = 100, log: Logger) {
        self.opening = opening
        self.maximum = maximum
        self.log = log
    }

    /// The database if it is open.
    package func current(_ database: DatabaseID) -> (any DocumentService)? {
        state.withLock { state in
            guard case .open(let service)? = state.entries[DatabaseName(database)] else { return nil }
            return service
        }
    }

    /// The database, opened if it is not.
    package func open(_ database: DatabaseID) async throws(FirestoreError) -> any DocumentService {
        if let service = current(database) { return service }
        return try await withCheckedContinuation { continuation in enter(database, continuation) }.get()
    }

    package var openCount: Int { state.withLock { $0.entries.count } }

    private func enter(_ database: DatabaseID, _ waiter: Waiter) {
        let name = DatabaseName(database)
        let maximum = maximum
        let (answer, isFirst) = state.withLock { state -> (Result<any DocumentService, FirestoreError>?, Bool) in
            if state.isClosed { return (.failure(.stopping), false) }
            switch state.entries[name] {
            case .open(let service): return (.success(service), false)
            case .opening(let waiters):
                state.entries[name] = .opening(waiters + [waiter])
                return (nil, false)
            case nil where state.entries.count >= maximum: return (.failure(.tooManyDatabases(maximum)), false)
            case nil:
                state.entries[name] = .opening([waiter])
                return (nil, true)
            }
        }
        if let answer { waiter.resume(returning: answer) }
        if isFirst { queue.async { self.make(database) } }
    }

    private func make(_ database: DatabaseID) {
        let result: Result<any DocumentService, FirestoreError>
        do throws(FirestoreError) {
            result = .success(try opening.open(database))
        } catch {
            result = .failure(error)
        }
        switch result {
        case .success:
            log.info("database opened", metadata: database.metadata)
        case .failure(let error):
            let metadata = database.metadata.merging(["error": "\(error)"]) { $1 }
            log.log(level: error.isOurFault ? .error : .debug, "database not opened", metadata: metadata)
        }
        let name = DatabaseName(database)
        let waiters = state.withLock { state -> [Waiter] in
            guard case .opening(let waiters)? = state.entries[name] else { return [] }
            if case .success(let service) = result { state.entries[name] = .open(service) } else { state.entries[name] = nil }
            return waiters
        }
        for waiter in waiters { waiter.resume(returning: result) }
    }

    /// Closes every database and opens none again. Returns when the files are closed.
    package func close() async {
        let names = state.withLock { state in
            state.isClosed = true
            return Array(state.entries.keys)
        }
        // Nothing to close is no reason to start the task pool.
        guard !names.isEmpty else { return }
        await withTaskGroup { group in
            for name in names {
                group.addTask {
                    guard let service = await self.settled(name) else { return }
                    await service.shutdown()
                    self.log.info("database closed", metadata: name.database.metadata)
                }
            }
        }
        state.withLock { $0.entries = [:] }
    }

    /// Waits for what is being opened; nil if that failed.
    private func settled(_ name: DatabaseName) async -> (any DocumentService)? {
        let result = await withCheckedContinuation { (continuation: Waiter) in
            let answer = state.withLock { state -> Result<any DocumentService, FirestoreError>? in
                switch state.entries[name] {
                case .open(let service): return .success(service)
                case .opening(let waiters):
                    state.entries[name] = .opening(waiters + [continuation])
                    return nil
                case nil: return .failure(.stopping)
                }
            }
            if let answer { continuation.resume(returning: answer) }
        }
        return try? result.get()
    }
}

extension DatabaseID {
    var metadata: Logger.Metadata { ["project": "\(projectID)", "database": "\(databaseID)"] }
}

extension FirestoreError {
    static let stopping = FirestoreError(.unavailable, "the server is stopping; try another one, or later")

    fileprivate static func tooManyDatabases(_ maximum: Int) -> FirestoreError {
        FirestoreError(
            .resourceExhausted, "\(maximum) databases are open, which is the most this server keeps; raise --max-databases")
    }

    /// What an operator has to know, in contrast to what a caller did wrong.
    var isOurFault: Bool {
        switch code {
        case .internal, .dataLoss, .unknown: true
        default: false
        }
    }
}
