// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The rules of docs/semantics that a text cites.
///
/// Looks at bytes and goes from hyphen to hyphen: in a debug build, regular expressions over all files take minutes.
struct RuleCitations {
    struct Citation: Sendable {
        let id: String
        /// Where the id begins, or the range that it lies in.
        let offset: Int
    }

    /// Families whose ids have a hyphen. The ids of `R` have none, so in code they count in comments only. `SY` has a second
    /// series, `SY-D`.
    static let families: Set<String> = ["DM", "HT", "LO", "LS", "MP", "QR", "SE", "SR", "SY", "TX", "VAL", "WC", "WR"]
    /// Families in which a letter may follow the number.
    private static let lettered: Set<String> = ["R", "SY-"]

    private let bytes: [UInt8]
    private(set) var found: [Citation] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        readHyphenated()
        readNumbered("R")
    }

    init(_ text: String) { self.init(Array(text.utf8)) }

    /// The rows of the behaviour table that a text cites, such as `T29`. Only tests of offline sync cite them: elsewhere `T1` may
    /// be a type.
    init(ofRowsIn bytes: [UInt8]) {
        self.bytes = bytes
        readNumbered("T")
    }

    private mutating func readHyphenated() {
        for hyphen in ByteScan.offsets(of: UInt8(ascii: "-"), in: bytes) {
            // `SY-D1` and `SY-1`.
            let series = ByteScan.isByte("D", bytes, at: hyphen + 1) ? "D" : ""
            let number = hyphen + 1 + series.utf8.count
            guard ByteScan.isDigit(bytes, at: number) else { continue }
            var start = hyphen
            while start > 0, hyphen - start < 4, ByteScan.isCapital(bytes, at: start - 1) { start -= 1 }
            guard start < hyphen, !ByteScan.isWord(bytes, at: start - 1), !ByteScan.isByte("-", bytes, at: start - 1) else { continue }
            let family = String(decoding: bytes[start..<hyphen], as: UTF8.self)
            guard Self.families.contains(family), series.isEmpty || family == "SY" else { continue }
            take(family + "-" + series, from: start, number: number)
        }
    }

    /// Ids that are a letter and a number.
    private mutating func readNumbered(_ family: Unicode.Scalar) {
        let binding: [Unicode.Scalar] = ["-", "%", "\\"]
        for letter in ByteScan.offsets(of: UInt8(ascii: family), in: bytes) where ByteScan.isDigit(bytes, at: letter + 1) {
            let isBound = binding.contains { ByteScan.isByte($0, bytes, at: letter - 1) }
            if !isBound, !ByteScan.isWord(bytes, at: letter - 1) { take(String(family), from: letter, number: letter + 1) }
        }
    }

    /// The id whose number begins here and, if a range begins with it, the others of the range.
    private mutating func take(_ family: String, from start: Int, number: Int) {
        guard let first = self.number(at: number) else { return }
        var (id, end) = ("\(family)\(first.value)", first.end)
        if Self.lettered.contains(family), end < bytes.count, (UInt8(ascii: "a")...UInt8(ascii: "g")).contains(bytes[end]) {
            id += String(decoding: [bytes[end]], as: UTF8.self)
            end += 1
        }
        guard !ByteScan.isWord(bytes, at: end) else { return }
        found.append(Citation(id: id, offset: start))
        guard let last = lastOfRange(family, at: end), first.value < last else { return }
        for value in (first.value + 1)...last { found.append(Citation(id: "\(family)\(value)", offset: start)) }
    }

    /// `QR-34 … QR-39`, `QR-34…39`, `R12–R16`, `R1 to R5`.
    private func lastOfRange(_ family: String, at end: Int) -> Int? {
        var next = behindBlanks(end)
        guard let sign = ["…", "–", "-", "to "].first(where: { starts(with: $0, at: next) }) else { return nil }
        next = behindBlanks(next + sign.utf8.count)
        if starts(with: family, at: next) {
            next += family.utf8.count
        } else if sign == "-" || sign == "to " {
            return nil
        }
        return number(at: next)?.value
    }

    /// One to three digits: `SE-0409` is a proposal of Swift Evolution.
    private func number(at start: Int) -> (value: Int, end: Int)? {
        var (value, end) = (0, start)
        while end - start < 4, ByteScan.isDigit(bytes, at: end) {
            value = value * 10 + Int(bytes[end] - UInt8(ascii: "0"))
            end += 1
        }
        return (1...3).contains(end - start) ? (value, end) : nil
    }

    private func behindBlanks(_ start: Int) -> Int {
        var next = start
        while ByteScan.isByte(" ", bytes, at: next) { next += 1 }
        return next
    }

    private func starts(with text: String, at start: Int) -> Bool {
        start <= bytes.count && bytes[start...].starts(with: text.utf8)
    }
}

/// Looking for bytes, with offsets that may lie outside.
enum ByteScan {
    static func offsets(of byte: UInt8, in bytes: [UInt8]) -> [Int] {
        bytes.withUnsafeBytes { buffer in
            var found: [Int] = []
            guard let base = buffer.baseAddress else { return found }
            var first = 0
            while first < buffer.count, let hit = memchr(base + first, Int32(byte), buffer.count - first) {
                let offset = base.distance(to: UnsafeRawPointer(hit))
                found.append(offset)
                first = offset + 1
            }
            return found
        }
    }

    static func isDigit(_ bytes: [UInt8], at offset: Int) -> Bool {
        bytes.indices.contains(offset) && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset])
    }

    static func isCapital(_ bytes: [UInt8], at offset: Int) -> Bool {
        bytes.indices.contains(offset) && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[offset])
    }

    /// Part of a name: an ASCII letter, a digit or an underscore.
    static func isWord(_ bytes: [UInt8], at offset: Int) -> Bool {
        isDigit(bytes, at: offset) || isCapital(bytes, at: offset) || isByte("_", bytes, at: offset)
            || bytes.indices.contains(offset) && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[offset])
    }

    static func isByte(_ scalar: Unicode.Scalar, _ bytes: [UInt8], at offset: Int) -> Bool {
        bytes.indices.contains(offset) && bytes[offset] == UInt8(ascii: scalar)
    }

    /// Where the line begins that an offset lies in.
    static func lineStart(_ bytes: [UInt8], at offset: Int) -> Int {
        var start = offset
        while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
        return start
    }

    /// The number of the line that an offset lies in, from 1.
    static func line(_ bytes: [UInt8], at offset: Int) -> Int { 1 + offsets(of: UInt8(ascii: "\n"), in: Array(bytes[..<offset])).count }
}
