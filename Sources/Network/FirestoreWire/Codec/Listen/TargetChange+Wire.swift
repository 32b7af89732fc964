// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension TargetChange {
    init(wire bytes: ByteSlice) throws(FirestoreError) {
        var kind: Int32 = 0
        var targets: [Int32] = []
        var cause = EmbeddedMessage()
        var resumeToken = ByteSlice.empty
        var readTime = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&kind)
            case 2: try field.append(to: &targets)
            case 3: cause.merge(field)
            case 4: field.read(&resumeToken)
            case 6: readTime.merge(field)
            default: break
            }
        }
        guard let kind = Kind(rawValue: Int(kind)) else {
            throw .invalidArgument("a target change is of an unknown kind")
        }
        self.init(kind, targets: targets, resumeToken: resumeToken, readTime: try readTime.version)
        if let bytes = cause.bytes { self.cause = try FirestoreError(status: bytes) }
    }
}

extension ExistenceFilter {
    init(wire bytes: ByteSlice) throws(FirestoreError) {
        var target: Int32 = 0
        var count: Int32 = 0
        var names = EmbeddedMessage()
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&target)
            case 2: field.read(&count)
            case 3: names.merge(field)
            default: break
            }
        }
        self.init(target: target, count: Int(count), names: nil)
        if let bytes = names.bytes { self.names = try BloomFilter(wire: bytes) }
    }
}

extension BloomFilter {
    /// nil for an invalid filter, which is treated as none (LS-27).
    init?(wire bytes: ByteSlice) throws(FirestoreError) {
        var sequence = EmbeddedMessage()
        var hashCount: Int32 = 0
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: sequence.merge(field)
            case 2: field.read(&hashCount)
            default: break
            }
        }
        var bitmap = ByteSlice.empty
        var padding: Int32 = 0
        var inner = MessageReader(sequence.bytes ?? .empty)
        while let field = try inner.next() {
            switch field.number {
            case 1: field.read(&bitmap)
            case 2: field.read(&padding)
            default: break
            }
        }
        self.init(bits: bitmap.array, padding: Int(padding), hashCount: Int(hashCount))
        guard isValid else { return nil }
    }
}

extension ReverseWriter {
    mutating func targetChange(_ number: Int, _ change: TargetChange) {
        message(number) { writer in
            writer.timestamp(6, change.readTime)
            writer.data(4, change.resumeToken)
            if let cause = change.cause { writer.status(3, cause) }
            writer.packed(2, change.targets)
            writer.integer(1, change.kind.rawValue)
        }
    }

    mutating func filter(_ number: Int, _ filter: ExistenceFilter) {
        message(number) { writer in
            if let names = filter.names {
                writer.message(3) { writer in
                    writer.integer(2, names.hashCount)
                    writer.message(1) { writer in
                        writer.integer(2, names.padding)
                        if !names.bits.isEmpty {
                            let mark = writer.count
                            names.bits.withUnsafeBytes { writer.raw($0) }
                            writer.close(1, since: mark)
                        }
                    }
                }
            }
            writer.integer(2, filter.count)
            writer.integer(1, filter.target)
        }
    }
}
