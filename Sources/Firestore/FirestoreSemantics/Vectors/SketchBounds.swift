// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// What the distances of the vectors of a sketch from one vector are at least, with signs such that less is nearer.
struct SketchBounds {
    /// By row.
    private let bounds: [Double]

    /// More than what rounding adds to the sums and roots of up to 2,048 components, relative to the lengths.
    static let slack = 1e-9
    /// Squares of lengths of which sums and products neither overflow nor vanish.
    static let squares = 1e-140...1e140

    /// nil if there are no bounds for this vector, because its length is extreme or no number.
    init?(_ search: VectorSearch, in sketch: VectorSketch) {
        guard let wanted = WantedVector(search.vector) else { return nil }
        bounds = wanted.bounds(search.measure, in: sketch)
    }

    /// A row and its bound.
    struct Bounded: Comparable {
        let bound: Double
        let row: Int

        static func < (left: Self, right: Self) -> Bool { (left.bound, left.row) < (right.bound, right.row) }
    }

    /// The rows with the least bounds, in order, of those after `last`.
    func least(_ count: Int, after last: Bounded?) -> [Bounded] {
        var least: [Bounded] = []
        least.reserveCapacity(count + 1)
        for (row, bound) in bounds.enumerated() {
            let bounded = Bounded(bound: bound, row: row)
            if least.count == count, let farthest = least.last, bounded >= farthest { continue }
            if let last, bounded <= last { continue }
            if least.count == count { least.removeLast() }
            var (low, high) = (0, least.count)
            while low < high {
                let middle = (low + high) / 2
                if least[middle] < bounded { low = middle + 1 } else { high = middle }
            }
            least.insert(bounded, at: low)
        }
        return least
    }
}

/// The vector of a search in integers, so that its products with the codes of a sketch add up exactly.
private struct WantedVector {
    private let codes: [Int16]
    /// What a code of 1 is worth.
    private let scale: Double
    private let length: Double
    /// The length of what the codes leave out, at most.
    private let residual: Double

    init?(_ vector: [Double]) {
        let squares = vector.reduce(0) { $0 + $1 * $1 }
        let largest = vector.reduce(0) { max($0, abs($1)) }
        // The sum of all products fits.
        let top = Double(min(Int32(Int16.max), Int32.max / Int32(127 * max(1, vector.count))))
        guard SketchBounds.squares.contains(squares) else { return nil }
        let scale = largest / top
        codes = vector.map { Int16(truncatingIfNeeded: SketchCodes.nearest($0 / scale)) }
        let lost = zip(vector, codes).reduce(0) { sum, pair in
            let difference = pair.0 - Double(pair.1) * scale
            return sum + difference * difference
        }
        self.scale = scale
        length = squares.squareRoot()
        residual = lost.squareRoot() * (1 + SketchBounds.slack)
    }

    func bounds(_ measure: VectorSearch.Measure, in sketch: VectorSketch) -> [Double] {
        let dimension = codes.count
        return [Double](unsafeUninitializedCapacity: sketch.rows.count) { bounds, count in
            sketch.codes.withUnsafeBufferPointer { stored in
                codes.withUnsafeBufferPointer { wanted in
                    for (index, row) in sketch.rows.enumerated() {
                        let sum = Self.products(stored, from: index &* dimension, wanted)
                        bounds.initializeElement(at: index, to: bound(measure, Double(sum) * scale * row.scale, row))
                    }
                }
            }
            count = sketch.rows.count
        }
    }

    @inline(__always)
    private static func products(
        _ stored: UnsafeBufferPointer<Int8>, from start: Int, _ wanted: UnsafeBufferPointer<Int16>
    ) -> Int32 {
        var sum: Int32 = 0
        var index = 0
        while index < wanted.count {
            sum &+= Int32(stored[start &+ index]) &* Int32(wanted[index])
            index &+= 1
        }
        return sum
    }

    /// - Parameter product: That of the codes of both vectors.
    @inline(__always)
    private func bound(_ measure: VectorSearch.Measure, _ product: Double, _ row: VectorSketch.Row) -> Double {
        // The product of the vector and what the row's codes express, at most.
        let coded = product + residual * row.codedLength
        switch measure {
        case .euclidean:
            let squares = length * length + row.codedLength * row.codedLength
            let distance = max(0, squares * (1 - SketchBounds.slack) - 2 * coded).squareRoot()
            return (distance - row.residual) * (1 - SketchBounds.slack)
        case .dotProduct:
            return -(coded + length * (row.residual + SketchBounds.slack * row.length))
        case .cosine:
            // Such a distance is not a number, and is farthest.
            guard row.length > 0 else { return .infinity }
            return 1 - (coded + length * row.residual) / (length * row.length) - SketchBounds.slack
        }
    }
}
