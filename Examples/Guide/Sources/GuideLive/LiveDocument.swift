// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import Guide

/// A document of a section: what the section's code makes of it is reported with every change.
@MainActor
struct LiveDocument {
    let path: String
    /// Reports what the code of the section makes of a snapshot.
    let read: @MainActor (DocumentSnapshot, Report) -> Void
    /// Decodes the document and writes the decoded value back; nil where the section does not write.
    let writeBack: (@MainActor (DocumentSnapshot) throws -> Void)?
}

extension LiveDocument {
    /// Read with `data(as:)`, written with `setData(from:)`.
    static func mapped<Value: Codable>(
        _ path: String, as type: Value.Type, more: @escaping @MainActor (Value) -> [(String, Any)] = { _ in [] }
    ) -> LiveDocument {
        LiveDocument(path: path) { snapshot, report in
            do {
                let value = try snapshot.data(as: Value.self)
                let lines = more(value).map { "// \($0): \(SwiftListing.describe($1))" }
                report.decoded(([SwiftListing.describe(value, width: Report.width)] + lines).joined(separator: "\n"))
            } catch {
                report.failed(error)
            }
        } writeBack: { snapshot in
            try snapshot.reference.setData(from: snapshot.data(as: Value.self))
        }
    }

    /// Read by a view model of the guide, which reports when it is done.
    static func fetched(_ path: String, by fetch: @escaping @MainActor (Report) -> Void) -> LiveDocument {
        LiveDocument(path: path, read: { _, report in fetch(report) }, writeBack: nil)
    }
}
