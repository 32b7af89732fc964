// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules
import FirestoreSemantics
import TestSupport

/// A ruleset and requests, with what Google's emulator decided about them: a line of `dev/oracle rules`.
struct RecordedCase {
    struct Request {
        let operation: RulesRequest.Operation
        let caller: RequestContext.Caller
        let isGranted: Bool
        /// What the last statement came to, if the request was denied.
        let outcome: String
        /// The request as sent.
        let text: String
    }

    let seed: Int64
    let rules: String
    /// Why the ruleset does not compile.
    let errors: String?
    let documents: [Document]
    let requests: [Request]

    init(_ line: some Sequence<UInt8>) throws {
        let node = JSONNode(try JSON(line))
        seed = try node.required("seed").integer()
        rules = try node.required("rules").string()
        errors = try node.optional("errors")?.string()
        documents = try node.elements("documents").map { try Document($0, in: database) }
        requests = try node.elements("requests").map { try Request($0) }
    }
}

extension RecordedCase.Request {
    init(_ node: JSONNode) throws {
        isGranted = try node.required("answer").string() == "allow"
        outcome = try node.optional("outcome")?.string() ?? ""
        text = node.json.text()
        if let claims = try node.optional("as") {
            caller = .user(id: try claims.required("sub").string(), claims: FieldMap(try claims.entries().map { ($0.name, Self.claim($0.node.json)) }))
        } else {
            caller = .anonymous
        }
        if let query = try node.optional("query") {
            let parent = try node.optional("parent").map { DocumentKey(trusted: try $0.string()) }
            operation = .list(try StructuredQuery(query, under: parent))
        } else if let writes = try node.optional("commit") {
            operation = .commit(try writes.elements().map(Self.write))
        } else {
            operation = .get(try node.elements("get").map { DocumentKey(trusted: try $0.string()) })
        }
    }

    private static func claim(_ json: JSON) -> Value {
        switch json {
        case .boolean(let value): .boolean(value)
        case .number(let text): .integer(Int64(text) ?? 0)
        case .string(let text): .string(text)
        case .array(let elements): .array(elements.map(claim))
        default: .null
        }
    }

    private static func write(_ node: JSONNode) throws -> Write {
        let precondition = try node.optional("currentDocument").map { Precondition.exists(try $0.required("exists").boolean()) }
        if let name = try node.optional("delete") {
            return Write(key: try DocumentKey(name, in: database), operation: .delete, precondition: precondition)
        }
        let document = try Document(try node.required("update"), in: database)
        let mask = try node.optional("updateMask").map { try $0.elements("fieldPaths").map { FieldPathSegments(try $0.string()) } }
        return Write(
            key: document.key, operation: mask.map { .patch(document.fields, mask: $0) } ?? .set(document.fields), precondition: precondition,
            transforms: try node.elements("updateTransforms").map(transform))
    }

    private static func transform(_ node: JSONNode) throws -> FieldTransform {
        func values(_ name: String) throws -> [Value]? { try node.optional(name).map { try $0.elements("values").map { try Value($0) } } }
        let path = FieldPathSegments(try node.required("fieldPath").string())
        if let value = try node.optional("increment") { return FieldTransform(path: path, kind: .increment(try Value(value))) }
        if let value = try node.optional("maximum") { return FieldTransform(path: path, kind: .maximum(try Value(value))) }
        if let value = try node.optional("minimum") { return FieldTransform(path: path, kind: .minimum(try Value(value))) }
        if let values = try values("appendMissingElements") { return FieldTransform(path: path, kind: .appendMissingElements(values)) }
        return FieldTransform(path: path, kind: .removeAllFromArray(try values("removeAllFromArray") ?? []))
    }
}
