// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension Write {
    /// Reads a `Write`; its document must be in the database of the request (WR-1 … WR-3, DM-4).
    init(wire bytes: ByteSlice, in names: DocumentNames) throws(FirestoreError) {
        var operation = OneofField()
        var mask = EmbeddedMessage()
        var precondition = EmbeddedMessage()
        var transforms: [ByteSlice] = []
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1, 6: operation.take(message: field)
            case 2, 5: operation.take(bytes: field)
            case 3: mask.merge(field)
            case 4: precondition.merge(field)
            case 7: field.append(to: &transforms)
            default: break
            }
        }
        let condition = try precondition.precondition
        switch operation.number {
        case 1:
            let parts = try DocumentParts(operation.bytes)
            let key = try names.key(parts.name)
            let fields = try FieldBytes(wire: parts.fields, of: key)
            let paths: [FieldPathSegments]?
            do { paths = try mask.fieldPaths(.writeMask) } catch { throw error.located(at: key.path) }
            self.init(
                key: key, operation: paths.map { .patch(fields, mask: $0) } ?? .set(fields), precondition: condition,
                transforms: try Self.transforms(transforms, of: key))
        case 2: self.init(key: try names.key(operation.bytes), operation: .delete, precondition: condition)
        case 5: self.init(key: try names.key(operation.bytes), operation: .verify, precondition: condition)
        case 6: self = try Self.standaloneTransform(operation.bytes, in: names, precondition: condition)
        default: throw .invalidArgument("a write is empty: it needs one of update, delete, verify and transform")
        }
        guard operation.number == 1 || (transforms.isEmpty && !mask.isPresent) else {
            throw .invalidArgument("an update mask and update transforms belong to an update only", at: key.path)
        }
    }

    /// The older form of transforms: an update without fields, with transforms (WR-30).
    private static func standaloneTransform(
        _ bytes: ByteSlice, in names: DocumentNames, precondition: Precondition?
    ) throws(FirestoreError) -> Write {
        var name = ByteSlice.empty
        var transforms: [ByteSlice] = []
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&name)
            case 2: field.append(to: &transforms)
            default: break
            }
        }
        let key = try names.key(name)
        guard !transforms.isEmpty else { throw .invalidArgument("a transform needs at least one field transform", at: key.path) }
        return Write(
            key: key, operation: .patch(.empty, mask: []), precondition: precondition,
            transforms: try Self.transforms(transforms, of: key))
    }

    private static func transforms(_ parts: [ByteSlice], of key: DocumentKey) throws(FirestoreError) -> [FieldTransform] {
        guard !parts.isEmpty else { return [] }
        try Limit.transforms.check(parts.count, at: key.path)
        var transforms: [FieldTransform] = []
        transforms.reserveCapacity(parts.count)
        for part in parts {
            do { transforms.append(try FieldTransform(wire: part, of: key)) } catch { throw error.located(at: key.path) }
        }
        return transforms
    }
}

extension ReverseWriter {
    mutating func write(_ number: Int, _ write: Write, _ database: DatabaseID) {
        message(number) { writer in
            for transform in write.transforms.reversed() { writer.transform(7, transform) }
            writer.precondition(4, write.precondition)
            switch write.operation {
            case .set(let fields): writer.update(write.key, fields, database)
            case .patch(let fields, let mask):
                writer.mask(3, mask)
                writer.update(write.key, fields, database)
            case .delete: writer.documentName(2, database, write.key)
            case .verify: writer.documentName(5, database, write.key)
            }
        }
    }

    private mutating func update(_ key: DocumentKey, _ fields: FieldBytes, _ database: DatabaseID) {
        assert(!fields.containsPendingTimestamp, "a write of \(key.path) contains a pending timestamp instead of a transform")
        message(1) { writer in
            writer.raw(fields.bytes)
            writer.documentName(1, database, key)
        }
    }
}

extension [Write] {
    /// Reads the writes of a request, in order.
    init(wire parts: [ByteSlice], in names: DocumentNames) throws(FirestoreError) {
        try Limit.commitWrites.check(parts.count)
        self.init()
        reserveCapacity(parts.count)
        for part in parts { append(try Write(wire: part, in: names)) }
    }

    /// The approximate size of their messages.
    package var messageSize: Int {
        reduce(256) { size, write in
            let size = size + 128 * write.transforms.count
            return switch write.operation {
            case .set(let fields), .patch(let fields, _): size + fields.bytes.count + 160
            case .delete, .verify: size + 128
            }
        }
    }
}
