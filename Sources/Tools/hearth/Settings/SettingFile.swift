// SPDX-License-Identifier: Apache-2.0
import FirestoreAuthentication
import FirestoreCore
import Foundation

/// The configuration file of a server: one JSON object, whose members are named like the options.
struct SettingFile {
    private static let maximumSize = 1 << 20

    /// By the names of the settings.
    let values: [String: JSON]

    init(_ path: String) throws(StartRefusal) {
        let bytes = try Self.read(path)
        let json: JSON
        do {
            json = try JSON(bytes)
        } catch {
            throw StartRefusal("the configuration file \(path) is not valid JSON: \(Self.problem(error, in: bytes))")
        }
        guard case .object(let members) = json else {
            throw StartRefusal("the configuration file \(path) must hold one JSON object, such as {\"port\": 8080}")
        }
        try SettingNames.check(members: members.map(\.name), of: path)
        var values: [String: JSON] = [:]
        for setting in ServerSettings.all {
            for (name, value) in members where equalUTF8(name, setting.name) {
                values[name] = try Self.checked(value, of: setting, in: path)
            }
        }
        self.values = values
    }

    private static func checked(_ value: JSON, of setting: any AnySetting, in path: String) throws(StartRefusal) -> JSON {
        switch (setting.kind, value) {
        case (.text, .string), (.flag, .boolean): return value
        case (.number, .number(let text)) where Int(text) != nil: return value
        case (.list, .string): return .array([value])
        case (.list, .array(let elements)) where elements.allSatisfy { if case .string = $0 { true } else { false } }: return value
        case (.list, _): throw StartRefusal("\"\(setting.name)\" in \(path) must be an array of strings")
        case (_, .string), (_, .boolean): break
        case (_, .number(let text)) where Int(text) != nil: break
        default: throw StartRefusal("\"\(setting.name)\" in \(path) must be a string, a whole number, true or false")
        }
        throw StartRefusal("\"\(setting.name)\" in \(path) is not \(setting.kind.description)")
    }

    private static func read(_ path: String) throws(StartRefusal) -> [UInt8] {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw StartRefusal("the configuration file \(path) does not exist")
        }
        guard !isDirectory.boolValue, let file = FileHandle(forReadingAtPath: path) else {
            let reason = isDirectory.boolValue ? "is a directory" : "cannot be read by this user"
            throw StartRefusal("the configuration file \(path) cannot be read: it \(reason)")
        }
        guard let data = try? file.read(upToCount: maximumSize + 1) ?? Data(), data.count <= maximumSize else {
            throw StartRefusal("the configuration file \(path) is larger than 1 MiB, or cannot be read completely")
        }
        return [UInt8](data)
    }

    /// The parser's message, with a line and a column instead of an offset.
    private static func problem(_ error: FirestoreError, in bytes: [UInt8]) -> String {
        guard let problem = error.cause as? JSONProblem else { return error.message }
        let before = bytes.prefix(problem.position)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
        return "\(problem.what) (line \(line), column \(column))"
    }
}
