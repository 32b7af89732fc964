// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension Pipeline {
    /// The rows of this pipeline, and those of another one. Equal rows are not merged.
    ///
    /// The other pipeline must have a database, and this one's.
    public func union(with other: Pipeline) -> Pipeline {
        var argument = other.content.argument
        if other.firestore == nil {
            var faults = argument.faults
            let reason = "A Subcollection is allowed only as the start of a nested pipeline, not as that of a union."
            faults.add(PipelineFaults(construction: reason))
            argument = ExpressionContent(argument.argument, faults, depth: argument.depth)
        }
        return adding(.union, [argument])
    }

    /// Any stage, by the name that the server gives it.
    ///
    /// - Parameters:
    ///   - name: The name, such as `find_nearest`.
    ///   - params: The arguments: expressions, aggregate functions, values, and dictionaries of them.
    ///   - options: Options, by name.
    public func rawStage(name: String, params: [any Sendable], options: [String: any Sendable]? = nil) -> Pipeline {
        adding(
            name, params.map { ExpressionContent(raw: $0) },
            options: (options ?? [:]).map { ($0.key, ExpressionContent(raw: $0.value)) })
    }

    /// The documents that match a text query. Must be the first stage behind a collection or a collection group.
    ///
    /// - Parameters:
    ///   - query: The query text: all words are wanted, and `-word` excludes.
    ///   - languageCode: The language of the query.
    ///   - retrievalDepth: The largest number of candidates that get a score.
    ///   - sort: The order, for example by ``Score``.
    ///   - offset: The number of documents to skip.
    ///   - limit: The largest number of documents.
    ///   - addFields: Fields to add, for example ``Score`` or a snippet.
    public func search(
        query: String, languageCode: String? = nil, retrievalDepth: Int? = nil, sort: [Ordering]? = nil, offset: Int? = nil,
        limit: Int? = nil, addFields: [any Selectable]? = nil
    ) -> Pipeline {
        search(
            query: DocumentMatches(query), languageCode: languageCode, retrievalDepth: retrievalDepth, sort: sort, offset: offset,
            limit: limit, addFields: addFields)
    }

    /// The documents for which a condition of a search is true. Must be the first stage behind a collection or a collection group.
    ///
    /// - Parameters:
    ///   - query: The condition, for example ``DocumentMatches`` or a distance.
    ///   - languageCode: The language of the query.
    ///   - retrievalDepth: The largest number of candidates that get a score.
    ///   - sort: The order, for example by ``Score``.
    ///   - offset: The number of documents to skip.
    ///   - limit: The largest number of documents.
    ///   - addFields: Fields to add, for example ``Score`` or a snippet.
    public func search(
        query: any Expression, languageCode: String? = nil, retrievalDepth: Int? = nil, sort: [Ordering]? = nil, offset: Int? = nil,
        limit: Int? = nil, addFields: [any Selectable]? = nil
    ) -> Pipeline {
        adding(
            "search", [],
            options: [
                ("query", ExpressionContent(of: query)), ("language_code", languageCode.map { word($0) }),
                ("retrieval_depth", retrievalDepth.map { integer($0) }),
                ("sort", sort.map { ExpressionContent(elements: $0.map(\.content)) }), ("offset", offset.map { integer($0) }),
                ("limit", limit.map { integer($0) }), ("add_fields", addFields.map { ExpressionContent(fields: $0) }),
            ])
    }
}
