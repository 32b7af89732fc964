// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The forms in which other tools keep documents in JSON, recognised by the first object of a file.
package enum SeedFormat: String, Sendable, Hashable {
    /// Documents of the REST API, lists of them, and answers of `runQuery` and `batchGet`.
    case rest
    /// Of node-firestore-import-export: `{"__collections__": {"cities": {"SF": {…, "__collections__": {…}}}}}`.
    case importExport
    /// Of node-firestore-import-export, of one collection: `{"SF": {…, "__collections__": {…}}}`.
    case importExportCollection
    /// Of firestore-export-import: `{"cities": {"SF": {…, "subCollection": {…}}}}`.
    case exportImport
    /// Of firestore-backfire: `{"path": "cities/SF", "data": {…}}`.
    case backfire

    /// The name for people.
    package var name: String {
        switch self {
        case .rest: "the REST API"
        case .importExport, .importExportCollection: "node-firestore-import-export"
        case .exportImport: "firestore-export-import"
        case .backfire: "firestore-backfire"
        }
    }

    /// nil for what is read as it is. `hasCollection`: whether objects become documents of a collection that was named; then only
    /// what cannot be meant as the fields of a document is recognized.
    init?(_ text: UnsafeRawBufferPointer, hasCollection: Bool) {
        guard Self.isWorthALook(text), let object = try? JSON(text), case .object(let members) = object, !members.isEmpty else {
            return nil
        }
        if Self.isREST(object, allowsEmptyAnswer: !hasCollection) {
            self = .rest
        } else if case .object? = object["__collections__"] {
            self = .importExport
        } else if members.allSatisfy({ $0.value.isObject }), members.contains(where: { $0.value["__collections__"]?.isObject == true }) {
            self = .importExportCollection
        } else if !hasCollection, members.count == 2, case .string(let path)? = object["path"], object["data"]?.isObject == true,
            (try? PathCheck.documentKey(path)) != nil
        {
            self = .backfire
        } else if Self.isExportImport(members, hasCollection: hasCollection) {
            self = .exportImport
        } else {
            return nil
        }
    }

    /// Most files are what they seem: their first object is not parsed twice without reason.
    private static func isWorthALook(_ text: UnsafeRawBufferPointer) -> Bool {
        var scanner = JSONScanner(text)
        guard scanner.take(UInt8(ascii: "{")) else { return false }
        // A document of `hearth export`.
        do throws(JSONProblem) {
            let first = try scanner.string(of: try scanner.name())
            guard first == "path" else { return true }
            try scanner.skipValue(levels: TypedJSON.nesting)
            guard scanner.take(UInt8(ascii: ",")) else { return true }
            return try scanner.string(of: try scanner.name()) != "fields"
        } catch {
            return false
        }
    }

    // MARK: REST

    /// The members of an answer beside its document.
    private static let answerMembers: Set = [
        "document", "found", "missing", "transaction", "readTime", "skippedResults", "done", "explainMetrics",
    ]

    /// - Parameter allowsEmptyAnswer: Whether an object with nothing but the time of an answer is one.
    static func isREST(_ object: JSON, allowsEmptyAnswer: Bool = true) -> Bool {
        guard case .object(let members) = object else { return false }
        if isDocument(object) { return true }
        if case .array(let documents)? = object["documents"], documents.first.map(isDocument) == true { return true }
        guard members.allSatisfy({ answerMembers.contains($0.name) }) else { return false }
        if let document = object["document"] ?? object["found"] { return isDocument(document) }
        if case .string(let name)? = object["missing"] { return isName(name) }
        // An answer without a document: no result, or the end of them.
        guard allowsEmptyAnswer, case .string(let time)? = object["readTime"] else { return false }
        return TimestampValue(text: time) != nil
    }

    /// Whether an object may be an answer of the REST API without a document, or the fields of one with nothing but a time. What follows it
    /// decides.
    static func mayBeEmptyAnswer(_ text: UnsafeRawBufferPointer) -> Bool { (try? JSON(text)).map { isREST($0) } ?? false }

    private static func isDocument(_ object: JSON) -> Bool {
        guard case .object(let members) = object, case .string(let name)? = object["name"], isName(name) else { return false }
        let isKnown = members.allSatisfy { ["name", "fields", "createTime", "updateTime"].contains($0.name) }
        return isKnown && object["fields"]?.isObject != false
    }

    private static func isName(_ text: String) -> Bool { Array(text.utf8).withUnsafeBytes { ReferenceName($0) != nil } }

    // MARK: firestore-export-import

    /// Collections of documents by id: objects of objects. As the fields of a document that is ordinary, unless its mark is there.
    private static func isExportImport(_ members: [(name: String, value: JSON)], hasCollection: Bool) -> Bool {
        var isMarked = false
        var count = 0
        for (name, collection) in members {
            guard case .object(let documents) = collection, (try? PathCheck.collectionPath(name)) != nil else { return false }
            for document in documents {
                guard document.value.isObject else { return false }
                if document.value["subCollection"]?.isObject == true { isMarked = true }
                count += 1
            }
        }
        return count > 0 && (isMarked || !hasCollection)
    }
}

extension JSON {
    var isObject: Bool { if case .object = self { true } else { false } }
}
