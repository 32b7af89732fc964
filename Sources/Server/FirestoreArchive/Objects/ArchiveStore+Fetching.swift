// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension ArchiveStore {
    /// Begins to read an object that must be there.
    func fetch(_ name: String) -> Task<Result<[UInt8], FirestoreError>, Never> {
        Task {
            do throws(FirestoreError) {
                guard let bytes = try await get(name) else { return .failure(.missingObject(name)) }
                return .success(bytes)
            } catch {
                return .failure(error)
            }
        }
    }
}
