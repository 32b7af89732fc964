// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Configuration
import FirestoreCore
import Foundation

/// The configuration file of a server: one JSON object, whose members are named like the options.
enum SettingFile {
    private static let maximumSize = 1 << 20

    static func provider(_ path: String) throws -> InMemoryProvider {
        let bytes = try read(path)
        let json: JSON
        do {
            json = try JSON(bytes)
        } catch {
            throw ValidationError("the configuration file \(path) is not valid JSON: \(Self.problem(error, in: bytes))")
        }
        guard case .object(let members) = json else {
            throw ValidationError("the configuration file \(path) must hold one JSON object, such as {\"port\": 8080}")
        }
        try SettingNames.check(members: members.map(\.name), of: path)
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for (name, value) in members {
            values[AbsoluteConfigKey([name])] = ConfigValue(try content(value, of: name, in: path), isSecret: false)
        }
        return InMemoryProvider(name: path, values: values)
    }

    private static func read(_ path: String) throws -> [UInt8] {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw ValidationError("the configuration file \(path) does not exist")
        }
        guard !isDirectory.boolValue, let file = FileHandle(forReadingAtPath: path) else {
            let reason = isDirectory.boolValue ? "is a directory" : "cannot be read by this user"
            throw ValidationError("the configuration file \(path) cannot be read: it \(reason)")
        }
        guard let data = try? file.read(upToCount: maximumSize + 1) ?? Data(), data.count <= maximumSize else {
            throw ValidationError("the configuration file \(path) is larger than 1 MiB, or cannot be read completely")
        }
        return [UInt8](data)
    }

    /// The parser's message, with a line and a column instead of an offset.
    private static func problem(_ error: FirestoreError, in bytes: [UInt8]) -> String {
        let message = error.message.replacing("the JSON is malformed: ", with: "")
        guard let text = error.location?.split(separator: " ").last, let offset = Int(text) else { return message }
        let before = bytes.prefix(offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
        return "\(message) (line \(line), column \(column))"
    }

    private static func content(_ value: JSON, of name: String, in path: String) throws -> ConfigContent {
        switch value {
        case .string(let text): return SettingNames.lists.contains(name) ? .stringArray([text]) : .string(text)
        case .boolean(let flag): return .bool(flag)
        case .number(let text):
            if let number = Int(text) { return .int(number) }
        case .array(let elements):
            let texts = elements.compactMap { if case .string(let text) = $0 { text } else { nil as String? } }
            if SettingNames.lists.contains(name), texts.count == elements.count { return .stringArray(texts) }
        default: break
        }
        let kinds = SettingNames.lists.contains(name) ? "an array of strings" : "a string, a whole number, true or false"
        throw ValidationError("\"\(name)\" in \(path) must be \(kinds)")
    }
}
