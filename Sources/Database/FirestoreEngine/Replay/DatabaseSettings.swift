// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

/// What belongs to a database beside its documents: the indexes that were configured, and its administrative settings.
package struct DatabaseSettings: Sendable, Equatable {
    /// The settings among the facts.
    static let facts = "hearth/admin/"..<"hearth/admin0"
    /// What was done to one database, and says nothing about a copy of it.
    private static let operations = "hearth/admin/operations/"

    package var indexes: [IndexDefinition] = []
    package var facts: [String: ByteSlice] = [:]

    package init() {}

    /// Equal settings have equal bytes.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        let definitions = indexes.map { IndexDefinitionEncoding.encode($0) }.sorted { $0.lexicographicallyPrecedes($1) }
        bytes.appendVarint(UInt64(definitions.count))
        for definition in definitions { bytes.appendLengthDelimited(definition) }
        for (key, value) in facts.sorted(by: { $0.key < $1.key }) {
            bytes.appendLengthDelimited(key.utf8)
            bytes.appendLengthDelimited(value.array)
        }
        return bytes
    }

    /// nil if the bytes are damaged.
    package init?(_ bytes: [UInt8]) {
        let read: DatabaseSettings? = bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { return nil }
            var reader = WireReader(position: start, end: start + buffer.count)
            return DatabaseSettings(&reader)
        }
        guard let read else { return nil }
        self = read
    }

    private init?(_ reader: inout WireReader) {
        guard let count = reader.varint() else { return nil }
        for _ in 0..<count {
            guard let bytes = reader.lengthDelimited(), let definition = IndexDefinitionEncoding.decode(bytes) else { return nil }
            indexes.append(definition)
        }
        while !reader.isAtEnd {
            guard let key = reader.lengthDelimited().flatMap({ String(validating: $0, as: UTF8.self) }),
                Self.facts.contains(key), let value = reader.lengthDelimited()
            else { return nil }
            facts[key] = ByteSlice(copying: value)
        }
    }
}

extension Engine {
    /// The settings of a database in a file or in memory.
    package func settings() async throws(FirestoreError) -> DatabaseSettings {
        try admit(.embedded)
        let store = try core.file("reading its settings")
        return try await store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in
            try DatabaseSettings(snapshot, facts: (snapshot as? ReadTransaction)?.facts(in: DatabaseSettings.facts) ?? [:])
        }
    }
}

extension DatabaseSettings {
    init(_ snapshot: any StoreSnapshot, facts: [String: ByteSlice]) throws(FirestoreError) {
        indexes = try snapshot.catalog().indexes.filter(\.isConfigured).map(\.definition)
        self.facts = facts.filter { !$0.key.hasPrefix(Self.operations) }
    }
}
