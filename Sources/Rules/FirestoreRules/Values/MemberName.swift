// SPDX-License-Identifier: Apache-2.0
/// A member of `request`, of the maps in it, or of a document.
enum MemberName: String, Sendable {
    case auth, fields, headers, inTransaction, method, path, query, resource, time, writeFields
    case token, uid
    case allDescendants, distinct, groupBy, kind, limit, offset, orderBy, parent, selectOnlyKeys
    case data, id
    case name = "__name__"
}
