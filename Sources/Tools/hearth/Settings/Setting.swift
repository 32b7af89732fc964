// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore

/// A setting of `hearth serve`: an option of the command line, a variable of the environment, and a member of the configuration file.
struct Setting<Value: SettingValue>: AnySetting {
    let name: String
    let help: String
    let valueName: String?
    let standard: Value
    let completion: SettingCompletion
    let isHidden: Bool
    let bareNumber: Int?
    let endsDevelopment: Bool

    /// - Parameters:
    ///   - name: As the command line and the file write it.
    ///   - standard: The value without a word of anyone.
    ///   - help: A sentence. The default is added to it.
    ///   - valueName: The name of the value in the help.
    ///   - bareNumber: The value of the option if none follows it.
    ///   - endsDevelopment: Whether a server with this setting is in development mode only with `--development`.
    init(
        _ name: String, _ standard: Value, _ help: String, value valueName: String? = nil, completion: SettingCompletion = .none,
        isHidden: Bool = false, bareNumber: Int? = nil, endsDevelopment: Bool = false
    ) {
        self.name = name
        self.standard = standard
        self.help = help
        self.valueName = valueName
        self.completion = completion
        self.isHidden = isHidden
        self.bareNumber = bareNumber
        self.endsDevelopment = endsDevelopment
    }

    var kind: SettingKind { Value.kind }
    var standardJSON: JSON? { standard.json }
}

enum SettingKind: Sendable {
    case text, number, list
    /// On the command line without a value.
    case flag
}

enum SettingCompletion: Sendable {
    case none, directory
    case file(extensions: [String] = [])
}

/// A setting, whatever its values are.
protocol AnySetting: Sendable {
    var name: String { get }
    var help: String { get }
    var valueName: String? { get }
    var kind: SettingKind { get }
    var standardJSON: JSON? { get }
    var completion: SettingCompletion { get }
    var isHidden: Bool { get }
    var bareNumber: Int? { get }
    var endsDevelopment: Bool { get }
}

extension AnySetting {
    var variable: String { SettingNames.variable(name) }
}

/// What has settings: the server itself, and each of its guests.
protocol SettingOwner {
    static var settings: [any AnySetting] { get }
}

// MARK: Values

protocol SettingValue: Sendable {
    static var kind: SettingKind { get }
    init?(json: JSON)
    /// nil for no value.
    var json: JSON? { get }
}

extension Int: SettingValue {
    static var kind: SettingKind { .number }
    init?(json: JSON) {
        guard case .number(let text) = json else { return nil }
        self.init(text)
    }
    var json: JSON? { .number(self) }
}

extension String: SettingValue {
    static var kind: SettingKind { .text }
    init?(json: JSON) {
        guard case .string(let text) = json else { return nil }
        self = text
    }
    var json: JSON? { .string(self) }
}

extension Bool: SettingValue {
    static var kind: SettingKind { .flag }
    init?(json: JSON) {
        guard case .boolean(let isOn) = json else { return nil }
        self = isOn
    }
    var json: JSON? { .boolean(self) }
}

extension Array: SettingValue where Element == String {
    static var kind: SettingKind { .list }
    init?(json: JSON) {
        guard case .array(let elements) = json else { return nil }
        self = elements.compactMap { String(json: $0) }
    }
    var json: JSON? { .array(map { .string($0) }) }
}

extension Optional: SettingValue where Wrapped: SettingValue {
    static var kind: SettingKind { Wrapped.kind }
    init?(json: JSON) {
        guard let value = Wrapped(json: json) else { return nil }
        self = .some(value)
    }
    var json: JSON? { flatMap(\.json) }
}
