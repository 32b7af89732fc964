// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Functions that remove code points or bytes from the ends of a text: those of a set, or white space.
enum TrimmingFunctions {
    static let all: [FunctionDefinition] = [
        trimming("trim", front: true, back: true), trimming("ltrim", front: true, back: false), trimming("rtrim", front: false, back: true),
    ]

    private static func trimming(_ name: String, front: Bool, back: Bool) -> FunctionDefinition {
        .values(name, .text, .text, arity: 1...2) { arguments, execution throws(FirestoreError) in
            guard let units = TextUnits(arguments[0]) else { return .null }
            let removed = arguments.count == 2 ? RemovedUnits(set: arguments[1]) : RemovedUnits(whitespaceOf: arguments[0])
            guard let removed, arguments.count == 1 || arguments[1].type == arguments[0].type else {
                return TextFunctions.different(name, arguments[0], arguments[1])
            }
            var (start, end) = (0, units.bytes.count)
            while front, start < end {
                try execution.step()
                let next = units.end(from: start)
                guard removed.contains(units.bytes[start..<next]) else { break }
                start = next
            }
            while back, end > start {
                try execution.step()
                let previous = units.start(before: end)
                guard removed.contains(units.bytes[previous..<end]) else { break }
                end = previous
            }
            return start == 0 && end == units.bytes.count ? arguments[0] : units.value(start..<end)
        }
    }
}

/// The code points or bytes that are removed.
private enum RemovedUnits {
    /// Single bytes, one bit for each, and longer code points.
    case set(SIMD4<UInt64>, Set<UInt32>)
    case whitespace(isString: Bool)

    init(whitespaceOf value: EvaluatedValue) { self = .whitespace(isString: value.utf8 != nil) }

    /// nil for a value that is neither a string nor bytes.
    init?(set: EvaluatedValue) {
        guard let units = TextUnits(set) else { return nil }
        var single = SIMD4<UInt64>.zero
        var longer: Set<UInt32> = []
        var start = 0
        while start < units.bytes.count {
            let end = units.end(from: start)
            if end - start == 1 {
                let byte = units.bytes[start]
                single[Int(byte >> 6)] |= 1 << UInt64(byte & 63)
            } else {
                longer.insert(Self.scalar(units.bytes[start..<end]))
            }
            start = end
        }
        self = .set(single, longer)
    }

    func contains(_ unit: Slice<UnsafeRawBufferPointer>) -> Bool {
        switch self {
        case .set(let single, let longer):
            let byte = unit[unit.startIndex]
            return unit.count == 1 ? single[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1 : longer.contains(Self.scalar(unit))
        case .whitespace(let isString):
            // Space, and tab to carriage return, which are the white space of ASCII.
            if unit.count == 1 { return unit[unit.startIndex] == 0x20 || (0x09...0x0D).contains(unit[unit.startIndex]) }
            return isString && Unicode.Scalar(Self.scalar(unit))?.properties.isWhitespace == true
        }
    }

    /// The code point that valid UTF-8 of two to four bytes encodes.
    private static func scalar(_ unit: Slice<UnsafeRawBufferPointer>) -> UInt32 {
        let first = UInt32(unit[unit.startIndex]) & (0x7F >> UInt32(unit.count))
        return unit.dropFirst().reduce(first) { $0 << 6 | UInt32($1 & 0x3F) }
    }
}
