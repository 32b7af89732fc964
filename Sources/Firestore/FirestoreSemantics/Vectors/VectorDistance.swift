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

/// The components of a stored vector, in place.
///
/// Each takes eleven bytes: tag and length of the element, tag of the double, the double (`storage-format.md`). The
/// loop relies on that stride and checks it.
private struct StoredVector {
    private let start: UnsafeRawPointer

    private static let stride = 11
    /// `0A 09 19`: an element of nine bytes, which is a double.
    private static let element: UInt32 = 0x19_09_0A
    private static let elementMask: UInt32 = 0xFF_FF_FF

    init?(_ components: UnsafeRawBufferPointer, dimension: Int) {
        guard components.count == dimension * Self.stride, let start = components.baseAddress else { return nil }
        self.start = start
    }

    /// Sums over all pairs of components; nil if the elements are not all doubles.
    ///
    /// Two sums of four lanes each: an addition need not wait for the previous one.
    @inline(__always)
    func fold<Sums: DistanceSums>(with wanted: [Double], _ type: Sums.Type) -> Sums? {
        wanted.withUnsafeBytes { bytes in
            var even = Sums()
            var odd = Sums()
            var damage: UInt32 = 0
            var index = 0
            let count = wanted.count
            while index &+ 8 <= count {
                even.add(four(index, &damage), Self.four(bytes, index))
                odd.add(four(index &+ 4, &damage), Self.four(bytes, index &+ 4))
                index &+= 8
            }
            while index < count {
                even.add(SIMD4(component(index, &damage), 0, 0, 0), SIMD4(wanted[index], 0, 0, 0))
                index &+= 1
            }
            return damage == 0 ? even + odd : nil
        }
    }

    @inline(__always)
    private static func four(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> SIMD4<Double> {
        bytes.loadUnaligned(fromByteOffset: index &* MemoryLayout<Double>.stride, as: SIMD4<Double>.self)
    }

    @inline(__always)
    private func four(_ index: Int, _ damage: inout UInt32) -> SIMD4<Double> {
        SIMD4(
            component(index, &damage), component(index &+ 1, &damage), component(index &+ 2, &damage),
            component(index &+ 3, &damage))
    }

    @inline(__always)
    private func component(_ index: Int, _ damage: inout UInt32) -> Double {
        let place = start + index &* Self.stride
        damage |= (UInt32(littleEndian: place.loadUnaligned(as: UInt32.self)) & Self.elementMask) ^ Self.element
        return Double(bitPattern: UInt64(littleEndian: (place + 3).loadUnaligned(as: UInt64.self)))
    }
}

/// The sums of a distance measure over pairs of components, four at a time.
private protocol DistanceSums {
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
