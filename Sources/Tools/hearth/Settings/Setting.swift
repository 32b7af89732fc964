// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore

/// A setting of `hearth serve`: an option of `ServeCommand`, which is also a variable of the environment and a member of the file.
struct Setting: Sendable {
    enum Kind: Sendable {
        case text, number, list
        /// On the command line without a value.
        case flag
    }

    /// As the command line and the file write it.
    let name: String
    let kind: Kind

    var variable: String { Self.prefix + name.uppercased().replacing("-", with: "_") }

    static let prefix = "HEARTH_"

    /// Their declarations are enough: parsing a command line as long as this one takes a while.
    static let all = declarations(of: ServeCommand(), isParsed: false).compactMap { declaration in
        kind(of: declaration.value).map { Setting(name: declaration.name, kind: $0) }
    }

    /// The settings that parsed options have a value for; without one are lists without elements, too.
    static func values(of options: some ParsableArguments) -> [(name: String, value: JSON, isGiven: Bool)] {
        declarations(of: options).compactMap { declaration in
            guard let value = value(of: declaration.value) else { return nil }
            if case .array(let elements) = value { return (declaration.name, value, !elements.isEmpty) }
            return (declaration.name, value, true)
        }
    }

    /// Whether a command line contains the setting.
    func isGiven(in words: [String]) -> Bool { words.contains { $0 == "--\(name)" || $0.hasPrefix("--\(name)=") } }

    /// The words of a command line that set a value.
    func words(for value: JSON) -> [String] {
        switch value {
        // An equals sign takes a dash after it, but no empty text.
        case .string(let text), .number(let text): text.hasPrefix("-") ? ["--\(name)=\(text)"] : ["--\(name)", text]
        case .boolean(let isOn): isOn ? ["--\(name)"] : []
        case .array(let elements): elements.flatMap(words)
        case .object, .null: []
        }
    }

    // MARK: Reflection

    /// The property wrappers of options and of their groups, with the names that ArgumentParser derives from the properties. Not
    /// settings are the option that names the file, and the flag that prints the settings.
    ///
    /// - Parameter isParsed: Whether the options have values. Without, groups have none either.
    private static func declarations(of options: some ParsableArguments, isParsed: Bool = true) -> [(name: String, value: Any)] {
        Mirror(reflecting: options).children.flatMap { label, value -> [(name: String, value: Any)] in
            if let group = value as? any SettingGroup {
                return isParsed ? declarations(of: group.options) : declarations(of: group.declared, isParsed: false)
            }
            let name = name(ofProperty: label?.dropFirst() ?? "")
            return ["config", "print-config"].contains(name) ? [] : [(name, value)]
        }
    }

    /// `auth-url` for `authURL`.
    private static func name(ofProperty property: Substring) -> String {
        property.replacing(/([a-z])([A-Z])/) { "\($0.output.1)-\($0.output.2)" }.lowercased()
    }

    private static func kind(of declared: Any) -> Kind? {
        switch declared {
        case is Option<String>, is Option<String?>: .text
        case is Option<Int>, is Option<Int?>: .number
        case is Option<[String]>: .list
        case is Flag<Bool>: .flag
        default: nil
        }
    }

    private static func value(of declared: Any) -> JSON? {
        switch declared {
        case let option as Option<String>: .string(option.wrappedValue)
        case let option as Option<String?>: option.wrappedValue.map { .string($0) }
        case let option as Option<Int>: .number(option.wrappedValue)
        case let option as Option<Int?>: option.wrappedValue.map { .number($0) }
        case let option as Option<[String]>: .array(option.wrappedValue.map { .string($0) })
        case let flag as Flag<Bool>: .boolean(flag.wrappedValue)
        default: nil
        }
    }
}

/// A group of options, of whichever type.
private protocol SettingGroup {
    associatedtype Options: ParsableArguments
    var options: Options { get }
    /// Without values.
    var declared: Options { get }
}

extension OptionGroup: SettingGroup {
    fileprivate var options: Value { wrappedValue }
    fileprivate var declared: Value { Value() }
}
