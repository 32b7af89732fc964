import FirestoreCore
import Foundation

/// What a file is that documents come from.
package enum FileFormat: String, CaseIterable, Sendable {
    /// One JSON object a line.
    case jsonl
    /// A JSON array of objects, or objects one after the other.
    case json
    /// Comma-separated values, the names of the fields in the first row.
    case csv
    /// A folder as the official emulator and Google's managed exports write it.
    case emulator

    /// A folder, or the file in it that leads to the others.
    static func isExport(_ path: String) -> Bool {
        var isDirectory = ObjCBool(false)
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        return exists && isDirectory.boolValue || path.hasSuffix(ExportFolder.metadataSuffix)
    }

    /// What the name says, then what the (inflated) content begins with; nil if neither says anything.
    init?(name: String, beginning: [UInt8]) {
        var name = name.lowercased()
        if name.hasSuffix(".gz") { name.removeLast(3) }
        if name.hasSuffix(".csv") {
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
