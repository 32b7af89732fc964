// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Encrypts the objects of an archive, each bound to its name. Names and sizes stay readable.
package struct EncryptedArchive: ArchiveStore {
    let store: any ArchiveStore
    let key: ArchiveKey

    package init(_ store: any ArchiveStore, key: ArchiveKey) {
        self.store = store
        self.key = key
    }

    package var description: String { "\(store.description) (encrypted)" }

    package func put(_ name: String, _ bytes: [UInt8]) async throws(FirestoreError) -> Bool {
        try await store.put(name, try SealedObject.seal(bytes, name, key, at: store.description))
    }

    package func get(_ name: String) async throws(FirestoreError) -> [UInt8]? {
        guard let object = try await store.get(name) else { return nil }
        return try SealedObject.open(object, name, key, at: store.description)
    }

    /// The sizes are those of the contents.
    package func list(_ prefix: String, after: String?, limit: Int) async throws(FirestoreError) -> [ArchiveObject] {
        try await store.list(prefix, after: after, limit: limit)
            .map { ArchiveObject(name: $0.name, size: max(0, $0.size - SealedObject.overhead)) }
    }

    package func delete(_ name: String) async throws(FirestoreError) { try await store.delete(name) }
}
