// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreEvents
import FirestoreServer
import Foundation

/// A file of triggers: `{"triggers": [{"name": …, "document": …, "on": [ … ], "url": …}]}`.
package struct TriggerFile: Sendable {
    /// Something in the file cannot be used.
    package struct Mistake: Error, CustomStringConvertible {
        package let path: String
        package let line: Int
        package let message: String

        package var description: String { "\(path):\(line): \(message)" }
    }

    package let triggers: [WebhookTrigger]

    /// - Parameters:
    ///   - path: For messages; the paths of secrets are relative to its folder.
    ///   - project: The project of triggers without a database.
    ///   - exists: Whether there is a database, or it may come into being.
    package init(
        _ text: [UInt8], path: String, project: String?, exists: @escaping (DatabaseID) -> Bool = { _ in true }
    ) throws(Mistake) {
        let json: JSON
        do throws(FirestoreError) {
            json = try JSON(text)
        } catch {
            let byte = error.location.flatMap { Int($0.dropFirst("byte ".count)) } ?? 0
            throw Mistake(path: path, line: JSONTextLines.line(ofByte: byte, in: text), message: error.message)
        }
        do throws(FirestoreError) {
            // Up to the last slash, by hand: Foundation crashes for some paths without one.
            let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
            triggers = try TriggerReader(folder: folder, project: project, exists: exists).triggers(JSONNode(json))
        } catch {
            throw Mistake(
                path: path, line: JSONTextLines(text).line(of: error.location ?? ""),
                message: error.location.map { $0.isEmpty ? error.message : "\($0): \(error.message)" } ?? error.message)
        }
    }

    package init(reading path: String, project: String?, exists: @escaping (DatabaseID) -> Bool = { _ in true }) throws(Mistake) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Mistake(path: path, line: 1, message: "the file of triggers does not exist or cannot be read")
        }
        try self.init([UInt8](data), path: path, project: project, exists: exists)
    }
}
