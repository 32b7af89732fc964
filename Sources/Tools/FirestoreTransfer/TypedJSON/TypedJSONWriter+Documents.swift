// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Documents as objects that `TypedJSONReader` reads.
extension TypedJSONWriter {
    /// Writes `{"path": "cities/SF", "fields": {…}}`, optionally with the document's times.
    package mutating func append(_ document: Document, withTimes: Bool = false, level: Int = 0) throws(FirestoreError) {
        beginDocument(document.key, level: level)
        separate(level: level + 1)
        try appendFields(of: document, level: level)
        if withTimes { appendTimes(of: document, level: level) }
        endDocument(level: level)
    }

    /// Writes `{"path": "cities/SF"`; members follow.
    package mutating func beginDocument(_ key: DocumentKey, level: Int = 0) {
        append(raw: "{")
        breakLine(level: level + 1)
        append(name: "path")
        append(string: key.path)
    }

    package mutating func appendFields(of document: Document, level: Int = 0) throws(FirestoreError) {
        append(name: "fields")
        do throws(FirestoreError) {
            try append(document.fields, level: level + 1)
        } catch {
            throw error.located(at: document.key.path)
        }
    }

    package mutating func appendTimes(of document: Document, level: Int = 0) {
        for (name, time) in [("createTime", document.createTime), ("updateTime", document.updateTime)] {
            append(member: name, string: time.timestamp.text, level: level)
        }
    }

    /// Writes another member of an object.
    package mutating func append(member name: String, string text: String, level: Int = 0) {
        separate(level: level + 1)
        append(name: name)
        append(string: text)
    }

    package mutating func endDocument(level: Int = 0) {
        breakLine(level: level)
        append(raw: "}")
    }
}
