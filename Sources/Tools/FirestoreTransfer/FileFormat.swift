// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// The format of a file that is imported.
package enum FileFormat: String, CaseIterable, Sendable {
    /// One JSON object per line.
    case jsonl
    /// A JSON array of objects, or one object after the other.
    case json
    /// Comma-separated values, with the names of the fields in the first row.
    case csv
    /// A folder in the format of the official emulator and of Google's managed exports.
    case emulator

    /// Whether the path is a folder, or the metadata file of an export.
    static func isExport(_ path: String) -> Bool {
        var isDirectory = ObjCBool(false)
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        return exists && isDirectory.boolValue || path.hasSuffix(ExportFolder.metadataSuffix)
    }

    /// The format by the name, or else by the first bytes of the (decompressed) content; nil if neither determines it.
    init?(name: String, beginning: [UInt8]) {
        var name = name.lowercased()
        if name.hasSuffix(".gz") { name.removeLast(3) }
        if name.hasSuffix(".csv") || name.hasSuffix(".tsv") {
            self = .csv
            return
        }
        let isLines = name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson")
        let isJSON = name.hasSuffix(".json")
        switch Self.firstToken(of: beginning) {
        case UInt8(ascii: "[") where !isLines: self = .json
        case UInt8(ascii: "{"), nil: self = isJSON ? .json : .jsonl
        default:
            guard isLines || isJSON else { return nil }
            self = isJSON ? .json : .jsonl
        }
    }

    /// The first byte that is neither blank nor part of a byte order mark.
    static func firstToken(of beginning: [UInt8]) -> UInt8? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = beginning.starts(with: mark) ? beginning.dropFirst(mark.count) : beginning[...]
        return text.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
    }
}
