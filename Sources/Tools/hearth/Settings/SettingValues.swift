// SPDX-License-Identifier: Apache-2.0
import FirestoreAuthentication
import FirestoreCore
import Foundation

/// The values of settings: those of the command line, completed by the environment, then by the file, then by the defaults.
struct SettingValues: Sendable {
    /// One of these on a layer replaces the other of a later one.
    private static let places = [ServerSettings.data.name, ServerSettings.inMemory.name]

    private var given: [String: JSON]
    private let onCommandLine: Set<String>

    /// - Parameters:
    ///   - commandLine: The values there, by the names of the settings.
    ///   - file: The path of the configuration file that the command line names.
    init(_ commandLine: [String: JSON], file: String? = nil, environment: [String: String]) throws(StartRefusal) {
        try SettingNames.check(environment: environment)
        given = commandLine
        onCommandLine = Set(commandLine.keys)
        try complete { setting throws(StartRefusal) in
            guard let text = environment[setting.variable] else { return nil }
            guard let value = setting.kind.value(ofVariable: text) else {
                throw StartRefusal("the environment variable \(setting.variable) is not \(setting.kind.description)")
            }
            return value
        }
        if let path = file ?? environment[SettingNames.variable(ServerSettings.configuration)] {
            let file = try SettingFile(path)
            try complete { file.values[$0.name] }
        }
    }

    /// Sets what earlier layers have not given.
    private mutating func complete(from layer: (any AnySetting) throws(StartRefusal) -> JSON?) throws(StartRefusal) {
        var known = Set(given.keys)
        if !known.isDisjoint(with: Self.places) { known.formUnion(Self.places) }
        for setting in ServerSettings.all where !known.contains(setting.name) {
            if let value = try layer(setting) { given[setting.name] = value }
        }
    }

    /// The value in effect.
    subscript<Value>(_ setting: Setting<Value>) -> Value {
        get { given[setting.name].flatMap { Value(json: $0) } ?? setting.standard }
        set { given[setting.name] = newValue.json }
    }

    /// Whether any layer has a word of the setting, be it that a flag is off.
    func isGiven(_ setting: any AnySetting) -> Bool { given[setting.name] != nil }

    func isOnCommandLine(_ setting: any AnySetting) -> Bool { onCommandLine.contains(setting.name) }

    /// Whether the setting is given, and is neither an empty list nor a flag that is off.
    func has(_ setting: any AnySetting) -> Bool {
        switch given[setting.name] {
        case nil, .boolean(false)?: false
        case .array(let elements)?: !elements.isEmpty
        default: true
        }
    }

    /// All values in effect, under the names that the file and the command line use.
    var json: JSON {
        .object(
            ServerSettings.all.compactMap { setting in
                (given[setting.name] ?? setting.standardJSON).map { (setting.name, $0) }
            })
    }
}

extension SettingKind: CustomStringConvertible {
    var description: String {
        switch self {
        case .text: "a string"
        case .number: "a whole number"
        case .flag: "true or false"
        case .list: "a list of strings"
        }
    }

    /// The value that the text of a variable represents; nil if it is none of this kind. Commas separate the elements of a list.
    fileprivate func value(ofVariable text: String) -> JSON? {
        switch self {
        case .text: .string(text)
        case .number: Int(text).map { .number($0) }
        case .flag:
            switch text.lowercased() {
            case "true", "yes", "1": .boolean(true)
            case "false", "no", "0": .boolean(false)
            default: nil
            }
        case .list:
            .array(
                text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.utf8.isEmpty }.map { .string($0) })
        }
    }
}
