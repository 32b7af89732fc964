// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension FieldTransform {
    /// Reads a `FieldTransform` (WR-32 … WR-39). Its operand is checked with the write.
    init(wire bytes: ByteSlice, of key: DocumentKey) throws(FirestoreError) {
        var text = ""
        var kind = OneofField()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: try field.read(&text)
            case 2: kind.take(varint: field)
            case 3...7: kind.take(message: field)
            default: break
            }
        }
        let path = try PathCheck.fieldPath(wire: text)
        let location = "\(key.path), transform of \(path.canonical)"
        switch kind.number {
        case 2:
            guard kind.bits == 1 else {
                throw .invalidArgument("set_to_server_value must be REQUEST_TIME", at: location)
            }
            self.init(path: path, kind: .serverTimestamp)
        case 3: self.init(path: path, kind: .increment(try Value(wire: kind.bytes, in: location)))
        case 4: self.init(path: path, kind: .maximum(try Value(wire: kind.bytes, in: location)))
        case 5: self.init(path: path, kind: .minimum(try Value(wire: kind.bytes, in: location)))
        case 6: self.init(path: path, kind: .appendMissingElements(try Self.elements(kind.bytes, in: location)))
        case 7: self.init(path: path, kind: .removeAllFromArray(try Self.elements(kind.bytes, in: location)))
        default: throw .invalidArgument("the transform has no operation", at: location)
        }
    }

    /// Of an `ArrayValue`.
    private static func elements(_ bytes: ByteSlice, in location: String) throws(FirestoreError) -> [Value] {
        var values: [Value] = []
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            guard field.number == 1, let element = field.bytes else { continue }
            values.append(try Value(wire: element, in: location))
        }
        return values
    }
}

extension ReverseWriter {
    mutating func transform(_ number: Int, _ transform: FieldTransform) {
        message(number) { writer in
            switch transform.kind {
            case .serverTimestamp: writer.element(2, 1)
            case .increment(let operand): writer.value(3, operand)
            case .maximum(let operand): writer.value(4, operand)
            case .minimum(let operand): writer.value(5, operand)
            case .appendMissingElements(let elements): writer.elements(6, elements)
            case .removeAllFromArray(let elements): writer.elements(7, elements)
            }
            writer.text(1, transform.path.canonical)
        }
    }

    private mutating func elements(_ number: Int, _ values: [Value]) {
        message(number) { writer in
            for value in values.reversed() { writer.value(1, value) }
        }
    }
}
