// SPDX-License-Identifier: Apache-2.0

/// Scalars that `(?i)` does not distinguish: K, k and the Kelvin sign are one orbit.
enum CaseOrbits {
    /// Every scalar with another case, sorted, and the index of the next one of its orbit.
    private static let table: (scalars: [UInt32], next: [Int]) = {
        var pairs: [(scalar: UInt32, next: UInt32)] = []
        var reader = CompactNumbers(UnicodeTables.orbits)
        var first: UInt32 = 0
        while let gap = reader.next(), let run = reader.next(), let delta = reader.next() {
            first += gap
            for index in 0..<run / 2 {
                let scalar = first + index * (run % 2 + 1)
                pairs.append((scalar, delta % 2 == 0 ? scalar + delta / 2 : scalar - delta / 2))
            }
        }
        // Runs of every second scalar overlap the runs between them.
        pairs.sort { $0.scalar < $1.scalar }
        let scalars = pairs.map(\.scalar)
        return (scalars, pairs.map { index(of: $0.next, in: scalars) })
    }()

    /// The ranges, and everything in an orbit with a member of them.
    static func closure(of ranges: [ScalarRange]) -> [ScalarRange] {
        let (scalars, next) = table
        var closed = ranges
        for range in ranges {
            var at = index(of: range.first, in: scalars)
            while at < scalars.count, scalars[at] <= range.last {
                var other = next[at]
                while other != at {
                    if scalars[other] < range.first || scalars[other] > range.last {
                        closed.append(ScalarRange(scalars[other], scalars[other]))
                    }
                    other = next[other]
                }
                at += 1
            }
        }
        return closed
    }

    /// The first index whose scalar is not less.
    private static func index(of scalar: UInt32, in scalars: [UInt32]) -> Int {
        var (low, high) = (0, scalars.count)
        while low < high {
            let middle = (low + high) / 2
            if scalars[middle] < scalar { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
