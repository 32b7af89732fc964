// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import Dispatch
import Foundation
import GRDB

/// The accounts of a project in a separate SQLite file. One connection: accounts are written rarely, and what every request asks is
/// answered from memory (`StandingCache`).
package final class AccountStore: Sendable {
    private let queue: DatabaseQueue
    private let lock: LockedFile?
    /// Where reads and writes wait for the file, one after the other. The threads that tasks share must not wait for it: there are only a
    /// few of them, and they serve every other request.
    private let line = DispatchQueue(label: "hearth.accounts.store", qos: .userInitiated)

    /// Opens the file in the folder, creating it if it does not exist. One process at a time.
    package static func open(in folder: AccountFolder, project: String) throws(FirestoreError) -> AccountStore {
        let file = folder.file("accounts.sqlite")
        let lock: LockedFile
        do {
            lock = try LockedFile(exclusive: file + ".lock", isPrivate: true)
        } catch {
            let holder = if case .held(let process) = error { " (pid \(process))" } else { "" }
            throw FirestoreError(
                .failedPrecondition, "the accounts are open in another process\(holder), or their lock cannot be taken; end it first",
                at: file)
        }
        let descriptor = Foundation.open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw FirestoreError(.permissionDenied, "the file cannot be opened; check its owner and mode", at: file)
        }
        _ = fchmod(descriptor, 0o600)
        Foundation.close(descriptor)
        do {
            let queue = try DatabaseQueue(path: file, configuration: configuration(isFile: true))
            return try AccountStore(queue, lock, project: project, file: file)
        } catch let error as FirestoreError {
            throw error
        } catch {
            throw FirestoreError(.unavailable, "the accounts cannot be opened; restore the file from a backup", at: file, cause: error)
        }
    }

    package static func openInMemory(project: String) throws(FirestoreError) -> AccountStore {
        do {
            return try AccountStore(try DatabaseQueue(configuration: configuration(isFile: false)), nil, project: project, file: "memory")
        } catch {
            throw FirestoreError(.internal, "accounts in memory cannot be made", cause: error)
        }
    }

    private static func configuration(isFile: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            // Deleted data, above all the hashes of passwords, does not stay in free pages.
            try database.execute(sql: "PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;")
            if isFile { try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;") }
        }
        return configuration
    }

    private init(_ queue: DatabaseQueue, _ lock: LockedFile?, project: String, file: String) throws {
        self.queue = queue
        self.lock = lock
        try queue.writeWithoutTransaction { try AccountSchema.prepare($0, project: project, file: file) }
    }

    /// Closes the file, which removes its log. Later calls fail. Waits for queued work.
    func close() { line.sync { try? queue.close() } }

    func read<R: Sendable>(_ body: @escaping @Sendable (AccountTransaction) throws -> R) async throws(AccountError) -> R {
        try await inLine { queue in try queue.read { try body(AccountTransaction(database: $0)) } }
    }

    /// Runs the body in one transaction, which is durable when this returns. An error undoes all of it.
    func write<R: Sendable>(_ body: @escaping @Sendable (AccountTransaction) throws -> R) async throws(AccountError) -> R {
        try await inLine { queue in try queue.write { try body(AccountTransaction(database: $0)) } }
    }

    /// Reads on this thread, which waits for the file: while the accounts are opened.
    func readNow<R>(_ body: (AccountTransaction) throws -> R) throws(AccountError) -> R {
        do {
            return try queue.read { try body(AccountTransaction(database: $0)) }
        } catch {
            throw Self.translate(error)
        }
    }

    /// Writes on this thread, which waits for the file.
    func writeNow<R>(_ body: (AccountTransaction) throws -> R) throws(AccountError) -> R {
        do {
            return try queue.write { try body(AccountTransaction(database: $0)) }
        } catch {
            throw Self.translate(error)
        }
    }

    /// The work retains the connection and not the lock of the file, which is released with the last reference to these accounts.
    private func inLine<R: Sendable>(_ work: @escaping @Sendable (DatabaseQueue) throws -> R) async throws(AccountError) -> R {
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<R, AccountError>, Never>) in
            line.async { [queue] in
                let result: Result<R, AccountError>
                do {
                    result = .success(try work(queue))
                } catch {
                    result = .failure(Self.translate(error))
                }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }

    private static func translate(_ error: any Error) -> AccountError {
        if let error = error as? AccountError { return error }
        guard let error = error as? DatabaseError else { return .storage("the accounts cannot be used: \(error)") }
        // Without the statement, whose arguments are a user's data.
        return .storage("the accounts cannot be used (SQLite error \(error.extendedResultCode.rawValue))")
    }
}
