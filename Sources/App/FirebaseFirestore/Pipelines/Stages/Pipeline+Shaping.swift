// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension Pipeline {
    /// The rows with more fields. A field that exists is replaced.
    ///
    /// All expressions see the row before the stage.
    public func addFields(_ selectables: [any Selectable]) -> Pipeline { adding(.addFields, [ExpressionContent(fields: selectables)]) }

    /// The rows without some fields.
    public func removeFields(_ fields: [Field]) -> Pipeline { adding(.removeFields, fields.map(\.content)) }

    /// The rows without some fields, given in dotted notation.
    public func removeFields(_ fields: [String]) -> Pipeline { removeFields(fields.map { Field($0) }) }

    /// The rows with some fields only.
    ///
    /// The rows lose the reference to their document. They keep it only if `Field(FieldPath.documentID())` is one of the selections.
    public func select(_ selections: [any Selectable]) -> Pipeline { adding(.select, [ExpressionContent(fields: selections)]) }

    /// The rows with some fields only, given in dotted notation.
    public func select(_ selections: [String]) -> Pipeline { select(selections.map { Field($0) }) }

    /// One row for each combination of values of some fields, given in dotted notation.
    public func distinct(_ groups: [String]) -> Pipeline { distinct(groups.map { Field($0) }) }

    /// One row for each combination of values of some fields and expressions.
    public func distinct(_ groups: [any Selectable]) -> Pipeline { adding(.distinct, [ExpressionContent(fields: groups)]) }

    /// One row for each group, with the results of aggregate functions.
    ///
    /// - Parameters:
    ///   - aggregates: The functions, at least one.
    ///   - groups: The values that the rows of a group have in common. Without groups, all rows are one group, even if there are no rows.
    public func aggregate(_ aggregates: [AliasedAggregate], groups: [any Selectable]? = nil) -> Pipeline {
        adding(.aggregate, [ExpressionContent(accumulators: aggregates), ExpressionContent(fields: groups ?? [])])
    }

    /// The maps that an expression gives, as rows.
    public func replace(with expression: any Expression) -> Pipeline {
        adding(.replaceWith, [ExpressionContent(of: expression), word("full_replace")])
    }

    /// The maps in a field, given in dotted notation, as rows.
    public func replace(with fieldName: String) -> Pipeline { replace(with: Field(fieldName)) }

    /// A row for each element of an array.
    ///
    /// ```swift
    /// pipeline.unnest(Field("tags").as("tag"), indexField: "position")
    /// ```
    /// A row whose value is not an array stays as it is.
    ///
    /// - Parameters:
    ///   - field: The array, and the name of the field that receives the element.
    ///   - indexField: The field that receives the position of the element, from 0.
    public func unnest(_ field: any Selectable, indexField: String? = nil) -> Pipeline {
        let fields = ExpressionContent(fields: [field])
        guard let field = field as? any AliasedContent else { return adding(.unnest, [fields]) }
        return adding(
            .unnest, [field.content, Field(field.alias).content], options: [("index_field", indexField.map { Field($0).content })])
    }
}
