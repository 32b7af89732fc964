// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The outline of a response, read from its bytes without decoding it.
extension FirestoreMethod {
    /// The number of documents in a response, or of writes that it reports.
    package func documentCount(of response: [UInt8]) -> Int {
        switch self {
        case .getDocument, .createDocument, .updateDocument, .deleteDocument: 1
        case .listDocuments, .batchGetDocuments, .runQuery, .commit, .batchWrite: Self.count(1, in: response)
        case .executePipeline: Self.count(2, in: response)
        case .write, .listen: Self.count(3, in: response)
        default: 0
        }
    }

    /// Whether a response of the Write stream answers a commit: the others have no time.
    package static func isCommitted(_ response: [UInt8]) -> Bool { count(4, in: response) > 0 }

    private static func count(_ number: UInt32, in message: [UInt8]) -> Int {
        message.withUnsafeBytes { bytes in
            var fields = RawFields(bytes)
            var count = 0
            while let field = fields.next() {
                if field.number == number { count += 1 }
            }
            return count
        }
    }

    /// The targets that a response of the Listen stream has a document for; nil if it has none.
    package static func targets(ofChange response: [UInt8]) -> [Int32]? {
        // Its kind is its first field.
        guard response.first == 0x1A else { return nil }
        return response.withUnsafeBytes { bytes in
            var ids: [Int32] = []
            var fields = RawFields(bytes)
            while let change = fields.next() {
                guard change.number == 3, change.kind == .bytes else { continue }
                var members = RawFields(change.payload)
                while let field = members.next() {
                    if field.number == 5 { append(field, to: &ids) }
                }
            }
            return ids
        }
    }

    /// Numbers are encoded one by one or packed.
    private static func append(_ field: RawField, to ids: inout [Int32]) {
        switch field.kind {
        case .varint: ids.append(Int32(truncatingIfNeeded: field.bits))
        case .bytes:
            let start = ValueView(field.payload).start
            var reader = WireReader(position: start, end: start + field.payload.count)
            while !reader.isAtEnd, let number = reader.varint() { ids.append(Int32(truncatingIfNeeded: number)) }
        default: break
        }
    }

    /// The change of targets that a response of the Listen stream contains; nil if it contains something else.
    package static func targetChange(in response: [UInt8]) -> TargetChange? {
        guard response.first == 0x12, case .targetChange(let change)? = try? ListenResponse(decoding: ByteSlice(response)) else {
            return nil
        }
        return change
    }
}
