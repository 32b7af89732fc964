// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The tables of api.md, sections 1 to 13 and 15, where that file is.
struct APIReference {
    struct Row: Hashable {
        let section: String
        let tag: String
        /// Without backticks, and with one blank where there were several.
        let signatures: [String]

        init(section: String, tag: String, signatures: [String]) {
            self.section = section
            self.tag = tag
            self.signatures = signatures.map { signature in
                signature.filter { $0 != "`" }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            }
        }
    }

    private static let file =
        ProcessInfo.processInfo.environment["HEARTH_API_REFERENCE"].map { URL(fileURLWithPath: $0) }
        ?? CompatibilityTableTests.root.appendingPathComponent("../shared/reference/api.md")

    static var isThere: Bool { FileManager.default.fileExists(atPath: file.path) }

    /// Rows of the classes core and full.
    private(set) var rows: [Row] = []
    /// What section 15 counts.
    private(set) var counts: [String: (rows: Int, signatures: Int)] = [:]

    init() throws {
        let tags = Set(CompatibilityRow.Tag.original.map(\.rawValue))
        var section = ""
        for line in try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("#") {
                section = line.split(separator: " ").dropFirst().first.map { String($0.hasSuffix(".") ? $0.dropLast() : $0) } ?? ""
            }
            let cells = line.components(separatedBy: " | ")
            guard line.hasPrefix("| "), cells.count > 2, tags.contains(String(cells[0].dropFirst(2))) else { continue }
            let tag = String(cells[0].dropFirst(2))
            switch Int(section.prefix { $0 != "." }) ?? 0 {
            case 1...13:
                rows.append(Row(section: section, tag: tag, signatures: cells[1].components(separatedBy: "<br>")))
            case 15:
                let numbers = cells.dropFirst().compactMap { Int($0.filter(\.isNumber)) }
                if numbers.count == 2 { counts[tag] = (numbers[0], numbers[1]) }
            default: break
            }
        }
    }
}
