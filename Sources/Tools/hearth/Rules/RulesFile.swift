// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules
import Foundation

/// A file with security rules, read completely.
struct RulesFile {
    let path: String
    let source: RulesSource

    /// Why a file cannot be read. An error in its text is a `RulesError`.
    struct Unreadable: Error, Equatable {
        let message: String
    }

    init(reading path: String) throws(Unreadable) {
        var isDirectory = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw Unreadable(message: "the file \(path) does not exist")
        }
        guard !isDirectory.boolValue, let file = FileHandle(forReadingAtPath: path) else {
            let reason = isDirectory.boolValue ? "it is a directory" : "this user may not read it"
            throw Unreadable(message: "the file \(path) cannot be read: \(reason)")
        }
        defer { try? file.close() }
        // One byte more than is allowed, so that the compiler rejects a longer text.
        guard let data = try? file.read(upToCount: RulesLimits.textBytes + 1) ?? Data() else {
            throw Unreadable(message: "the file \(path) cannot be read completely")
        }
        // An editor or a copy that has not finished leaves an empty file; rules that grant nothing have a text.
        guard data.contains(where: { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }) else {
            throw Unreadable(
                message: "the file \(path) is empty; to refuse everything, write match /{all=**} { allow read, write: if false; }")
        }
        self.path = path
        source = RulesSource(data, name: path)
    }

    func compile() throws(RulesError) -> RuleSet { try RuleSet(source) }
}

extension RulesIssue {
    /// `firestore.rules:7:31: error: Unexpected ')'.`, which editors and CI systems recognize.
    func text(in source: RulesSource) -> String {
        let place = range.map { range -> String in
            let position = source.position(of: range)
            return ":\(position.line):\(position.column)"
        }
        return "\(source.name)\(place ?? ""): \(severity.rawValue.lowercased()): \(message)"
    }
}
