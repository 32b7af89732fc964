// SPDX-License-Identifier: Apache-2.0

/// A ruleset as written.
struct RulesetSyntax: Sendable {
    /// The version of the language: 1 or 2. Nil if the ruleset does not state one.
    var version: Int?
    var functions: [FunctionSyntax] = []
    var services: [ServiceSyntax] = []
}

struct ServiceSyntax: Sendable {
    let name: Name
    var functions: [FunctionSyntax] = []
    var matches: [MatchSyntax] = []
}

struct MatchSyntax: Sendable {
    let range: SourceRange
    let pathRange: SourceRange
    let path: [MatchSegment]
    var functions: [FunctionSyntax] = []
    var statements: [Statement] = []

    enum Statement: Sendable {
        case allow(AllowSyntax)
        case match(MatchSyntax)
    }
}

/// A segment of a match path.
enum MatchSegment: Sendable {
    case literal(String)
    /// `{name}`: one segment.
    case single(Name)
    /// `{name=**}`: several segments.
    case glob(Name)

    var name: Name? {
        switch self {
        case .literal: nil
        case .single(let name), .glob(let name): name
        }
    }
}

struct AllowSyntax: Sendable {
    let range: SourceRange
    let methods: [Name]
    /// Nil for a statement that always grants.
    let condition: Expression?
}

struct FunctionSyntax: Sendable {
    let name: Name
    let parameters: [Name]
    let variables: [(name: Name, value: Expression)]
    let result: Expression
}
