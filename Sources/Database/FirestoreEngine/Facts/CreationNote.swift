// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// When a database was created, in one fact: microseconds since 1970, as text. Databases of earlier versions have none.
package enum CreationNote {
    package static let fact = "hearth/created"

    static func bytes(_ time: DocumentVersion) -> ByteSlice { ByteSlice([UInt8]("\(time.microseconds)".utf8)) }

    /// nil for other bytes.
    package static func time(_ bytes: ByteSlice?) -> Int64? {
        guard let bytes, let time = Int64(String(decoding: bytes.array, as: UTF8.self)), time > 0 else { return nil }
        return time
    }
}

extension Engine {
    /// The earliest creation of the first documents by name, in microseconds since 1970; nil without documents.
    package func firstCreation(among most: Int = 1_000) async -> Int64? {
        var query = StructuredQuery(scope: .kindless(under: nil, allDescendants: true))
        query.limit = most
        let found = try? await run(query, options: ReadOptions(), context: .embedded)
        return found?.documents.map(\.createTime.microseconds).min()
    }
}
