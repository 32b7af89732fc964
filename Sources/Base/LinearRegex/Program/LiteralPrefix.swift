// SPDX-License-Identifier: Apache-2.0

/// The text that every match begins with, if there is one: looking for it excludes most texts without an automaton.
struct LiteralPrefix: Sendable {
    /// Looking for a long text takes longer than it saves.
    private static let maximumCount = 16

    private(set) var bytes: [UInt8] = []
    /// Whether a match can only begin where the text does.
    private(set) var isAtTextStart = false

    init(_ instructions: [Instruction], start: Instruction.Address, classOf: (Int32) -> ScalarSet) {
        var address = start
        while bytes.count < Self.maximumCount {
            switch instructions[Int(address)] {
            case .read(let reader, let next):
                guard let single = classOf(reader).single, let scalar = Unicode.Scalar(single) else { return }
                bytes += Array(String(scalar).utf8)
                address = next
            case .save(_, let next): address = next
            case .assert(.textStart, let next) where bytes.isEmpty:
                isAtTextStart = true
                address = next
            default: return
            }
        }
    }

    /// Where a match may begin at the earliest; nil if the text has none.
    func firstCandidate(in text: UnsafeRawBufferPointer) -> Int? {
        if isAtTextStart { return text.starts(with: bytes) ? 0 : nil }
        guard let first = bytes.first else { return 0 }
        guard text.count >= bytes.count else { return nil }
        var offset = 0
        while offset <= text.count - bytes.count {
            if text[offset] == first, bytes.indices.allSatisfy({ text[offset + $0] == bytes[$0] }) { return offset }
            offset += 1
        }
        return nil
    }
}
