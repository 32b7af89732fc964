// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension EmbeddedMessage {
    /// A `Precondition`; nil if it is missing or empty (WR-3).
    var precondition: Precondition? {
        get throws(FirestoreError) {
            guard let bytes else { return nil }
            var condition = OneofField()
            var reader = MessageReader(bytes)
            while let field = try reader.next() {
                switch field.number {
                case 1: condition.take(varint: field)
                case 2: condition.take(message: field)
                default: break
                }
            }
            switch condition.number {
            case 1: return .exists(condition.bits != 0)
            case 2:
                let time = try TimestampValue(wire: condition.bytes, called: "update_time of the precondition")
                return .updateTime(DocumentVersion(microseconds: time.microsecondsSince1970))
            default: return nil
            }
        }
    }
}

extension ReverseWriter {
    mutating func precondition(_ number: Int, _ precondition: Precondition?) {
        guard let precondition else { return }
        message(number) { writer in
            switch precondition {
            case .exists(let flag): writer.element(1, flag ? 1 : 0)
            case .updateTime(let time): writer.timestamp(2, time.timestamp)
            }
        }
    }
}
