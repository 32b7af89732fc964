// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreIndexing
import FirestoreStorage

extension Engine: IndexAdministration {
    package var indexPolicy: IndexPolicy { core.indexes.policy }

    package func setIndexPolicy(_ policy: IndexPolicy) throws(FirestoreError) {
        try checkIsOpen()
        core.indexes.setPolicy(policy)
    }

    package func configureIndexes(_ definitions: [IndexDefinition]) async throws(FirestoreError) {
        try checkIsOpen()
        try await core.indexes.configure(definitions)
    }

    package func indexes() async throws(FirestoreError) -> [IndexStatus] {
        try checkIsOpen()
        return try await core.indexes.statuses()
    }

    package func addIndex(_ definition: IndexDefinition) async throws(FirestoreError) -> Int64 {
        try checkIsOpen()
        return try await core.indexes.add(definition)
    }

    package func removeIndex(_ number: Int64) async throws(FirestoreError) -> Bool {
        try checkIsOpen()
        return try await !core.indexes.drop { index, _ in index.isConfigured && index.number == number }.isEmpty
    }

    package func setExemptions(_ exemptions: IndexExemptions) async throws(FirestoreError) {
        try checkIsOpen()
        try await core.indexes.setExemptions(exemptions)
    }

    package func dropIndexes(includingConfigured: Bool) async throws(FirestoreError) {
        try checkIsOpen()
        _ = try await core.indexes.drop { index, _ in includingConfigured || !index.isConfigured }
    }

    package func dropIndexes(unusedSince time: DocumentVersion) async throws(FirestoreError) -> [IndexDefinition] {
        try checkIsOpen()
        return try await core.indexes.drop { index, lastUse in !index.isConfigured && lastUse < time }
    }

    package func indexesSettled() async throws(FirestoreError) {
        try checkIsOpen()
        try await core.indexes.settled()
    }

    package func neededIndexes() -> [IndexDefinition] { core.indexes.neededIndexes() }
}
