// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension ArchiveStore {
    /// Reads an object that must be there.
    func existing(_ name: String) async throws(FirestoreError) -> [UInt8] {
        guard let bytes = try await get(name) else { throw .missingObject(name) }
        return bytes
    }

    /// Begins to read an object that must be there.
    func fetch(_ name: String) -> Task<Result<[UInt8], FirestoreError>, Never> {
        Task {
            do throws(FirestoreError) {
                return .success(try await existing(name))
            } catch {
                return .failure(error)
            }
        }
    }
}
