// SPDX-License-Identifier: Apache-2.0

extension Expression {
    /// The parts of a text that match a query, in a search stage. Not available elsewhere.
    ///
    /// - Parameters:
    ///   - rquery: The query text.
    ///   - maxSnippetWidth: The largest length of a part, in characters.
    ///   - maxSnippets: The largest number of parts.
    ///   - separator: What stands between the parts.
    public func snippet(
        _ rquery: String, maxSnippetWidth: Int? = nil, maxSnippets: Int? = nil, separator: String? = nil
    ) -> any Expression {
        var options: [(String, any Sendable)] = []
        if let maxSnippetWidth { options.append(("max_snippet_width", maxSnippetWidth)) }
        if let maxSnippets { options.append(("max_snippets", maxSnippets)) }
        if let separator { options.append(("separator", separator)) }
        return call("snippet", rquery, options: options)
    }
}
