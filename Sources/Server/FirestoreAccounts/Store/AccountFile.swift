// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import Foundation
import GRDB

/// The accounts of a project in a separate SQLite file, with one connection.
final class AccountFile: AccountPlace {
    private let queue: DatabaseQueue
    /// nil for memory.
    private let presence: FilePresence?

    var isShared: Bool { false }

    fileprivate init(_ queue: DatabaseQueue, project: String, file: String, isFile: Bool) throws {
        self.queue = queue
        try queue.writeWithoutTransaction { try AccountSchema.prepare($0, project: project, file: file) }
        presence = isFile ? FilePresence(file) : nil
    }

    /// Closes the file, which removes its log.
    func close() { try? queue.close() }

    func read<R>(_ body: (AccountTransaction) throws -> R) throws -> R {
        try translating { try queue.read { try body(AccountTransaction(statements: FileStatements($0))) } }
    }

    func write<R>(_ body: (AccountTransaction) throws -> R) throws -> (result: R, notice: Int64?) {
        let result = try translating {
            try queue.write { database in
                let result = try body(AccountTransaction(statements: FileStatements(database)))
                if presence?.lookAgain() == true { throw FirestoreError.accountsAreGone }
                return result
            }
        }
        return (result, nil)
    }

    func awaitObedience(of notice: Int64) {}

    /// Rows that were changed since the file was opened.
    func changeCount() throws -> Int? { try translating { try queue.read { $0.totalChangesCount } } }

    func beginCopy(to path: String) throws -> StoreCopy? { try queue.writeWithoutTransaction { try StoreCopy(of: $0, to: path) } }

    func step(_ copy: StoreCopy) throws -> Bool { try queue.writeWithoutTransaction { _ in try copy.step() } }

    private func translating<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as DatabaseError {
            // Without the statement, whose arguments are a user's data.
            throw FirestoreError(.unavailable, "SQLite error \(error.extendedResultCode.rawValue)")
        }
    }
}

extension FirestoreError {
    fileprivate static let accountsAreGone = FirestoreError(
        .unavailable,
        "the file of the accounts was removed, moved or unmounted while it is open, so nothing is changed any more; put the same file back")
}

private struct FileStatements: TableStatements {
    private let database: Database

    init(_ database: Database) { self.database = database }

    func rows(_ sql: String, _ values: [TableValue]) throws -> any TableRows {
        FileRows(rows: try Row.fetchAll(database, sql: sql, arguments: Self.arguments(values)))
    }

    func run(_ sql: String, _ values: [TableValue]) throws -> Int {
        try database.execute(sql: sql, arguments: Self.arguments(values))
        return database.changesCount
    }

    private static func arguments(_ values: [TableValue]) -> StatementArguments {
        StatementArguments(
            values.map { value -> (any DatabaseValueConvertible)? in
                switch value {
                case .null: nil
                case .integer(let number): number
                case .text(let text): text
                case .bytes(let bytes): Data(bytes)
                }
            })
    }
}

private struct FileRows: TableRows {
    let rows: [Row]

    var count: Int { rows.count }
    func optionalInteger(_ row: Int, _ column: Int) -> Int64? { rows[row][column] }
    func text(_ row: Int, _ column: Int) -> String? { rows[row][column] }
}

extension AccountStore {
    /// Opens the file in the folder, creating it if it does not exist. One process at a time.
    package static func open(in folder: AccountFolder, project: String) throws(FirestoreError) -> AccountStore {
        let file = folder.file(AccountFolder.accountsFile)
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
            let queue = try DatabaseQueue(path: CheckedFiles.uri(file), configuration: configuration(isFile: true))
            return AccountStore(try AccountFile(queue, project: project, file: file, isFile: true), lock)
        } catch let error as FirestoreError {
            throw error
        } catch {
            throw FirestoreError(.unavailable, "the accounts cannot be opened; restore the file from a backup", at: file, cause: error)
        }
    }

    package static func openInMemory(project: String) throws(FirestoreError) -> AccountStore {
        do {
            let queue = try DatabaseQueue(configuration: configuration(isFile: false))
            return AccountStore(try AccountFile(queue, project: project, file: "memory", isFile: false))
        } catch {
            throw FirestoreError(.internal, "accounts in memory cannot be made", cause: error)
        }
    }

    private static func configuration(isFile: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            CheckedFiles.reserve(on: database.sqliteConnection)
            // Deleted data, above all the hashes of passwords, does not stay in free pages.
            try database.execute(sql: "PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;")
            if isFile { try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;") }
        }
        return configuration
    }
}
