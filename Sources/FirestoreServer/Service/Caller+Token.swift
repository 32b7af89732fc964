import FirestoreCore

extension RequestContext.Caller {
    /// As the emulator has it (SE-2): `Bearer owner` is the administrator, a JSON web token is a user, whoever signed it,
    /// and nothing is nobody. There are no rules yet that would tell them apart.
    init(authorization: String?) throws(FirestoreError) {
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
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        // Access tokens of Google's have no parts that we could read: they belong to administrators (SE-1).
        guard parts.count == 3 else {
            self = .administrator
            return
        }
        guard let bytes = Base64.decode(String(parts[1])), let json = try? JSON(bytes), case .object(let members) = json else {
            throw FirestoreError(.unauthenticated, "the token is no JSON web token")
        }
        var claims: [String: String] = [:]
        var id: String?
        for (name, value) in members {
            guard let text = value.claim else { continue }
            claims[name] = text
            if equalUTF8(name, "sub") || id == nil && equalUTF8(name, "user_id") { id = text }
        }
        guard let id, !id.isEmpty else {
            throw FirestoreError(.unauthenticated, "the token names no user: the claim \"sub\" is missing")
        }
        self = .user(id: id, claims: claims)
    }
}

extension JSON {
    /// A claim as text: strings as they are, other values as JSON.
    fileprivate var claim: String? {
        switch self {
        case .string(let text): text
        case .null: nil
        default: text()
        }
    }
}
