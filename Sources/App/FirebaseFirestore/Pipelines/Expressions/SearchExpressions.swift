// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// How well a document matches the query of a search stage. Not available elsewhere.
public struct Score: Expression, ContentExpression {
    let content = ExpressionContent(call: "score", [])

    /// The score of the document.
    public init() {}
}

/// Whether a document matches a text, in a search stage. Not available elsewhere.
public struct DocumentMatches: BooleanExpression, ContentExpression {
    let content: ExpressionContent

    /// A query text: all words are wanted, and `-word` excludes.
    public init(_ query: String) { content = ExpressionContent(call: "document_matches", [ExpressionContent(Value.string(query))]) }
}
