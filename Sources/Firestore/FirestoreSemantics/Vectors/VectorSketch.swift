// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The vectors of one dimension in a field of a collection, in a byte per component: enough to know of most documents that they are not
/// among the nearest, without reading them.
///
/// A vector is stored as a multiple of its codes, with the length of what the codes leave out. From both follows what a distance of the
/// vector is at least, so a search that reads documents in the order of these bounds is exact (decision 61).
package final class VectorSketch: Sendable {
    let codes: [Int8]
    let rows: [Row]
    /// The ids of the rows.
    let ids: [String]
    /// Documents whose vectors have no bound, because their lengths are extreme or no numbers.
    let unbounded: [String]
    package let dimension: Int

    struct Row: Sendable {
        /// What a code of 1 is worth.
        let scale: Double
        /// The length of the vector.
        let length: Double
        /// The length of what the codes express.
        let codedLength: Double
        /// The length of what the codes leave out, at most.
        let residual: Double
    }

    fileprivate init(_ parts: [VectorSketchBuilder], dimension: Int) {
        codes = parts.count == 1 ? parts[0].codes : Array(parts.map(\.codes).joined())
        rows = parts.flatMap(\.rows)
        ids = parts.flatMap(\.ids)
        unbounded = parts.flatMap(\.unbounded)
        self.dimension = dimension
    }

    package var count: Int { rows.count + unbounded.count }

    /// The memory that it takes, about.
    package var bytes: Int { Self.bytes(rows: rows.count, unbounded: unbounded.count, dimension: dimension) }

    fileprivate static func bytes(rows: Int, unbounded: Int, dimension: Int) -> Int {
        rows * (dimension + MemoryLayout<Row>.stride + idBytes) + unbounded * idBytes
    }

    /// A string and its characters.
    private static let idBytes = 64
}

/// Collects the vectors of documents for a sketch.
package struct VectorSketchBuilder: Sendable {
    fileprivate private(set) var codes: [Int8] = []
    fileprivate private(set) var rows: [VectorSketch.Row] = []
    fileprivate private(set) var ids: [String] = []
    fileprivate private(set) var unbounded: [String] = []
    private var components: [Double]
    private let field: CompiledPath
    private let most: Int

    /// - Parameter most: How many bytes of memory the sketch may take.
    package init(_ field: FieldPathSegments, dimension: Int, most: Int) {
        self.field = CompiledPath(field)
        self.most = most
        components = [Double](repeating: 0, count: dimension)
    }

    private var dimension: Int { components.count }

    /// Whether there is room for what was added. Nothing is added afterwards.
    package var isComplete: Bool {
        VectorSketch.bytes(rows: rows.count, unbounded: unbounded.count, dimension: dimension) <= most
    }

    /// The sketch of all documents that were added to the parts.
    package static func sketch(_ parts: [VectorSketchBuilder]) -> VectorSketch? {
        guard let dimension = parts.first?.dimension else { return nil }
        return VectorSketch(parts, dimension: dimension)
    }

    /// Adds the vector of a document, if it has one of the dimension.
    package mutating func add(_ scanned: borrowing ScannedDocument) {
        guard isComplete, let vector = field.value(in: scanned.view)?.vector?.bytes,
            let stored = StoredVector(vector, dimension: dimension),
            components.withUnsafeMutableBufferPointer({ stored.copy(to: $0) })
        else { return }
        add(String(decoding: scanned.id, as: UTF8.self))
    }

    private mutating func add(_ id: String) {
        var (largest, squares) = (0.0, 0.0)
        for component in components {
            largest = max(largest, abs(component))
            squares += component * component
        }
        guard largest == 0 || SketchBounds.squares.contains(squares) else { return unbounded.append(id) }
        let scale = largest / 127
        let factor = largest == 0 ? 0 : 127 / largest
        var (codedSquares, lostSquares) = (0.0, 0.0)
        for component in components {
            let code = SketchCodes.nearest(component * factor)
            codes.append(Int8(truncatingIfNeeded: code))
            let coded = Double(code) * scale
            codedSquares += coded * coded
            lostSquares += (component - coded) * (component - coded)
        }
        ids.append(id)
        rows.append(
            VectorSketch.Row(
                scale: scale, length: squares.squareRoot(), codedLength: codedSquares.squareRoot(),
                residual: lostSquares.squareRoot() * (1 + SketchBounds.slack)))
    }
}

enum SketchCodes {
    /// The nearest integer to a number between -2³¹ and 2³¹. `rounded()` calls a function for each component, because not every processor
    /// that Hearth is built for has an instruction for it.
    @inline(__always)
    static func nearest(_ number: Double) -> Int32 {
        // The last bits of the sum are the integer.
        Int32(truncatingIfNeeded: (number + 0x1.8p52).bitPattern)
    }
}
