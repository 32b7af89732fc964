// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Maps: structures, or dictionaries whose names are data (MP-20).
extension TypeDecider {
    func map(_ node: SchemaNode, _ place: Place, isChoice: Bool, _ scope: inout Scope) -> Decision {
        guard let map = node.map else { return Decision(type: .dictionary(.value)) }
        if map.isCut { return Decision(type: .dictionary(.value), notes: ["too deep to be looked at"]) }
        if map.entry == nil, map.children.isEmpty { return Decision(type: .dictionary(.value), notes: ["always empty"]) }
        if let reason = dictionaryReason(map, place.path) {
            let inner = Place(path: place.path.values, words: Singular.of(place.words))
            var decision = optionalElement(map.mergedValues(), inner, &scope)
            decision.type = .dictionary(decision.type)
            decision.notes.insert("a dictionary: \(reason)", at: 0)
            return decision
        }
        let type = scope.declare(place.words + (isChoice ? ["fields"] : []), .structure(Structure()))
        let inner = structure(map, name: type.name, path: place.path, enclosing: scope.enclosing.union([type.name]))
        type.body = inner.body
        type.nested = inner.nested
        return Decision(type: .declared(type))
    }

    /// Why the names in a map are data; nil if they are names of fields.
    func dictionaryReason(_ map: MapFacts, _ path: SchemaPath) -> String? {
        if options.structPaths.contains(path.text), map.entry == nil { return nil }
        if options.mapPaths.contains(path.text) { return "as asked for" }
        guard map.entry == nil else { return map.reason ?? "more than \(Figures.grouped(SchemaLimits().names)) names" }
        let names = map.children.count
        guard names >= 2, let reason = likelyReason(map, names) else { return nil }
        return Self.distinguished(map.mergedValues()).count <= 1 ? reason : nil
    }

    private func likelyReason(_ map: MapFacts, _ names: Int) -> String? {
        let counts = map.children.map { $0.node.present }.sorted()
        // The same few languages in every map are fields.
        if let reason = map.shapes.reason, reason != NameShapes.codes || counts.first.map({ $0 < map.instances }) == true { return reason }
        let median = counts[names / 2]
        if names >= 8, median * 10 < map.instances {
            return "\(Figures.grouped(names)) names in \(Figures.grouped(map.instances)) maps, most of them rare"
        }
        return nil
    }
}
