// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A method of the admin API called over REST: makes its request of the URL and the body, and text of the answer.
package struct AdminCall: Sendable {
    package let method: AdminMethod
    private let route: AdminRoute
    private let resource: String
    private let query: [(name: String, value: String)]
    private let form: AnswerForm

    init(
        _ method: AdminMethod, _ route: AdminRoute, resource: String, query: [(name: String, value: String)]
    ) throws(FirestoreError) {
        self.method = method
        self.route = route
        self.resource = resource
        self.query = query
        form = try AnswerForm(query, of: nil)
    }

    /// The request in the spelling that methods read. An empty body represents an empty message.
    package func request(body: ByteSlice) throws(FirestoreError) -> JSON {
        var request = JSON.object([])
        let text = body.withUnsafeBytes { Array($0) }
        if !text.allSatisfy({ $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) {
            let json = try JSON(text)
            switch route.body {
            case .none: break
            case .request: request = json
            case .field(let name): request = .object([(name, json)])
            }
        }
        request = try method.request.checked(request)
        for (name, value) in query where !RESTCall.systemParameters.contains(name) {
            try request.set(parameter: name, to: value, in: method.request)
        }
        request = try method.request.checked(request)
        request.set(route.resource.split(separator: ".").map { String($0) }[...], to: .string(resource))
        return request
    }

    /// The text of an answer, with the fields and in the layout that the URL asks for.
    package func text(_ answer: JSON) -> [UInt8] { form.bytes(answer) }
}

extension JSON {
    /// Sets a member, making the objects around it, and replacing an existing one.
    fileprivate mutating func set(_ path: ArraySlice<String>, to value: JSON) {
        guard let name = path.first else {
            self = value
            return
        }
        var inner = self[name] ?? .object([])
        inner.set(path.dropFirst(), to: value)
        setMember(name, inner)
    }

    /// Sets a member of an object; nil removes it.
    package mutating func setMember(_ name: String, _ value: JSON?) {
        var members: [(name: String, value: JSON)] = []
        if case .object(let present) = self { members = present }
        let place = members.firstIndex { equalUTF8($0.name, name) }
        switch (place, value) {
        case (let place?, let value?): members[place].value = value
        case (let place?, nil): members.remove(at: place)
        case (nil, let value?): members.append((name, value))
        case (nil, nil): break
        }
        self = .object(members)
    }

    /// `updateMask=ttlConfig`, `collectionIds=a&collectionIds=b`
    fileprivate mutating func set(parameter: String, to text: String, in type: AdminMessage) throws(FirestoreError) {
        let unknown = FirestoreError.invalidArgument(
            "the URL has an unknown parameter, or a parameter with an invalid value", at: parameter)
        var (path, type, field) = ([String](), type as AdminMessage?, nil as AdminField?)
        for name in parameter.split(separator: ".", omittingEmptySubsequences: false) {
            guard let found = type?.fields.first(where: { $0.isCalled(String(name)) }) else { throw unknown }
            path.append(found.name)
            field = found
            if case .message(let inner) = found.kind { type = inner } else { type = nil }
        }
        guard let field, let value = Self.value(text, field.kind) else { throw unknown }
        switch field.shape {
        case .single, .oneof: set(path[...], to: value)
        case .repeated:
            var elements: [JSON] = []
            if case .array(let present)? = path.reduce(self as JSON?, { $0?[$1] }) { elements = present }
            set(path[...], to: .array(elements + [value]))
        case .map: throw unknown
        }
    }

    private static func value(_ text: String, _ kind: AdminField.Kind) -> JSON? {
        switch kind {
        case .boolean: text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
        case .int32: Int32(text).map { .number($0) }
        case .enumeration: Int(text).map { .number($0) } ?? .string(text)
        case .message, .any: nil
        case .string, .int64, .bytes, .timestamp, .duration, .fieldMask: .string(text)
        }
    }
}
