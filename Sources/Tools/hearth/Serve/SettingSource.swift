// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Configuration

/// Looks up a setting in one source after the other, and reports an invalid value with its source.
struct SettingSource {
    var providers: [any ConfigProvider]
    var fileName: String?

    func string(_ name: String) throws -> String? {
        try value(name, .string) { content in
            guard case .string(let text) = content else { return nil }
            return text
        }
    }

    func int(_ name: String) throws -> Int? {
        try value(name, .int) { content in
            guard case .int(let number) = content else { return nil }
            return number
        }
    }

    func bool(_ name: String) throws -> Bool? {
        try value(name, .bool) { content in
            guard case .bool(let flag) = content else { return nil }
            return flag
        }
    }

    func list(_ name: String) throws -> [String]? {
        try value(name, .stringArray) { content in
            guard case .stringArray(let texts) = content else { return nil }
            return texts.filter { !$0.utf8.isEmpty }
        }
    }

    private func value<Result>(_ name: String, _ type: ConfigType, _ read: (ConfigContent) -> Result?) throws -> Result? {
        for (index, provider) in providers.enumerated() {
            let place =
                index == 0
                ? "the environment variable \(SettingNames.variable(name))" : "\"\(name)\" in \(fileName ?? "the configuration file")"
            do {
                if let value = try provider.value(forKey: AbsoluteConfigKey([name]), type: type).value {
                    if let result = read(value.content) { return result }
                    throw Self.mismatch(place, type)
                }
            } catch let error as ValidationError {
                throw error
            } catch {
                throw Self.mismatch(place, type)
            }
        }
        return nil
    }

    private static func mismatch(_ place: String, _ type: ConfigType) -> ValidationError {
        let kind =
            switch type {
            case .int: "a whole number"
            case .bool: "true or false"
            case .stringArray: "a list of strings"
            default: "a string"
            }
        return ValidationError("\(place) is not \(kind)")
    }
}
