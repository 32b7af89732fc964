// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import Logging

/// Writes log records to standard error, one line each, as text or JSON.
struct ServerLogHandler: LogHandler {
    let label: String
    let format: ServeSettings.LogFormat
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    init(label: String, format: ServeSettings.LogFormat, level: Logger.Level) {
        self.label = label
        self.format = format
        logLevel = level
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata { all.merge(own) { $1 } }
        let time = DocumentVersion(microseconds: SystemClock().now()).timestamp.text
        let pairs = all.map { ($0.key, "\($0.value)") }.sorted { $0.0 < $1.0 }
        let line =
            switch format {
            case .text: Self.text(time, event, pairs)
            case .json: json(time, event, pairs)
            }
        // One write, so that the lines of several threads do not interleave.
        StandardError.say(line)
    }

    private static func text(_ time: String, _ event: LogEvent, _ pairs: [(String, String)]) -> String {
        var line = "\(time) \(event.level) \(singleLine(event.message.description))"
        for (key, value) in pairs {
            line += " \(key)=" + (value.contains(where: { $0 == " " || $0 == "\"" }) ? JSON.string(value).text() : singleLine(value))
        }
        return line
    }

    private func json(_ time: String, _ event: LogEvent, _ pairs: [(String, String)]) -> String {
        let fixed: [(name: String, value: JSON)] = [
            ("time", .string(time)), ("level", .string(event.level.rawValue)), ("logger", .string(label)),
            ("message", .string(event.message.description)),
        ]
        return JSON.object(fixed + pairs.map { (name: $0.0, value: JSON.string($0.1)) }).text()
    }

    private static func singleLine(_ text: String) -> String {
        text.contains(where: \.isNewline) ? text.split(whereSeparator: \.isNewline).joined(separator: " | ") : text
    }
}
