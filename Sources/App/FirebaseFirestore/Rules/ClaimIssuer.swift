// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// Makes the claims of users who have no token: those of an ID token of the project, fresh for an hour.
struct ClaimIssuer: Sendable {
    let projectID: String
    let clock: any WallClock

    func claims(of uid: String, adding claims: [String: SecurityRules.Claim] = [:]) -> FieldMap {
        let now = clock.now() / 1_000_000
        let firebase = FieldMap([("sign_in_provider", .string("custom")), ("identities", .map(FieldMap()))])
        let standard: [(String, Value)] = [
            ("iss", .string("https://securetoken.google.com/\(projectID)")), ("aud", .string(projectID)), ("iat", .integer(now)),
            ("exp", .integer(now + 3_600)), ("auth_time", .integer(now)), ("firebase", .map(firebase)),
        ]
        let own = claims.map { ($0.key, Value($0.value)) }
        return FieldMap(standard + own + [("sub", .string(uid)), ("user_id", .string(uid))])
    }

    /// The claims of a JSON web token; nil if it is none.
    static func claims(ofToken token: String) -> FieldMap? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64.decode(String(parts[1])), let json = try? JSON(bytes), case .object(let members) = json
        else { return nil }
        return FieldMap(members.map { ($0.name, Value(claim: $0.value)) })
    }
}

extension Value {
    fileprivate init(_ claim: SecurityRules.Claim) {
        switch claim {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        // As in a token, where 1.0 and 1 are the same number.
        case .double(let value): self = Int64(exactly: value).map { .integer($0) } ?? .double(value)
        case .string(let value): self = .string(value)
        case .array(let elements): self = .array(elements.map { Value($0) })
        case .map(let members): self = .map(FieldMap(members.map { ($0.key, Value($0.value)) }))
        }
    }

    func isText(_ text: String) -> Bool {
        guard case .string(let value) = self else { return false }
        return equalUTF8(value, text)
    }
}
