// SPDX-License-Identifier: Apache-2.0
import Foundation

/// `.build/bench.json`: an array of `{"case", "value", "unit", "peer", "ratio"}`, so that a script can
/// compare runs. Writing merges by case name: a filtered run preserves the results that it did not measure.
struct ResultFile {
    struct Entry: Codable {
        var name: String
        var value: Double
        var unit: String
        var peer: String?
        var ratio: Double?

        enum CodingKeys: String, CodingKey {
            case name = "case"
            case value, unit, peer, ratio
        }

        /// By hand, because the synthesized form leaves out a nil instead of writing null.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(value, forKey: .value)
            try container.encode(unit, forKey: .unit)
            try container.encode(peer, forKey: .peer)
            try container.encode(ratio, forKey: .ratio)
        }
    }

    let path: String

    func merge(_ results: [BenchmarkResult]) throws {
        try merge(
            results.map {
                Entry(name: $0.name, value: $0.value, unit: $0.unit, peer: $0.peerName, ratio: $0.ratio)
            })
    }

    func merge(_ entries: [Entry]) throws {
        let url = URL(fileURLWithPath: path)
        var all = (try? JSONDecoder().decode([Entry].self, from: Data(contentsOf: url))) ?? []
        for entry in entries {
            if let index = all.firstIndex(where: { $0.name == entry.name }) {
                all[index] = entry
            } else {
                all.append(entry)
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try encoder.encode(all).write(to: url, options: .atomic)
    }
}
