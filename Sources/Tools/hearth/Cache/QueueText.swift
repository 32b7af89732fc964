// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSync
import FirestoreTransfer

/// Queued calls for reading: a line per call, and one per write, cut to a width.
struct QueueText {
    let database: DatabaseID
    let style: Style
    let width: Int
    /// In microseconds since 1970.
    let now: Int64

    func lines(of batch: InspectedBatch) throws(FirestoreError) -> String {
        let age = CacheText.age(from: batch.time, to: now)
        var parts = ["\(batch.isFailed ? "rejected" : "made") \(age) ago", CacheText.user(batch.user)]
        if batch.attempts > 0 { parts.append(CacheText.count(batch.attempts, "failed attempt")) }
        if let error = batch.error { parts.append("\(error.code): \(error.message)") }
        let label = "  \(batch.id)  "
        var text = style(.name, label) + DisplayWidth.cut(parts.joined(separator: ", "), to: width - label.utf8.count) + "\n"
        for write in batch.writes {
            let start = "     \(write.kind.rawValue) \(write.key.path)"
            let rest = try content(of: write)
            let line = rest.isEmpty ? start : start + "  " + rest
            text += DisplayWidth.cut(line, to: width) + "\n"
        }
        return text
    }

    private func content(of write: Write) throws(FirestoreError) -> String {
        var parts: [String] = []
        do throws(FirestoreError) {
            switch write.operation {
            case .delete, .verify: break
            case .set(let fields): parts.append(try json(fields))
            case .patch(let fields, let mask):
                if !fields.view.isEmpty { parts.append(try json(fields)) }
                let view = fields.view
                let deleted = mask.filter { view[$0] == nil }.map(\.canonical)
                withExtendedLifetime(fields) {}
                if !deleted.isEmpty { parts.append("without \(deleted.joined(separator: ", "))") }
            }
            for transform in write.transforms { parts.append(try text(of: transform)) }
        } catch {
            throw error.located(at: write.key.path)
        }
        switch write.precondition {
        case nil: break
        case .exists(let exists): if write.kind != .update || !exists { parts.append(exists ? "if it exists" : "if it is missing") }
        case .updateTime(let time): parts.append("if last changed at \(time.timestamp.text)")
        }
        return parts.joined(separator: ", ")
    }

    private func json(_ fields: FieldBytes) throws(FirestoreError) -> String {
        var writer = TypedJSONWriter(database: database, layout: .spaced)
        try writer.append(fields)
        return writer.text
    }

    private func text(of transform: FieldTransform) throws(FirestoreError) -> String {
        let path = transform.path.canonical
        func json(_ value: Value) throws(FirestoreError) -> String {
            var writer = TypedJSONWriter(database: database, layout: .spaced)
            let bytes = ValueBytes(value)
            try writer.append(bytes.view)
            withExtendedLifetime(bytes) {}
            return writer.text
        }
        return switch transform.kind {
        case .serverTimestamp: "\(path) = server time"
        case .increment(let value): "\(path) + \(try json(value))"
        case .maximum(let value): "\(path) at least \(try json(value))"
        case .minimum(let value): "\(path) at most \(try json(value))"
        case .appendMissingElements(let values): "\(path) with \(try json(.array(values)))"
        case .removeAllFromArray(let values): "\(path) without \(try json(.array(values)))"
        }
    }
}

extension Write {
    /// The kind of change that a write makes, as the API and exports name it.
    enum Kind: String { case set, update, delete, verify }

    var kind: Kind {
        switch operation {
        case .set: .set
        case .patch: .update
        case .delete: .delete
        case .verify: .verify
        }
    }
}
