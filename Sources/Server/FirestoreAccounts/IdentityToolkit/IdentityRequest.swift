// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import HearthBase

/// A request in the protocol of Identity Toolkit, after the transport has checked the credentials.
package struct IdentityRequest: Sendable {
    package enum Caller: Sendable {
        /// Neither an API key nor credentials.
        case none
        /// A client, with an API key.
        case client
        /// An administrator: `owner` in development mode, the administrator key in production.
        case administrator
    }

    package let method: String
    /// As sent, without the query: `/identitytoolkit.googleapis.com/v1/accounts:signUp`.
    package let path: String
    package let query: [(name: String, value: String)]
    /// The body: a JSON object, an empty one if there is none. Forms of `/v1/token` are turned into it by `body(form:)`.
    package let body: JSON
    package let caller: Caller
    /// The address of the client, for limits.
    package let address: String
    /// The key of the app, if it sends one in a header; otherwise it is in the query.
    package var headerKey: String?

    package init(
        method: String, path: String, query: [(name: String, value: String)] = [], body: JSON = .object([]), caller: Caller, address: String
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.caller = caller
        self.address = address
    }

    /// The fields of `application/x-www-form-urlencoded` as a JSON object.
    package static func body(form text: Substring) -> JSON {
        .object(PercentEncoding.parameters(of: text).map { ($0.name, .string($0.value)) })
    }

    var isPrivileged: Bool { caller == .administrator }

    func parameter(_ name: String) -> String? { query.last { equalUTF8($0.name, name) }?.value }

    var apiKey: String? { parameter("key") ?? headerKey }

    // MARK: Fields

    /// A text; empty and missing are the same in proto3.
    func text(_ name: String) throws(AccountError) -> String? {
        switch body[name] {
        case nil, .null?, .string("")?: return nil
        case .string(let text)?: return text
        default: throw Self.invalid(name, "a string")
        }
    }

    /// A field that has another name in forms.
    func text(_ name: String, or other: String) throws(AccountError) -> String? {
        if let text = try text(name) { return text }
        return try text(other)
    }

    func flag(_ name: String) throws(AccountError) -> Bool? {
        switch body[name] {
        case nil, .null?: return nil
        case .boolean(let flag)?: return flag
        default: throw Self.invalid(name, "true or false")
        }
    }

    func number(_ name: String) throws(AccountError) -> Int64? {
        switch body[name] {
        case nil, .null?: return nil
        case .number(let text)?, .string(let text)?:
            guard let number = Int64(text) else { throw Self.invalid(name, "a whole number") }
            return number
        default: throw Self.invalid(name, "a whole number")
        }
    }

    /// A list of texts, or one text.
    func texts(_ name: String) throws(AccountError) -> [String] {
        switch body[name] {
        case nil, .null?: return []
        case .string(let text)?: return [text]
        case .array(let elements)?:
            guard elements.count <= 1_000 else { throw Self.invalid(name, "at most 1000 elements") }
            var texts: [String] = []
            for element in elements {
                guard case .string(let text) = element else { throw Self.invalid(name, "a list of strings") }
                texts.append(text)
            }
            return texts
        default: throw Self.invalid(name, "a list of strings")
        }
    }

    private static func invalid(_ name: String, _ expected: String) -> AccountError {
        AccountError("Invalid value at '\(name)': \(expected) is expected", canonicalName: "INVALID_ARGUMENT")
    }
}

/// The answer to a request: a status and a JSON object.
package struct IdentityResponse: Sendable {
    package let status: Int
    package let body: JSON
    /// A sentence for the log of the server, if the response conceals the reason.
    package var note: String?

    package init(_ body: JSON, status: Int = 200) {
        self.status = status
        self.body = body
    }

    /// The error form of Identity Toolkit (AU-22).
    package init(_ error: AccountError) {
        status = error.status
        // Messages of internal failures are for the server's log only. The caller learns that a method does not exist.
        let isInternal = error.status >= 500 && error.status != 501
        let message = isInternal ? error.code : error.message
        var members: [(name: String, value: JSON)] = [
            ("code", .number(error.status)), ("message", .string(message)),
            (
                "errors",
                .array([.object([("message", .string(message)), ("reason", .string("invalid")), ("domain", .string("global"))])])
            ),
        ]
        if let name = error.canonicalName { members.append(("status", .string(name))) }
        body = .object([("error", .object(members))])
        if isInternal { note = error.message }
    }
}
