// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension Pipeline {
    /// The rows for which a condition is true.
    ///
    /// A row for which it is false, null, or an error is dropped.
    public func `where`(_ condition: any BooleanExpression) -> Pipeline { adding(.where, [ExpressionContent(of: condition)]) }

    /// The rows behind a number of them.
    public func offset(_ offset: Int32) -> Pipeline { adding(.offset, [integer(offset)]) }

    /// The rows behind a number of them.
    ///
    /// Beyond the Apple SDK, which takes an `Int32`.
    @_disfavoredOverload
    public func offset(_ offset: Int) -> Pipeline { adding(.offset, [integer(offset)]) }

    /// The first rows.
    public func limit(_ limit: Int32) -> Pipeline { adding(.limit, [integer(limit)]) }

    /// The first rows.
    ///
    /// Beyond the Apple SDK, which takes an `Int32`.
    @_disfavoredOverload
    public func limit(_ limit: Int) -> Pipeline { adding(.limit, [integer(limit)]) }

    /// The rows in an order: the first ordering decides, later ones decide between equal rows.
    ///
    /// Rows without a value come first, together with null, or last in a descending order.
    public func sort(_ orderings: [Ordering]) -> Pipeline { adding(.sort, orderings.map(\.content)) }

    /// A number of rows, chosen at random, in random order.
    public func sample(count: Int64) -> Pipeline { adding(.sample, [integer(count), word("documents")]) }

    /// A part of the rows, chosen at random.
    ///
    /// - Parameter percentage: The probability of each row, from 0 to 1.
    public func sample(percentage: Double) -> Pipeline {
        adding(.sample, [ExpressionContent(Value.double(percentage)), word("percent")])
    }

    /// The rows whose vectors are nearest to a given one, nearest first.
    ///
    /// Rows whose field does not contain a vector of the same dimension are dropped.
    ///
    /// - Parameters:
    ///   - field: The field that contains the vectors.
    ///   - vectorValue: The vector to search around.
    ///   - distanceMeasure: The measure of the distance.
    ///   - limit: The largest number of rows; nil for all.
    ///   - distanceField: The field that receives the distance.
    public func findNearest(
        field: Field, vectorValue: VectorValue, distanceMeasure: DistanceMeasure, limit: Int? = nil, distanceField: String? = nil
    ) -> Pipeline {
        adding(
            .findNearest, [field.content, ExpressionContent(literal: vectorValue), word(distanceMeasure.rawValue)],
            options: [("limit", limit.map { integer($0) }), ("distance_field", distanceField.map { Field($0).content })])
    }

    func integer(_ value: some BinaryInteger) -> ExpressionContent { ExpressionContent(Value.integer(Int64(value))) }

    func word(_ text: String) -> ExpressionContent { ExpressionContent(Value.string(text)) }
}
