// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreStorage

extension Engine: LoggedDatabase {
    package var log: any CommitLog { core.log }

    package func hold(_ name: String) async throws(FirestoreError) -> DocumentVersion? {
        guard let value = try await fact(LogHolds.key(name)) else { return nil }
        return value.array.withUnsafeBytes { LogHolds.time($0) }
    }

    package func setHold(_ name: String, at time: DocumentVersion?) async throws(FirestoreError) {
        try await setFact(LogHolds.key(name), time.map(LogHolds.value))
    }
}
