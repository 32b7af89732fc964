// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore

/// The options that the settings of an owner are on the command line. ArgumentParser reads them from the table as it reads declarations
/// from the properties of other commands.
struct SettingOptions<Owner: SettingOwner>: ParsableArguments, CustomReflectable {
    /// The values that the command line gives, by the names of the settings.
    let given: [String: JSON]

    init() { given = [:] }

    init(from decoder: any Decoder) throws {
        given = try decoder.container(keyedBy: SettingName.self).given(Owner.settings)
    }

    var customMirror: Mirror { Mirror(self, children: Owner.settings.map(\.declaration)) }
}

struct SettingName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer<SettingName> {
    func given(_ settings: [any AnySetting]) throws -> [String: JSON] {
        var given: [String: JSON] = [:]
        for setting in settings { given[setting.name] = try setting.value(in: self) }
        return given
    }
}

extension AnySetting {
    /// As the property of a command is declared.
    var declaration: Mirror.Child {
        let names = NameSpecification.customLong(name)
        // What a command declares with its default is written here by hand: a value that is the default may have been given all the same.
        let standard: String? =
            switch standardJSON {
            case .string(let text), .number(let text): " (default: \(text))"
            default: nil
            }
        let help = ArgumentHelp(
            help + (standard ?? ""), valueName: valueName, visibility: isHidden ? .hidden : .default)
        let option: Any =
            switch kind {
            case .text: Option<String?>(name: names, help: help, completion: completion.kind)
            case .number:
                if let bareNumber {
                    Option<Int?>(name: names, defaultAsFlag: bareNumber, parsing: .next, help: help)
                } else {
                    Option<Int?>(name: names, help: help)
                }
            case .list: Option<[String]>(wrappedValue: [], name: names, help: help, completion: completion.kind)
            case .flag: Flag<Bool>(wrappedValue: false, name: names, help: help)
            }
        return (label: name, value: option)
    }

    /// nil if the command line does not contain the setting.
    fileprivate func value(in container: KeyedDecodingContainer<SettingName>) throws -> JSON? {
        let key = SettingName(name)
        switch kind {
        case .text: return try container.decode(Option<String?>.self, forKey: key).wrappedValue?.json
        case .number: return try container.decode(Option<Int?>.self, forKey: key).wrappedValue?.json
        case .list:
            let elements = try container.decode(Option<[String]>.self, forKey: key).wrappedValue
            return elements.isEmpty ? nil : elements.json
        case .flag: return try container.decode(Flag<Bool>.self, forKey: key).wrappedValue ? .boolean(true) : nil
        }
    }
}

extension SettingCompletion {
    fileprivate var kind: CompletionKind? {
        switch self {
        case .none: nil
        case .directory: .directory
        case .file(let extensions): .file(extensions: extensions)
        }
    }
}
