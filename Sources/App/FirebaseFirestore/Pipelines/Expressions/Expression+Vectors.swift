// SPDX-License-Identifier: Apache-2.0

extension Expression {
    public func vectorLength() -> FunctionExpression { call("vector_length") }
    public func cosineDistance(_ expression: any Expression) -> FunctionExpression { call("cosine_distance", expression) }
    public func cosineDistance(_ vector: VectorValue) -> FunctionExpression { call("cosine_distance", vector) }
    public func cosineDistance(_ vector: [Double]) -> FunctionExpression { call("cosine_distance", vector) }
    public func dotProduct(_ expression: any Expression) -> FunctionExpression { call("dot_product", expression) }
    public func dotProduct(_ vector: VectorValue) -> FunctionExpression { call("dot_product", vector) }
    public func dotProduct(_ vector: [Double]) -> FunctionExpression { call("dot_product", vector) }
    public func euclideanDistance(_ expression: any Expression) -> FunctionExpression { call("euclidean_distance", expression) }
    public func euclideanDistance(_ vector: VectorValue) -> FunctionExpression { call("euclidean_distance", vector) }
    public func euclideanDistance(_ vector: [Double]) -> FunctionExpression { call("euclidean_distance", vector) }
}
