// SPDX-License-Identifier: Apache-2.0
import FirestoreSchema

/// Which documents are looked at.
struct SchemaRequest: Sendable {
    var collection: String
    var isGroup = false
    /// With a file: the field with the id.
    var idField: String?
    var readsAll = false
    var limit: Int?
    var conditions: [String] = []
    var looksBelow = false
    var isQuiet = false
    /// Documents that are counted already; nil: each document read is counted.
    var counted: CountedDocuments?
}
