// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// Puts bundles together for tests, as a server does.
struct BundleText {
    var id = "test"
    /// Microseconds since 1970.
    var createTime: Int64 = 1_000_000
    let project: String
    private(set) var elements: [String] = []
    private(set) var documents = 0

    init(project: String) { self.project = project }

    private var root: String { "projects/\(project)/databases/(default)/documents" }

    static func time(_ microseconds: Int64) -> String { TimestampValue(microsecondsSince1970: microseconds).text }

    mutating func add(_ element: String) { elements.append(element) }

    /// A document with one number, in the state of its last change before a time.
    mutating func document(_ path: String, n: Int, updated: Int64 = 1_000_000) {
        document(path, fields: #"{"n":{"integerValue":"\#(n)"}}"#, updated: updated)
    }

    mutating func document(_ path: String, fields: String, updated: Int64 = 1_000_000) {
        let time = Self.time(updated)
        add(#"{"documentMetadata":{"name":"\#(root)/\#(path)","readTime":"\#(time)","exists":true,"queries":[]}}"#)
        add(#"{"document":{"name":"\#(root)/\#(path)","fields":\#(fields),"createTime":"\#(time)","updateTime":"\#(time)"}}"#)
        documents += 1
    }

    mutating func missing(_ path: String, read: Int64) {
        add(#"{"documentMetadata":{"name":"\#(root)/\#(path)","readTime":"\#(Self.time(read))","exists":false}}"#)
        documents += 1
    }

    mutating func query(_ name: String, _ structuredQuery: String, limitType: String? = "FIRST") {
        let limit = limitType.map { #","limitType":"\#($0)""# } ?? ""
        add(
            #"{"namedQuery":{"name":"\#(name)","bundledQuery":{"parent":"\#(root)","structuredQuery":\#(structuredQuery)\#(limit)},"#
                + #""readTime":"\#(Self.time(createTime))"}}"#)
    }

    static func framed(_ element: String) -> String { "\(element.utf8.count)\(element)" }

    var body: String { elements.map(Self.framed).joined() }

    func text(documents: Int? = nil, bytes: Int? = nil, version: Int = 1) -> String {
        let metadata =
            #"{"metadata":{"id":"\#(id)","createTime":"\#(Self.time(createTime))","version":\#(version),"#
            + #""totalDocuments":\#(documents ?? self.documents),"totalBytes":"\#(bytes ?? body.utf8.count)"}}"#
        return Self.framed(metadata) + body
    }

    var data: Data { Data(text().utf8) }
}
