// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSync
import FirestoreTransfer

/// Queued writes as lines of typed JSON, one per write, with everything that is needed to make the write again.
struct QueueJSON {
    private var writer: TypedJSONWriter
    private let cacheID: UInt64

    init(database: DatabaseID, cacheID: UInt64) {
        writer = TypedJSONWriter(database: database)
        self.cacheID = cacheID
    }

    /// The lines of one call.
    mutating func lines(of batch: InspectedBatch) throws(FirestoreError) -> [UInt8] {
        writer.removeAll()
        for write in batch.writes {
            do throws(FirestoreError) {
                try append(write, of: batch)
            } catch {
                throw error.located(at: write.key.path)
            }
            writer.append(raw: "\n")
        }
        return writer.bytes
    }

    private mutating func append(_ write: Write, of batch: InspectedBatch) throws(FirestoreError) {
        writer.beginDocument(write.key)
        writer.append(member: "operation", string: write.kind.rawValue)
        switch write.operation {
        case .delete, .verify: break
        case .set(let fields): try append(fields)
        case .patch(let fields, let mask):
            try append(fields)
            member("mask")
            list(mask) { writer, path in writer.append(string: path.canonical) }
        }
        if !write.transforms.isEmpty { try append(write.transforms) }
        switch write.precondition {
        case nil: break
        case .exists(let exists):
            member("exists")
            if exists { writer.append(raw: "true") } else { writer.append(raw: "false") }
        case .updateTime(let time): writer.append(member: "updateTime", string: time.timestamp.text)
        }
        writer.append(member: "state", string: batch.isFailed ? "failed" : "pending")
        writer.append(member: "id", string: CacheText.receipt(batch.id, of: cacheID))
        if let user = batch.user.uid { writer.append(member: "user", string: user) }
        writer.append(member: batch.isFailed ? "failedAt" : "madeAt", string: DocumentVersion(microseconds: batch.time).timestamp.text)
        if batch.attempts > 0 { try append("attempts", .integer(Int64(batch.attempts))) }
        if let error = batch.error { writer.append(member: "error", string: "\(error.code): \(error.message)") }
        writer.endDocument()
    }

    private mutating func member(_ name: String) {
        writer.separate(level: 1)
        writer.append(name: name)
    }

    private mutating func append(_ fields: FieldBytes) throws(FirestoreError) {
        member("fields")
        try writer.append(fields, level: 1)
    }

    private mutating func append(_ name: String, _ value: Value) throws(FirestoreError) {
        member(name)
        let bytes = ValueBytes(value)
        try writer.append(bytes.view, level: 1)
        withExtendedLifetime(bytes) {}
    }

    private mutating func append(_ transforms: [FieldTransform]) throws(FirestoreError) {
        member("transforms")
        writer.append(raw: "[")
        var isFirst = true
        for transform in transforms {
            if !isFirst { writer.append(raw: ",") }
            isFirst = false
            writer.append(raw: "{")
            writer.append(name: "field")
            writer.append(string: transform.path.canonical)
            switch transform.kind {
            case .serverTimestamp:
                member("serverTimestamp")
                writer.append(raw: "true")
            case .increment(let value): try append("increment", value)
            case .maximum(let value): try append("maximum", value)
            case .minimum(let value): try append("minimum", value)
            case .appendMissingElements(let values): try append("append", .array(values))
            case .removeAllFromArray(let values): try append("remove", .array(values))
            }
            writer.append(raw: "}")
        }
        writer.append(raw: "]")
    }

    private mutating func list<Element>(_ elements: [Element], _ write: (inout TypedJSONWriter, Element) -> Void) {
        writer.append(raw: "[")
        for (place, element) in elements.enumerated() {
            if place > 0 { writer.append(raw: ",") }
            write(&writer, element)
        }
        writer.append(raw: "]")
    }
}
