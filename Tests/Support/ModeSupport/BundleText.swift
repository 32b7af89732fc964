// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
package import Foundation

/// Puts bundles together for tests, as a server does.
package struct BundleText {
    package var id = "test"
    /// Microseconds since 1970.
    package var createTime: Int64 = 1_000_000
    package let project: String
    package private(set) var elements: [String] = []
    package private(set) var documents = 0

    package init(project: String) { self.project = project }

    private var root: String { "projects/\(project)/databases/(default)/documents" }

    package static func time(_ microseconds: Int64) -> String { TimestampValue(microsecondsSince1970: microseconds).text }

    package mutating func add(_ element: String) { elements.append(element) }

    /// A document with one number, in the state of its last change before a time.
    package mutating func document(_ path: String, n: Int, updated: Int64 = 1_000_000) {
        document(path, fields: #"{"n":{"integerValue":"\#(n)"}}"#, updated: updated)
    }

    package mutating func document(_ path: String, fields: String, updated: Int64 = 1_000_000) {
        let time = Self.time(updated)
        add(#"{"documentMetadata":{"name":"\#(root)/\#(path)","readTime":"\#(time)","exists":true,"queries":[]}}"#)
        add(#"{"document":{"name":"\#(root)/\#(path)","fields":\#(fields),"createTime":"\#(time)","updateTime":"\#(time)"}}"#)
        documents += 1
    }

    package mutating func missing(_ path: String, read: Int64) {
        add(#"{"documentMetadata":{"name":"\#(root)/\#(path)","readTime":"\#(Self.time(read))","exists":false}}"#)
        documents += 1
    }

    package mutating func query(_ name: String, _ structuredQuery: String, limitType: String? = "FIRST") {
        let limit = limitType.map { #","limitType":"\#($0)""# } ?? ""
        add(
            #"{"namedQuery":{"name":"\#(name)","bundledQuery":{"parent":"\#(root)","structuredQuery":\#(structuredQuery)\#(limit)},"#
                + #""readTime":"\#(Self.time(createTime))"}}"#)
    }

    package static func framed(_ element: String) -> String { "\(element.utf8.count)\(element)" }

    package var body: String { elements.map(Self.framed).joined() }

    package func text(documents: Int? = nil, bytes: Int? = nil, version: Int = 1) -> String {
        let metadata =
            #"{"metadata":{"id":"\#(id)","createTime":"\#(Self.time(createTime))","version":\#(version),"#
            + #""totalDocuments":\#(documents ?? self.documents),"totalBytes":"\#(bytes ?? body.utf8.count)"}}"#
        return Self.framed(metadata) + body
    }

    package var data: Data { Data(text().utf8) }
}
