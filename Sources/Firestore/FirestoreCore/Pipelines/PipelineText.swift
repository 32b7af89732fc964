// SPDX-License-Identifier: Apache-2.0

/// The text form of pipelines: one stage after the other, as the command, the console, explanations and tests write them.
///
///     collection(/books)
///     where(and(greater_than(pages, 100), equal(author.name, "Ada")))
///     sort(published descending)
///     select(title, to_upper(language) as language)
///     limit(20)
///
/// Stages are separated by white space or by dots; `#` begins a comment. In expressions a name is a field, `$name` a variable,
/// `name(…)` a call, `/books/b1` a reference, and a chain of stages that begins with a source a pipeline of its own. Literals are those of
/// JSON, `NaN`, `Infinity`, `b"00FF"`, `timestamp("…")`, `geo_point(48.1, 11.6)` and `vector(1.0, 0.5)`. Options follow the
/// arguments, `name: value`. A stage with arguments that its kind does not have is written `raw_stage("name", …)`.
package enum PipelineText {
    /// Parses a pipeline.
    package static func parse(_ text: String) throws(PipelineTextMistake) -> PipelineRequest {
        var places: [PipelineTextPlace] = []
        return try parse(text, places: &places)
    }

    /// Parses a pipeline.
    /// - Parameter places: Gets where each of its stages begins, for messages about one of them.
    package static func parse(
        _ text: String, places: inout [PipelineTextPlace]
    ) throws(PipelineTextMistake) -> PipelineRequest {
        var parser = PipelineTextParser(text)
        let stages = try parser.pipeline()
        places = parser.starts.map(parser.place)
        return PipelineRequest(stages)
    }

    /// Parses one expression.
    package static func expression(_ text: String) throws(PipelineTextMistake) -> PipelineArgument {
        var parser = PipelineTextParser(text)
        return try parser.wholeExpression()
    }

    /// One stage a line.
    package static func print(_ stages: [PipelineStage]) -> String { stages.map(print).joined(separator: "\n") }

    package static func print(_ stage: PipelineStage) -> String { PipelineTextPrinter.text(of: stage) }

    package static func print(_ expression: PipelineArgument) -> String { PipelineTextPrinter.text(of: expression) }
}

/// A place in the text form of a pipeline.
package struct PipelineTextPlace: Sendable, Hashable {
    /// From 1.
    package let line: Int
    /// From 1, in characters.
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// A mistake in the text form of a pipeline.
package struct PipelineTextMistake: Error, Sendable, Hashable {
    /// The stage that it is in, from 1; in a pipeline inside another one, the stage of the outer one.
    package let stage: Int
    package let place: PipelineTextPlace
    package let reason: String

    package init(stage: Int, place: PipelineTextPlace, reason: String) {
        self.stage = stage
        self.place = place
        self.reason = reason
    }

    package var error: FirestoreError { .invalidArgument(reason, at: "line \(place.line), column \(place.column)") }
}

/// How the arguments of a stage are written.
enum PipelineStageForm {
    /// `expression as alias, …`: one map of fields.
    case fields
    /// Such a map, and `groups: [expression as alias, …]`.
    case groups
    /// `expression ascending, …`: a map for each order.
    case orders
    /// `expression as alias`: two arguments.
    case aliased
    /// A number and a word: `2 documents`.
    case sample
    /// Names of the database, which need no quotes.
    case names
    /// Expressions, of which the third may be a word without quotes.
    case nearest
    /// An expression, and the mode if it is not the usual one.
    case replacement
    case expressions

    static let usualMode = "full_replace"

    init(_ kind: PipelineStageKind) {
        self =
            switch kind {
            case .select, .addFields, .distinct, .let, .update, .upsert: .fields
            case .aggregate: .groups
            case .sort: .orders
            case .unnest: .aliased
            case .sample: .sample
            case .collectionGroup, .subcollection: .names
            case .findNearest: .nearest
            case .replaceWith: .replacement
            case .collection, .database, .documents, .literals, .where, .limit, .offset, .union, .removeFields, .delete, .insert:
                .expressions
            }
    }
}
