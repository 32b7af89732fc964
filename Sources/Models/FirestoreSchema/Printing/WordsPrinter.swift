// SPDX-License-Identifier: Apache-2.0

/// Prints an enumeration of strings.
struct WordsPrinter {
    let access: String
    /// Whether open enumerations conform to `OpenEnum`, so that audits and reports show their unknown values.
    let usesOpenEnum: Bool

    func print(_ cases: [WordCase], isOpen: Bool, name: String, into text: inout SwiftText) {
        if isOpen { printOpen(cases, name: name, into: &text) } else { printClosed(cases, name: name, into: &text) }
    }

    private func printClosed(_ cases: [WordCase], name: String, into text: inout SwiftText) {
        text.block("\(access)enum \(name): String, Codable, CaseIterable") { text in
            for one in cases {
                let isSame = one.name.utf8.elementsEqual(one.text.utf8)
                text.line("case \(SwiftNames.quoted(one.name))\(isSame ? "" : " = \(StoredText.literal(one.text))")")
            }
        }
    }

    private func printOpen(_ cases: [WordCase], name: String, into text: inout SwiftText) {
        text.block("\(access)enum \(name): \(usesOpenEnum ? "OpenEnum" : "RawRepresentable, Codable"), Hashable, Sendable") { text in
            for one in cases { text.line("case \(SwiftNames.quoted(one.name))") }
            text.comment("A value that was not among the documents; it is written back as it was read.")
            text.line("case unknown(String)")
            text.line()
            text.block("\(access)init\(usesOpenEnum ? "?" : "")(rawValue: String)") { text in
                text.line("switch rawValue {")
                for one in cases { text.line("case \(StoredText.literal(one.text)): self = .\(SwiftNames.quoted(one.name))") }
                text.line(usesOpenEnum ? "default: return nil" : "default: self = .unknown(rawValue)")
                text.line("}")
            }
            text.line()
            text.block("\(access)var rawValue: String") { text in
                text.line("switch self {")
                for one in cases { text.line("case .\(SwiftNames.quoted(one.name)): \(StoredText.literal(one.text))") }
                text.line("case .unknown(let text): text")
                text.line("}")
            }
        }
    }
}
