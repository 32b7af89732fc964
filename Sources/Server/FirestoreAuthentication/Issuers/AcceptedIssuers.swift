// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreTokens
package import Logging

/// The issuers of tokens that a server accepts beside its own accounts.
package struct IssuerSettings: Sendable {
    package var firebaseProjects: [String]
    /// Where Google's keys are; nil for their usual address.
    package var firebaseKeys: KeyAddress?
    package var issuerFiles: [String]
    /// In seconds.
    package var tokenSkew: Int
    package var isDevelopment: Bool

    package init(
        firebaseProjects: [String] = [], firebaseKeys: KeyAddress? = nil, issuerFiles: [String] = [], tokenSkew: Int = 60,
        isDevelopment: Bool = false
    ) {
        self.firebaseProjects = firebaseProjects
        self.firebaseKeys = firebaseKeys
        self.issuerFiles = issuerFiles
        self.tokenSkew = tokenSkew
        self.isDevelopment = isDevelopment
    }
}

/// The issuers whose tokens a server accepts.
package enum AcceptedIssuers {
    private static let googleKeys =
        "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"

    /// - Parameter own: The issuer of the server's own accounts.
    package static func make(
        _ settings: IssuerSettings, own: [TokenIssuer], clock: any WallClock, log: Logger
    ) throws(StartRefusal) -> [TokenIssuer] {
        var issuers = own
        if !settings.firebaseProjects.isEmpty {
            let address =
                if let given = settings.firebaseKeys { given } else { try KeyAddress(googleKeys, named: "the keys of Firebase") }
            // Google signs the tokens of all projects with the same keys.
            let keys = keys(.document(address), of: "Firebase", clock, log)
            for project in settings.firebaseProjects {
                var requirements = TokenRequirements.firebase(project: project)
                requirements.skew = Int64(settings.tokenSkew)
                issuers.append(TokenIssuer(requirements, keys: keys))
            }
        }
        if !settings.isDevelopment, issuers.count > 1 {
            log.warning(
                """
                more than one issuer has users without a prefix, so two persons could have one id; let rules look at \
                request.auth.token.aud, the project that the user belongs to
                """, metadata: ["issuers": "\(issuers.compactMap(\.requirements.issuer).joined(separator: ", "))"])
        }
        var prefixes = Set(issuers.isEmpty ? [] : [""])
        for path in settings.issuerFiles {
            let file = try IssuerFile(reading: path, skew: settings.tokenSkew)
            guard prefixes.insert(file.requirements.userPrefix).inserted else {
                throw StartRefusal(
                    "the issuer file \(path): another issuer has users with the same \"userPrefix\" "
                        + "(\"\(file.requirements.userPrefix)\"), so two persons could have one id; give it a different one")
            }
            issuers.append(TokenIssuer(file.requirements, keys: keys(file.keys, of: file.requirements.issuer ?? path, clock, log)))
        }
        try check(issuers)
        return issuers
    }

    /// Tokens of one issuer are verified with the keys of one source.
    package static func check(_ issuers: [TokenIssuer]) throws(StartRefusal) {
        var names: Set<String> = []
        for name in issuers.compactMap(\.requirements.issuer) where !names.insert(name).inserted {
            throw StartRefusal(
                "the issuer \(name) is configured twice; its tokens can be verified with the keys of one place only, "
                    + "Google's or this server's")
        }
    }

    private static func keys(_ source: IssuerFile.KeySource, of name: String, _ clock: any WallClock, _ log: Logger) -> IssuerKeys {
        IssuerKeys(clock: clock) {
            do throws(KeyAddress.Failure) {
                return try await source.fetch()
            } catch {
                log.warning(
                    "the keys of an issuer cannot be fetched; those known stay in use",
                    metadata: ["issuer": "\(name)", "reason": "\(error.message)"])
                throw error
            }
        }
    }
}
