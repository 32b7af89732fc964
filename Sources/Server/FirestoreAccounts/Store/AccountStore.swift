// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

/// The place of a project's accounts. Calls wait for it.
protocol AccountPlace: Sendable {
    /// Whether other servers use these accounts.
    var isShared: Bool { get }

    func read<R>(_ body: (AccountTransaction) throws -> R) throws -> R

    /// Runs the body in one transaction, which is durable when this returns. An error undoes all of it.
    ///
    /// - Returns: What the body returned, and the number of the notice to other servers, if there is one.
    func write<R>(_ body: (AccountTransaction) throws -> R) throws -> (result: R, notice: Int64?)

    /// Returns when other servers have obeyed.
    func awaitObedience(of notice: Int64) throws

    /// A number that increases with every change; nil for accounts that are not in a file.
    func changeCount() throws -> Int?

    /// Begins to copy the file to a path where there is none; nil for accounts that are not in a file.
    func beginCopy(to path: String) throws -> StoreCopy?

    /// Copies the next pages. Returns whether the copy is complete.
    func step(_ copy: StoreCopy) throws -> Bool

    func close()
}

/// The accounts of a project, in a file or on the server of a cluster. Accounts are written rarely, and what every request asks is answered
/// from memory (`StandingCache`), so calls wait for their turn.
package final class AccountStore: Sendable {
    private let place: any AccountPlace
    /// Held while the process has the file open; nil on a cluster.
    private let lock: LockedFile?
    /// Where reads and writes wait, one after the other. The threads that tasks share must not wait for a file or a server: there are only
    /// a few of them, and they serve every other request.
    private let line = DispatchQueue(label: "hearth.accounts.store", qos: .userInitiated)
    /// Where answers wait until other servers have obeyed.
    private let obedience = DispatchQueue(label: "hearth.accounts.notices", qos: .userInitiated)

    init(_ place: any AccountPlace, _ lock: LockedFile? = nil) { (self.place, self.lock) = (place, lock) }

    /// Whether other servers use these accounts.
    var isShared: Bool { place.isShared }

    /// Later calls fail. Waits for queued work.
    func close() { line.sync { place.close() } }

    func read<R: Sendable>(_ body: @escaping @Sendable (AccountTransaction) throws -> R) async throws(AccountError) -> R {
        try await wait(in: line) { try $0.read(body) }
    }

    /// Runs the body in one transaction, which is durable when this returns, and which every other server obeys. An error undoes all of it.
    func write<R: Sendable>(_ body: @escaping @Sendable (AccountTransaction) throws -> R) async throws(AccountError) -> R {
        let (result, notice) = try await wait(in: line) { try $0.write(body) }
        if let notice { try await wait(in: obedience) { try $0.awaitObedience(of: notice) } }
        return result
    }

    /// A number that increases with every change; nil for accounts that are not in a file.
    func changeCount() async -> Int? { try? await wait(in: line) { try $0.changeCount() } }

    /// Copies the file to a path where there is none, a few pages at a time, so that other calls are not delayed.
    ///
    /// Fails for accounts that are not in a file.
    func writeCopy(to path: String) async throws(AccountError) {
        guard let copy = try await wait(in: line, { try $0.beginCopy(to: path) }) else {
            throw .storage("the accounts are not in a file, so there is nothing to copy")
        }
        do throws(AccountError) {
            while try await !wait(in: line, { try $0.step(copy) }) {}
        } catch {
            _ = try? await wait(in: line) { _ in copy.end() }
            throw error
        }
    }

    /// Reads on this thread: while the accounts are opened.
    func readNow<R>(_ body: (AccountTransaction) throws -> R) throws(AccountError) -> R {
        do { return try place.read(body) } catch { throw Self.translate(error) }
    }

    /// Writes on this thread.
    func writeNow<R>(_ body: (AccountTransaction) throws -> R) throws(AccountError) -> R {
        do { return try place.write(body).result } catch { throw Self.translate(error) }
    }

    /// The work retains the place and not these accounts, with whose last reference the file is unlocked.
    private func wait<R: Sendable>(
        in line: DispatchQueue, _ work: @escaping @Sendable (any AccountPlace) throws -> R
    ) async throws(AccountError) -> R {
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<R, AccountError>, Never>) in
            line.async { [place] in
                let result: Result<R, AccountError>
                do { result = .success(try work(place)) } catch { result = .failure(Self.translate(error)) }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }

    private static func translate(_ error: any Error) -> AccountError {
        if let error = error as? AccountError { return error }
        guard let error = error as? FirestoreError else { return .storage("the accounts cannot be used: \(error)") }
        if error.code == .invalidArgument { return AccountError("INVALID_ARGUMENT", error.message, canonicalName: "INVALID_ARGUMENT") }
        return .storage("the accounts cannot be used: \(error.message)")
    }
}
