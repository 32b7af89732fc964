// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The form of the answer as requested in a URL: which fields (`fields`), and whether formatted for reading (`prettyPrint`).
///
/// Both are read before the method runs, so that a request with an error in them changes nothing.
struct AnswerForm: Sendable {
    private var selection: FieldSelection?
    private(set) var isCompact = false

    init(_ query: [(name: String, value: String)], of type: MessageType?) throws(FirestoreError) {
        var fields: [String] = []
        for (name, value) in query {
            switch name {
            case "fields", "$fields": if !value.utf8.isEmpty { fields.append(value) }
            case "prettyPrint", "$prettyPrint", "pp":
                switch value {
                case "true", "1", "": isCompact = false
                case "false", "0": isCompact = true
                default: throw .invalidArgument("true or false is expected", at: name)
                }
            default: break
            }
        }
        guard !fields.isEmpty else { return }
        selection = try FieldSelection(fields.joined(separator: ","), of: type)
    }

    func bytes(_ json: JSON) -> [UInt8] { text(selected(json), level: 0) }

    func selected(_ json: JSON) -> JSON { selection?.apply(to: json) ?? json }

    /// The text of a value that stands so many levels deep in an answer.
    func text(_ json: JSON, level: Int) -> [UInt8] { json.bytes(isCompact ? .compact : .indented, level: level) }
}
