// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore
import FirestoreEnforcement
import FirestoreRules

extension TestFirestore {
    /// The database as a signed-in user sees it: `request.auth` is the user.
    ///
    /// It is the same database for each user: a user can read the writes of another, as far as the rules grant it. Calls with the same
    /// user and claims return the same object.
    ///
    /// - Parameters:
    ///   - user: The user's id, `request.auth.uid`.
    ///   - claims: Claims of the user's token, `request.auth.token`. Those that every token has need not be given.
    public func `as`(user: String, claims: [String: SecurityRules.Claim] = [:]) -> Firestore {
        handles.firestore(of: SecurityRules.User(uid: user, claims: claims))
    }

    /// The database for a client that is not signed in: `request.auth` is null.
    public var signedOut: Firestore { handles.firestore(of: .signedOut) }

    /// The database without rules, to write documents that a test needs and to look at the result.
    public var withoutRules: Firestore { handles.firestore(of: .administrator) }

    /// How often the rules were evaluated, since the database was opened.
    public struct RulesCoverage: Sendable {
        /// The coverage in the format of LCOV, per line and per condition. Records of several databases can be put in one file, one
        /// after the other.
        public let lcov: String
    }

    /// How often the rules were evaluated; nil without rules.
    public var rulesCoverage: RulesCoverage? {
        handles.enforcement?.rules.current.coverage.map { RulesCoverage(lcov: $0.lcov) }
    }
}
