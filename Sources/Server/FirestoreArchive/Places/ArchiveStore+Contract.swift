// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension ArchiveStore {
    /// Checks with two small objects that the place does what an archive relies on: it must not replace an object, and must list and return
    /// what it has stored. Some makers of S3-compatible storage ignore the condition of a write and replace objects silently.
    ///
    /// - Parameter folder: A name, below which the objects are written and removed. It should be unique.
    package func checkContract(in folder: String) async throws(FirestoreError) {
        let (first, second) = ("\(folder)/first", "\(folder)/second")
        let bytes = Array("first".utf8)
        var failure: FirestoreError?
        do throws(FirestoreError) {
            let isNew = try await put(first, bytes)
            let isReplaced = try await put(first, Array("second".utf8))
            let isSecondNew = try await put(second, [])
            let stored = try await get(first)
            let listed = try await list("\(folder)/", after: nil, limit: 3).map(\.name)
            guard isNew, isSecondNew else { throw broken("objects of an earlier check are left in \(folder)") }
            guard !isReplaced, stored == bytes else {
                throw broken("it replaces objects that exist, so that two servers could overwrite each other's; use another place")
            }
            guard listed == [first, second] else { throw broken("a listing does not have the objects that were stored") }
        } catch {
            failure = error
        }
        for name in [first, second] {
            do throws(FirestoreError) { try await delete(name) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    private func broken(_ reason: String) -> FirestoreError {
        FirestoreError(.failedPrecondition, "this place cannot be an archive: \(reason)", at: description)
    }
}
