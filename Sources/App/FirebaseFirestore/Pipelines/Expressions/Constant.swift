// SPDX-License-Identifier: Apache-2.0
public import FirebaseCore
import FirestoreCore
import Foundation

/// A constant, as an expression.
///
/// Most methods take plain values, too; a constant is needed where an expression begins with one:
/// `Constant("€ ").stringConcat([Field("price")])`.
public struct Constant: Expression {
    /// Null.
    public static let `nil` = Constant(content: ExpressionContent(Value.null))

    let content: ExpressionContent

    private init(content: ExpressionContent) { self.content = content }

    /// An integer.
    public init(_ value: Int) { self.init(content: ExpressionContent(Value.integer(Int64(value)))) }

    /// A floating-point number.
    public init(_ value: Double) { self.init(content: ExpressionContent(Value.double(value))) }

    /// A string.
    public init(_ value: String) { self.init(content: ExpressionContent(Value.string(value))) }

    /// A Boolean.
    public init(_ value: Bool) { self.init(content: ExpressionContent(Value.boolean(value))) }

    /// Bytes.
    public init(_ value: Data) { self.init(content: ExpressionContent(constant: value)) }

    /// A geopoint.
    public init(_ value: GeoPoint) { self.init(content: ExpressionContent(constant: value)) }

    /// A time.
    public init(_ value: Timestamp) { self.init(content: ExpressionContent(constant: value)) }

    /// A time.
    public init(_ value: Date) { self.init(content: ExpressionContent(constant: value)) }

    /// A reference.
    public init(_ value: DocumentReference) { self.init(content: ExpressionContent(constant: value)) }

    /// A vector.
    public init(_ value: VectorValue) { self.init(content: ExpressionContent(constant: value)) }
}

extension Constant: ContentExpression {}
