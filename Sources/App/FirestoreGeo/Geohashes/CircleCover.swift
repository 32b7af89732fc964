// SPDX-License-Identifier: Apache-2.0

/// The geohash ranges that contain every place of a circle.
enum CircleCover {
    /// Each range is a separate query: more ranges fit the circle closer, and cost more.
    static let maximumRanges = 9
    /// When the cells are this small compared to the circle, smaller ones save very little.
    private static let maximumCells = 64

    /// Halves the cell of the world, selects the halves that intersect the circle, halves those, and so on, and uses the
    /// last level whose cells form few ranges. Poles and the antimeridian need no special case: the distance to a cell
    /// accounts for them.
    ///
    /// `level`: the number of halvings of every stored geohash; a bound that is longer than a geohash could miss it.
    static func ranges(around place: GlobePoint, radius: Double, level: Int) -> [GeohashRange] {
        // More than the rounding error of any distance, less than the smallest cell.
        let reach = radius + 0.001 + radius * 1e-9
        var cells = [GeohashCell.world]
        var best = merged(cells)
        while let current = cells.first?.level, current < level {
            var next: [GeohashCell] = []
            for cell in cells {
                let halves = cell.halves
                if halves.lower.distance(from: place) <= reach { next.append(halves.lower) }
                if halves.upper.distance(from: place) <= reach { next.append(halves.upper) }
            }
            guard next.count <= maximumCells else { break }
            cells = next
            let ranges = merged(cells)
            if ranges.count <= maximumRanges { best = ranges }
        }
        return best
    }

    /// Cells of one level, in the order of their codes, as ranges; cells with adjacent codes are merged.
    private static func merged(_ cells: [GeohashCell]) -> [GeohashRange] {
        var codes: [Range<UInt64>] = []
        for cell in cells {
            if let last = codes.last, last.upperBound == cell.code {
                codes[codes.count - 1] = last.lowerBound..<cell.code + 1
            } else {
                codes.append(cell.code..<cell.code + 1)
            }
        }
        let level = cells.first?.level ?? 0
        return codes.map { codes in
            let isLast = codes.upperBound >> UInt64(level) != 0
            return GeohashRange(
                lowerBound: bound(codes.lowerBound, level: level),
                upperBound: isLast ? "~" : bound(codes.upperBound, level: level))
        }
    }

    /// A code as a bound, without zeros at the end: a shorter geohash would sort before them.
    private static func bound(_ code: UInt64, level: Int) -> String {
        let text = GeohashCell.text(of: code, level: level)
        let significant = text.utf8.lastIndex { $0 != UInt8(ascii: "0") }
        return significant.map { String(text[...$0]) } ?? "0"
    }
}
