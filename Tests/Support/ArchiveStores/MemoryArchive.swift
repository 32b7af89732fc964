// SPDX-License-Identifier: Apache-2.0
package import FirestoreArchive
package import FirestoreCore

/// An archive in memory, which several simulated servers can share.
package final class MemoryArchive: ArchiveStore {
    /// By the bytes of the names: strings compare otherwise.
    private let objects = Mutex<[[UInt8]: [UInt8]]>([:])

    package init() {}

    package var description: String { "memory" }

    package func put(_ name: String, _ bytes: [UInt8]) async throws(FirestoreError) -> Bool {
        try ArchiveName.segments(of: name)
        return objects.withLock { objects in
            guard objects[Array(name.utf8)] == nil else { return false }
            objects[Array(name.utf8)] = bytes
            return true
        }
    }

    package func get(_ name: String) async throws(FirestoreError) -> [UInt8]? {
        try ArchiveName.segments(of: name)
        return self[name]
    }

    package func list(_ prefix: String, after: String?, limit: Int) async throws(FirestoreError) -> [ArchiveObject] {
        let all = objects.withLock { $0.map { ArchiveObject(name: String(decoding: $0.key, as: UTF8.self), size: $0.value.count) } }
        let matching = all.filter { object in
            object.name.utf8.starts(with: prefix.utf8) && (after.map { ArchiveName.precedes($0, object.name) } ?? true)
        }
        return Array(matching.sorted { ArchiveName.precedes($0.name, $1.name) }.prefix(max(0, limit)))
    }

    package func delete(_ name: String) async throws(FirestoreError) {
        try ArchiveName.segments(of: name)
        self[name] = nil
    }

    // MARK: For tests

    /// What an object contains, without a call. Setting it replaces or removes the object, as nothing but a test does.
    package subscript(name: String) -> [UInt8]? {
        get { objects.withLock { $0[Array(name.utf8)] } }
        set { objects.withLock { $0[Array(name.utf8)] = newValue } }
    }

    /// The names of all objects, in order.
    package var names: [String] {
        objects.withLock { $0.keys.map { String(decoding: $0, as: UTF8.self) } }.sorted(by: ArchiveName.precedes)
    }
}
