// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// A page of a list that fits into memory.
struct AdminPage<Element> {
    let elements: [Element]
    /// nil after the last page.
    let next: JSON?

    /// - Parameters:
    ///   - all: Sorted by their keys.
    ///   - key: What a page token names: the page begins behind it, also if the element is gone.
    static func of(_ all: [Element], _ request: JSON, key: (Element) -> String) throws(FirestoreError) -> AdminPage {
        let size = request.integer("pageSize")
        guard size >= 0 else { throw .invalidArgument("the page size must not be negative", at: "pageSize") }
        var rest = all[...]
        let token = request.text("pageToken")
        if !token.isEmpty {
            guard let bytes = Base64.decode(token), let last = String(validating: bytes, as: UTF8.self) else {
                throw .invalidArgument("the page token is none of this list; begin with the first page", at: "pageToken")
            }
            rest = rest.drop { compareUTF8(key($0), last) <= 0 }
        }
        let elements = Array(rest.prefix(size == 0 ? 300 : min(size, 1_000)))
        let next = elements.count < rest.count ? elements.last.map { JSON.string(Base64.encode(Array(key($0).utf8))) } : nil
        return AdminPage(elements: elements, next: next)
    }
}
