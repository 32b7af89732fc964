// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A tree that encodes itself in ways drawn by lot: directly, through nested containers, through super encoders, in any
/// order, with values that are overwritten later.
struct WrittenTree: Encodable {
    let tree: Tree
    let lot: Lot

    /// Where the ways come from, shared by the whole tree.
    final class Lot {
        private var generator: SeededGenerator
        init(seed: UInt64) { generator = SeededGenerator(seed: seed) }
        func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }
        func shuffle<Element>(_ elements: [Element]) -> [Element] { elements.shuffled(using: &generator) }
    }

    private func written(_ tree: Tree) -> WrittenTree { WrittenTree(tree: tree, lot: lot) }

    func encode(to encoder: any Encoder) throws {
        switch tree {
        case .map(let entries):
            var container = encoder.container(keyedBy: Name.self)
            try write(entries, to: &container)
        case .list(let values):
            var container = encoder.unkeyedContainer()
            try write(values, to: &container)
        default:
            var container = encoder.singleValueContainer()
            try write(tree, to: &container)
        }
    }

    private func write(_ scalar: Tree, to container: inout any SingleValueEncodingContainer) throws {
        switch scalar {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        default: try container.encode(written(scalar))
        }
    }

    private func write(_ entries: [(name: String, value: Tree)], to container: inout KeyedEncodingContainer<Name>) throws {
        var late: [() throws -> Void] = []
        for (name, value) in lot.shuffle(entries) {
            let key = Name(name)
            if lot.draw(6) == 0 { try container.encode("overwritten", forKey: key) }
            switch (value, lot.draw(4)) {
            case (.map(let inner), 0), (.map(let inner), 1):
                // A scalar of that name cannot become a container; a container may be continued.
                try container.encode(Tree.Marker(), forKey: key)
                var nested = container.nestedContainer(keyedBy: Name.self, forKey: key)
                late.append { try write(inner, to: &nested) }
            case (.list(let inner), 0):
                try container.encode([Int](), forKey: key)
                var nested = container.nestedUnkeyedContainer(forKey: key)
                late.append { try write(inner, to: &nested) }
            case (_, 2):
                let encoder = container.superEncoder(forKey: key)
                late.append { try written(value).encode(to: encoder) }
            case (.null, _): try container.encodeNil(forKey: key)
            case (.bool(let value), _): try container.encode(value, forKey: key)
            case (.integer(let value), _): try container.encode(value, forKey: key)
            case (.double(let value), _): try container.encode(value, forKey: key)
            case (.text(let value), _): try container.encode(value, forKey: key)
            default: try container.encode(written(value), forKey: key)
            }
        }
        for step in lot.shuffle(late) { try step() }
    }

    private func write(_ values: [Tree], to container: inout any UnkeyedEncodingContainer) throws {
        var late: [() throws -> Void] = []
        for value in values {
            switch (value, lot.draw(3)) {
            case (.map(let inner), 0):
                var nested = container.nestedContainer(keyedBy: Name.self)
                late.append { try write(inner, to: &nested) }
            case (_, 1):
                let encoder = container.superEncoder()
                late.append { try written(value).encode(to: encoder) }
            case (.integer(let value), _): try container.encode(value)
            case (.text(let value), _): try container.encode(value)
            case (.null, _): try container.encodeNil()
            default: try container.encode(written(value))
            }
        }
        for step in lot.shuffle(late) { try step() }
    }
}

extension Tree {
    /// An empty map, to be continued by a nested container.
    struct Marker: Encodable {}
}
