// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import Foundation

/// A pipeline in a file or on standard input: in its text form, or as JSON of the REST API.
struct PipelineFile {
    var pipeline: PipelineRequest
    /// Only JSON names one.
    var moment = ReadMoment.latest

    /// `name`: a path, or `-` for standard input.
    init(_ name: String) throws(FirestoreError) {
        let isInput = name.utf8.elementsEqual("-".utf8)
        do throws(FirestoreError) {
            let text = isInput ? try JSONArgument.standardInput() : try Self.contents(of: name)
            if text.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
                try self.init(json: text)
            } else {
                try self.init(text: text)
            }
        } catch {
            throw error.inArgument(isInput ? "standard input" : name)
        }
    }

    private static func contents(of path: String) throws(FirestoreError) -> [UInt8] {
        do {
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw FirestoreError(.notFound, "the file cannot be read", cause: error)
        }
    }

    private init(text: [UInt8]) throws(FirestoreError) {
        guard text.withUnsafeBytes(isValidUTF8) else { throw .invalidArgument("the text is not valid UTF-8") }
        do throws(PipelineTextMistake) {
            pipeline = try PipelineText.parse(String(decoding: text, as: UTF8.self))
        } catch {
            throw error.error
        }
    }

    private init(json text: [UInt8]) throws(FirestoreError) {
        // The options of the command name the database.
        let message = try ExecutePipelineRequest(body: try JSON(text), of: DatabaseID(projectID: "p", databaseID: "d"))
        pipeline = message.pipeline
        switch message.consistency {
        case .latest: break
        case .readTime(let time): moment = .past(DocumentVersion(microseconds: time.microsecondsSince1970))
        case .transaction, .newTransaction:
            throw .invalidArgument("a transaction cannot be named here; remove the members transaction and newTransaction")
        }
    }
}
