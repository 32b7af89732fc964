// SPDX-License-Identifier: Apache-2.0
import FirestoreSchema

/// Ids in commands that are suggested.
enum ShellWord {
    /// The word as it stands in a command: in quotes, unless it is plain.
    static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            byte >= 0x30 && byte <= 0x39 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || "_-.".utf8.contains(byte)
        }
        guard !isPlain || word.isEmpty else { return word }
        // By scalars: an apostrophe with a combining mark is another character for Swift, but not for a shell.
        var text = "'"
        for scalar in word.unicodeScalars {
            if scalar == "'" { text += "'\\''" } else { text.unicodeScalars.append(scalar) }
        }
        return text + "'"
    }

    /// `cities/*/landmarks: hearth types landmarks --group`, for a collection below the documents.
    static func remark(_ below: String) -> String {
        let id = below.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: Array($0), as: UTF8.self) } ?? below
        // Text that must be escaped in a comment cannot be copied from it.
        guard StoredText.plain(id).utf8.elementsEqual(id.utf8) else { return StoredText.plain(below) }
        let command = id.utf8.first == UInt8(ascii: "-") ? "--group -- \(quoted(id))" : "\(quoted(id)) --group"
        return "\(StoredText.plain(below)): hearth types \(command)"
    }
}
