// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC
import HearthBase

/// Believes what callers say, as the emulator does (SE-2, AU-11): `Bearer owner` is the administrator, a JSON web token names a user,
/// signed or not, and a call without credentials is anonymous. For development only.
package struct UnprovedAuthentication: CallAuthentication {
    package init() {}

    package func identifyNow(_ call: RPCCallInfo) throws(FirestoreError) -> CallIdentity? { CallIdentity(try Self.caller(of: call)) }

    package func identify(_ call: RPCCallInfo) async throws(FirestoreError) -> CallIdentity { CallIdentity(try Self.caller(of: call)) }

    /// An identity that was never proved does not expire.
    package func observe(_ body: @escaping @Sendable () -> Void) {}

    private static func caller(of call: RPCCallInfo) throws(FirestoreError) -> RequestContext.Caller {
        try RequestContext.Caller(unproved: call.metadata["authorization"])
    }
}

extension RequestContext.Caller {
    fileprivate init(unproved authorization: String?) throws(FirestoreError) {
        guard let authorization else {
            self = .anonymous
            return
        }
        let words = authorization.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer" else {
            throw FirestoreError(.unauthenticated, "the authorization header must be \"Bearer\" and a token")
        }
        let token = words[1]
        if token.utf8.elementsEqual("owner".utf8) {
            self = .administrator
            return
        }
        // Google's access tokens belong to administrators (SE-1), and contain nothing readable.
        if token.utf8.starts(with: "ya29.".utf8) {
            self = .administrator
            return
        }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, Self.object(parts[0]) != nil, let members = Self.object(parts[1]), Base64.decode(String(parts[2])) != nil
        else {
            throw FirestoreError(
                .unauthenticated, "the bearer token is malformed; send a JSON web token, or \"owner\" to be the administrator")
        }
        let claims = FieldMap(members.map { ($0.name, Value(claim: $0.value)) })
        var id: String?
        for case (let name, .string(let text)) in members where equalUTF8(name, "sub") { id = text }
        guard let id, !id.isEmpty else {
            throw FirestoreError(.unauthenticated, "the token names no user: the claim \"sub\" is missing")
        }
        self = .user(id: id, claims: claims)
    }

    /// A part of a JSON web token that contains an object.
    private static func object(_ part: Substring) -> [(name: String, value: JSON)]? {
        guard let bytes = Base64.decode(String(part)), let json = try? JSON(bytes), case .object(let members) = json else { return nil }
        return members
    }
}
