// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreEnforcement
package import FirestoreRPC
package import FirestoreRules

/// The body of a request that sets rules (SR-138): `{"rules":{"files":[{"name":…,"content":…}]},"ignore_errors":true}`.
package struct RulesUpload: Sendable {
    /// Ample for the largest ruleset with every character escaped.
    package static let mostBytes = 2 << 20

    package let source: RulesSource
    /// Puts rules in effect that do not compile: they answer every request with their errors (SR-136).
    package let ignoresErrors: Bool

    package init(_ request: HTTPRequest) throws(FirestoreError) {
        guard request.body.count <= Self.mostBytes else {
            throw .invalidArgument("the body has \(request.body.count) bytes; rules take at most \(Self.mostBytes)")
        }
        let json: JSON
        do throws(FirestoreError) { json = try JSON(request.body.array) } catch { throw Self.malformed }
        guard case .array(let files)? = json["rules"]?["files"], files.count == 1, case .string(let content)? = files[0]["content"] else {
            throw Self.malformed
        }
        var name = "security.rules"
        if case .string(let text)? = files[0]["name"] { name = String(text.prefix(200)) }
        source = RulesSource(content, name: name)
        ignoresErrors = if case .boolean(true)? = json["ignore_errors"] ?? json["ignoreErrors"] { true } else { false }
    }

    private static let malformed = FirestoreError.invalidArgument(
        #"the body must be {"rules":{"files":[{"name":"firestore.rules","content":"…"}]}} with one file"#)
}

extension RulesInForce.Rules {
    private static let openSource = RulesSource(
        """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            match /{document=**} {
              allow read, write: if true;
            }
          }
        }

        """, name: "OPEN_RULES")

    /// The body of the answer to a request for the rules.
    package var report: JSON {
        let file: JSON = .object([("name", .string(source.name)), ("content", .string(String(decoding: source.text, as: UTF8.self)))])
        var members: [(name: String, value: JSON)] = [("rules", .object([("files", .array([file]))]))]
        if !issues.isEmpty { members.append(("issues", .array(issues))) }
        return .object(members)
    }

    package var source: RulesSource {
        switch self {
        case .open: Self.openSource
        case .ruleSet(let ruleSet): ruleSet.source
        case .broken(let error): error.source
        }
    }

    package var issues: [JSON] { found.map { $0.json(in: source) } }

    /// The errors and warnings in the rules.
    package var found: [RulesIssue] {
        switch self {
        case .open: []
        case .ruleSet(let ruleSet): ruleSet.issues
        case .broken(let error): error.issues
        }
    }
}
