// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Lower and upper case: of strings by Unicode's full mapping without a language, of bytes for ASCII letters only.
enum CaseMapping {
    case lower, upper

    func apply(to value: EvaluatedValue) -> EvaluatedValue {
        guard let bytes = value.textBytes else { return .null }
        if value.utf8 == nil || bytes.allSatisfy({ $0 < 0x80 }) { return TextFunctions.text(bytes.map(ascii), like: value) }
        let text = String(decoding: bytes, as: UTF8.self)
        return .string(self == .lower ? text.lowercased() : text.uppercased())
    }

    private func ascii(_ byte: UInt8) -> UInt8 {
        let letters = self == .lower ? UInt8(ascii: "A")...UInt8(ascii: "Z") : UInt8(ascii: "a")...UInt8(ascii: "z")
        return letters.contains(byte) ? byte ^ 0x20 : byte
    }
}
