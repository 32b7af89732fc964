// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import Foundation

/// A command line, completed by the environment, and then by the file. Defaults are those of the options.
struct SettingLayers {
    private(set) var options: ServeCommand
    /// The command line by itself.
    let commandLine: ServeCommand
    /// The names of the settings with a value from any layer.
    private var given: Set<String>
    private var words: [String]

    /// - Parameters:
    ///   - words: The command line.
    ///   - parsed: What it was parsed to, if it was.
    init(_ words: [String], parsed: ServeCommand? = nil, environment: [String: String]) throws {
        try SettingNames.check(environment: environment)
        self.words = words
        commandLine = try parsed ?? ServeCommand.parse(words)
        options = commandLine
        given = Set(Setting.all.filter { $0.isGiven(in: words) }.map(\.name))
        try complete { setting throws in
            guard let text = environment[setting.variable] else { return nil }
            guard let value = setting.kind.value(ofVariable: text) else {
                throw ValidationError("the environment variable \(setting.variable) is not \(setting.kind.description)")
            }
            return value
        }
        if let path = options.config ?? environment[Setting.prefix + "CONFIG"] {
            let file = try SettingFile(path)
            try complete { file.values[$0.name] }
        }
        if self.words != words { options = try ServeCommand.parse(self.words) }
    }

    func isGiven(_ name: String) -> Bool { given.contains(name) }

    /// Sets what earlier layers have not given.
    private mutating func complete(from layer: (Setting) throws -> JSON?) throws {
        // One of these two replaces the other of a later layer.
        let places = Setting.all.filter { $0.name == "data" || $0.name == "in-memory" }
        let known = places.contains { $0.isGiven(in: words) } ? given.union(places.map(\.name)) : given
        for setting in Setting.all where !known.contains(setting.name) {
            guard let value = try layer(setting) else { continue }
            words += setting.words(for: value)
            given.insert(setting.name)
        }
    }
}

extension Setting.Kind: CustomStringConvertible {
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
