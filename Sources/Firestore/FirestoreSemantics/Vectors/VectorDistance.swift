// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The distance of stored vectors from one vector, computed directly from the bytes.
package struct VectorDistance {
    private let measure: VectorSearch.Measure
    private let vector: [Double]
    private let squares: Double

    package init(_ search: VectorSearch) {
        measure = search.measure
        vector = search.vector
        squares = search.vector.reduce(0) { $0 + $1 * $1 }
    }

    /// The product of the two lengths. It takes one root where possible, which rounds once, so a vector's distance from
    /// itself is zero and a threshold of zero finds it (QR-59).
    private func lengths(_ stored: Double) -> Double {
        let product = squares * stored
        return product.isNormal ? product.squareRoot() : squares.squareRoot() * stored.squareRoot()
    }

    /// nil for a value that is not a vector of the same dimension (QR-57); NaN for the cosine distance of a zero
    /// vector.
    package func distance(to value: ValueView) -> Double? {
        guard let components = value.vector?.bytes, let stored = StoredVector(components, dimension: vector.count) else {
            return nil
        }
        switch measure {
        case .euclidean: return stored.fold(with: vector, SquaredDifferences.self)?.sum.sum().squareRoot()
        case .dotProduct: return stored.fold(with: vector, Products.self)?.sum.sum()
        case .cosine:
            guard let sums = stored.fold(with: vector, ProductsAndSquares.self) else { return nil }
            let cosine = sums.products.sum() / lengths(sums.squares.sum())
            // Rounding may exceed the range; NaN remains NaN.
            return cosine.isNaN ? .nan : 1 - min(1, max(-1, cosine))
        }
    }
}

/// The sums of a distance measure over pairs of components, four at a time.
protocol DistanceSums {
    init()
    mutating func add(_ stored: SIMD4<Double>, _ wanted: SIMD4<Double>)
    static func + (left: Self, right: Self) -> Self
}

private struct SquaredDifferences: DistanceSums {
    var sum = SIMD4<Double>.zero

    @inline(__always)
    mutating func add(_ stored: SIMD4<Double>, _ wanted: SIMD4<Double>) {
        let difference = stored - wanted
        sum += difference * difference
    }

    static func + (left: Self, right: Self) -> Self { Self(sum: left.sum + right.sum) }
}

private struct Products: DistanceSums {
    var sum = SIMD4<Double>.zero

    @inline(__always)
    mutating func add(_ stored: SIMD4<Double>, _ wanted: SIMD4<Double>) { sum += stored * wanted }

    static func + (left: Self, right: Self) -> Self { Self(sum: left.sum + right.sum) }
}

private struct ProductsAndSquares: DistanceSums {
    var products = SIMD4<Double>.zero
    var squares = SIMD4<Double>.zero

    @inline(__always)
    mutating func add(_ stored: SIMD4<Double>, _ wanted: SIMD4<Double>) {
        products += stored * wanted
        squares += stored * stored
    }

    static func + (left: Self, right: Self) -> Self {
        Self(products: left.products + right.products, squares: left.squares + right.squares)
    }
}
