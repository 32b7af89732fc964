// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A method called over REST: creates the request message as received by gRPC, and JSON from the answer of gRPC.
package struct RESTCall: Sendable {
    package let method: FirestoreMethod
    /// The full name of the document, the parent or the database in the path.
    package let resource: String
    package let collectionID: String?
    package let query: [(name: String, value: String)]
    private let form: AnswerForm

    init(
        _ method: FirestoreMethod, resource: String, collectionID: String? = nil, query: [(name: String, value: String)]
    ) throws(FirestoreError) {
        form = try AnswerForm(query, of: method.messages.response)
        self.method = method
        self.resource = resource
        self.collectionID = collectionID
        self.query = query
    }

    /// The request message. An empty body represents an empty message.
    package func requestBytes(body: ByteSlice) throws(FirestoreError) -> ByteSlice {
        let type = method.messages.request
        var converter = ProtobufFromJSON(capacity: body.count / 2 + 1_024)
        if !body.withUnsafeBytes({ $0.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 } }) {
            switch method.body {
            case .none: break
            case .request: try converter.append(body, as: type)
            case .document: try converter.append(body, as: .document, inField: type.field(called: "document")?.number)
            }
        }
        // The parameters of the URL take precedence: they come last.
        try converter.append(ByteSlice(try ofURL(type).bytes()), as: type)
        return converter.message
    }

    /// The part of the request that is in the URL.
    private func ofURL(_ type: MessageType) throws(FirestoreError) -> JSON {
        var request = JSON.object([])
        request.set(method.resource.split(separator: ".").map { String($0) }[...], to: .string(resource))
        if let collectionID { request.set(["collectionId"], to: .string(collectionID)) }
        for (name, value) in query where !Self.systemParameters.contains(name) {
            try request.set(parameter: name, to: value, in: type)
        }
        return request
    }

    /// One message of the answer. A stream puts them into an array, separated by commas (HT-3).
    package func responseJSON(_ bytes: ByteSlice) throws(FirestoreError) -> [UInt8] {
        form.bytes(try JSONFromProtobuf.json(bytes, as: method.messages.response))
    }

    /// An answer that may be large, in pieces; nil for methods whose answers are not.
    package func responsePieces(_ message: [UInt8]) -> AnswerPieces? {
        guard method == .listDocuments else { return nil }
        return AnswerPieces(message, as: .listDocumentsResponse, in: form)
    }

    /// The URL parameters that all of Google's APIs accept. `AnswerForm` reads some of them; the others have no effect.
    static let systemParameters: Set = [
        "alt", "$alt", "key", "fields", "$fields", "prettyPrint", "$prettyPrint", "pp", "access_token", "oauth_token", "quotaUser",
        "callback", "$callback", "uploadType", "upload_protocol", "userProject", "$userProject", "$.xgafv", "$.ct",
        "$httpHeaders",
    ]
}

extension JSON {
    /// Sets a member, creating the objects around it, and replacing an existing one.
    fileprivate mutating func set(_ path: ArraySlice<String>, to value: JSON) {
        guard let name = path.first else {
            self = value
            return
        }
        var members: [(name: String, value: JSON)] = []
        if case .object(let present) = self { members = present }
        var inner = members.last { $0.name == name }?.value ?? .object([])
        inner.set(path.dropFirst(), to: value)
        members.removeAll { $0.name == name }
        members.append((name, inner))
        self = .object(members)
    }

    private func member(_ path: [String]) -> JSON? {
        path.reduce(self as JSON?) { json, name in json?[name] }
    }

    /// `mask.fieldPaths=a&mask.fieldPaths=b`
    fileprivate mutating func set(parameter: String, to text: String, in type: MessageType) throws(FirestoreError) {
        var path: [String] = []
        var type: MessageType? = type
        var field: MessageSchema?
        for name in parameter.split(separator: ".", omittingEmptySubsequences: false) {
            guard let found = type?.field(called: String(name)) else { throw Self.unknown(parameter) }
            path.append(found.name)
            field = found
            if case .message(let inner) = found.kind { type = inner } else { type = nil }
        }
        guard let field, let value = Self.value(text, field.kind) else { throw Self.unknown(parameter) }
        switch field.shape {
        case .single, .oneof: set(path[...], to: value)
        case .repeated:
            var elements: [JSON] = []
            if case .array(let present)? = member(path) { elements = present }
            set(path[...], to: .array(elements + [value]))
        case .map: throw Self.unknown(parameter)
        }
    }

    private static func unknown(_ parameter: String) -> FirestoreError {
        .invalidArgument("the URL has an unknown parameter, or a parameter with an invalid value", at: parameter)
    }

    private static func value(_ text: String, _ kind: MessageSchema.Kind) -> JSON? {
        switch kind {
        case .boolean: text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
        case .message, .structure, .duration, .null, .anyString, .opaque: nil
        default: .string(text)
        }
    }
}
