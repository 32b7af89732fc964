// SPDX-License-Identifier: Apache-2.0

/// The content and order of an index: one entry per document, or per element for an array field.
///
/// A document has entries only if it has every field of the index. An index read backwards serves the reversed order, so a
/// definition represents both.
package struct IndexDefinition: Sendable {
    package enum Scope: String, Sendable, Hashable, CaseIterable {
        /// Each collection with the id separately.
        case collection
        /// All collections with the id together.
        case collectionGroup
    }

    package struct Field: Sendable, Hashable {
        package enum Mode: String, Sendable, Hashable, CaseIterable {
            case ascending, descending
            /// One entry per distinct element of an array; at most one such field per index.
            case arrayContains
        }

        package var path: FieldPathSegments
        package var mode: Mode

        package init(_ path: FieldPathSegments, _ mode: Mode = .ascending) {
            self.path = path
            self.mode = mode
        }
    }

    /// The last segment of the collections' paths.
    package let collectionID: String
    package let scope: Scope
    /// Without `__name__`, which follows all fields implicitly.
    package let fields: [Field]
    /// The direction of the document's name, by which entries with equal fields are ordered.
    package let nameDirection: SortOrder.Direction

    /// If `nameDirection` is nil, it is that of the last field (QR-54).
    package init(
        collectionID: String, scope: Scope = .collection, fields: [Field], nameDirection: SortOrder.Direction? = nil
    ) {
        self.collectionID = collectionID
        self.scope = scope
        self.fields = fields
        self.nameDirection = nameDirection ?? (fields.last?.mode == .descending ? .descending : .ascending)
    }

    /// Whether the service maintains such indexes automatically (DM-31).
    package var isSingleField: Bool { fields.count == 1 }

    /// Whether it is listed with the composite indexes. Others are settings of their field.
    package var isListed: Bool {
        !isSingleField || nameDirection != IndexDefinition(collectionID: collectionID, fields: fields).nameDirection
    }

    /// The definition that serves exactly the same queries, read backwards.
    package var reversed: IndexDefinition {
        IndexDefinition(
            collectionID: collectionID, scope: scope,
            fields: fields.map { field in
                switch field.mode {
                case .ascending: Field(field.path, .descending)
                case .descending: Field(field.path, .ascending)
                case .arrayContains: field
                }
            }, nameDirection: nameDirection.reversed)
    }
}

extension IndexDefinition: Hashable {
    /// Compares ids by UTF-8 bytes.
    package static func == (left: IndexDefinition, right: IndexDefinition) -> Bool {
        equalUTF8(left.collectionID, right.collectionID) && left.scope == right.scope
            && left.fields == right.fields && left.nameDirection == right.nameDirection
    }

    package func hash(into hasher: inout Hasher) {
        hashUTF8(collectionID, into: &hasher)
        hasher.combine(scope)
        hasher.combine(fields)
        hasher.combine(nameDirection)
    }
}

extension IndexDefinition: CustomStringConvertible {
    /// `cities(country, population desc)`; `group landmarks(tags array)`
    package var description: String {
        let columns = fields.map { field in
            switch field.mode {
            case .ascending: field.path.canonical
            case .descending: field.path.canonical + " desc"
            case .arrayContains: field.path.canonical + " array"
            }
        }
        let isUsual = nameDirection == IndexDefinition(collectionID: "", fields: fields).nameDirection
        let name = isUsual ? [] : ["__name__" + (nameDirection == .descending ? " desc" : "")]
        return (scope == .collection ? "" : "group ") + collectionID
            + "(" + (columns + name).joined(separator: ", ") + ")"
    }
}
