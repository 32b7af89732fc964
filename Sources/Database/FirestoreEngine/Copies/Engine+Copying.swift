// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

extension Engine: StoreAdministration {
    /// Copies the database into a new file, which gets its final name when it is complete, checked and on the disk. Commits continue in
    /// the meantime; the copy shows the state after one of them. One copy at a time.
    package func copy(to path: String, replacing: Bool = false) async throws(FirestoreError) -> DatabaseCopy {
        let file = try UnfinishedCopy(of: path, replacing: replacing)
        try await writeCopy(to: file.temporary)
        return try await Self.onThread { () throws(FirestoreError) in try file.finish() }
    }

    /// Copies the database into a new file, which is neither checked nor synced. After an error it may remain.
    package func writeCopy(to path: String) async throws(FirestoreError) {
        try checkIsOpen()
        guard let copies = core.committer.copies else { throw .notInFile("copying it") }
        let number = Mutex<Int?>(nil)
        let result: Result<Void, FirestoreError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                do throws(FirestoreError) {
                    let begun = try copies.begin(path) { continuation.resume(returning: $0) }
                    number.withLock { $0 = begun }
                    // The task may have been cancelled before the number was known.
                    if Task.isCancelled { copies.cancel(begun) }
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        } onCancel: {
            if let number = number.withLock({ $0 }) { copies.cancel(number) }
        }
        try result.get()
        if Task.isCancelled { throw .copyCancelled }
    }

    /// Off the cooperative pool.
    static func onThread<R: Sendable>(
        _ body: @escaping @Sendable () throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        let result: Result<R, FirestoreError> = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }
}

extension DatabaseInspection {
    /// Copies a database that no process has open into a new file, in which it has its final name when it is complete, checked and on the
    /// disk. The database is not changed.
    ///
    /// - Parameter advice: What to do if a process has it open.
    package static func copy(
        _ path: String, to target: String, replacing: Bool = false, advice: String
    ) throws(FirestoreError) -> DatabaseCopy {
        let inspector = try StoreInspector(path, advice: advice)
        defer { inspector.close() }
        let file = try UnfinishedCopy(of: target, replacing: replacing)
        try inspector.copy(to: file.temporary)
        return try file.finish()
    }
}
