// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore

/// Conditions on a document: if one does not hold, nothing is written and the command ends with 1.
struct PreconditionOptions: ParsableArguments {
    @Flag(help: "Only if the document exists.")
    var ifExists = false

    @Option(help: ArgumentHelp("Only if the document was last changed at exactly this time, as `get` prints it.", valueName: "time"))
    var ifUpdatedAt: String?

    func validate() throws {
        if ifExists, ifUpdatedAt != nil { throw ValidationError("--if-updated-at includes --if-exists; omit --if-exists") }
    }

    var precondition: Precondition? {
        get throws(FirestoreError) {
            guard let text = ifUpdatedAt else { return ifExists ? .exists(true) : nil }
            guard let time = TimestampValue(text: text) else {
                throw .invalidArgument("a time is expected, as in 2026-11-21T09:30:00.123456Z", at: "--if-updated-at \(text)")
            }
            return .updateTime(DocumentVersion(microseconds: time.microsecondsSince1970))
        }
    }
}
