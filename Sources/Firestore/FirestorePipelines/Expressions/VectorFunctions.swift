// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// Functions of vectors. Where two are compared, an array of numbers is a vector, too: clients send arrays for lists of numbers.
enum VectorFunctions {
    static let all: [FunctionDefinition] = [
        .one("vector_length", .vector) { vector, _ in .integer(Int64(vector.vector?.count ?? 0)) },
        distance("cosine_distance", .cosine), distance("euclidean_distance", .euclidean), distance("dot_product", .dotProduct),
        pair("manhattan_distance") { left, right in
            .double(zip(components(of: left), components(of: right)).reduce(0) { $0 + ($1.0 - $1.1).magnitude })
        },
    ]

    private static func distance(_ name: String, _ measure: VectorSearch.Measure) -> FunctionDefinition {
        pair(name) { left, right in
            let search = VectorSearch(field: .documentID, vector: components(of: right), measure: measure, limit: 1)
            let distance = left.withView { VectorDistance(search).distance(to: $0) }
            return distance.map { .double($0) } ?? .fail("\(name) takes vectors of doubles")
        }
    }

    /// A function of two vectors of one dimension.
    private static func pair(
        _ name: String, _ body: @escaping @Sendable (EvaluatedValue, EvaluatedValue) -> EvaluatedValue
    ) -> FunctionDefinition {
        .two(name, [.vector, .array], [.vector, .array]) { left, right, _ in
            guard let left = vector(left), let right = vector(right) else { return .fail("\(name) takes vectors and arrays of numbers") }
            let (dimension, other) = (left.vector?.count ?? 0, right.vector?.count ?? 0)
            guard dimension == other else { return .fail("\(name) takes vectors of one dimension, not of \(dimension) and \(other)") }
            return body(left, right)
        }
    }

    /// A vector, or the vector of an array's numbers; nil for an array of something else.
    private static func vector(_ value: EvaluatedValue) -> EvaluatedValue? {
        guard value.type == .array, let elements = value.elements else { return value }
        var components: [Double] = []
        for view in elements {
            guard let number = value.part(view).number else { return nil }
            components.append(number.asDouble)
        }
        return EvaluatedValue(Value.vector(components))
    }

    private static func components(of vector: EvaluatedValue) -> [Double] {
        defer { withExtendedLifetime(vector) {} }
        return vector.vector?.map { $0.double ?? .nan } ?? []
    }
}
