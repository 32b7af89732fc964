// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Decides the printed types of documents, from the facts about them.
struct TypeDecider {
    let options: TypeOptions

    /// A decided type, and comments on it.
    struct Decision {
        var type: FieldType
        var notes: [String] = []
    }

    /// The names and types of the structure that is being decided.
    struct Scope {
        var names: SwiftNames
        var nested: [DeclaredType] = []
        /// The names of the types around, which nested ones must not hide.
        var enclosing: Set<String>

        /// `members`: the names of the properties beside the types, which may be equal to names of types in writings without capitals.
        init(inside names: Set<String>, members: [String] = []) {
            enclosing = names
            self.names = .types(inside: names.union(members))
        }

        mutating func declare(_ words: [String], _ body: DeclaredType.Body) -> DeclaredType {
            let type = DeclaredType(name: names.type(words), body: body)
            nested.append(type)
            return type
        }
    }

    /// The place that is being decided.
    struct Place {
        var path: SchemaPath
        /// The words of the name that types are named after.
        var words: [String]
    }

    func document(_ tree: SchemaTree, name: String) -> DeclaredType {
        if tree.root.entry != nil || tree.root.isCut {
            var scope = Scope(inside: [name, "StoredValue"])
            let place = Place(path: SchemaPath().values, words: NameWords.of(name))
            let decision = tree.root.isCut ? Decision(type: .value) : optionalElement(tree.root.mergedValues(), place, &scope)
            let type = DeclaredType(name: name, body: .wholeDictionary(decision.type))
            type.notes = ["more than \(Figures.grouped(tree.limits.names)) names of fields: they are data"] + decision.notes
            type.nested = scope.nested
            return type
        }
        let type = structure(tree.root, name: name, path: SchemaPath(), enclosing: ["StoredValue"])
        guard case .structure(var structure) = type.body else { return type }
        var taken = Set(structure.properties.map(\.name) + structure.properties.map(\.stored))
        for candidate in ["id", "documentID", "documentIdentifier", "firestoreID"] where structure.id == nil {
            if taken.insert(candidate).inserted { structure.id = candidate }
        }
        if structure.id == nil {
            var names = SwiftNames(taken: taken)
            structure.id = names.claim("documentID")
        }
        if let own = tree.root["id"], tree.documents > 0 {
            if tree.ownIDs == tree.documents {
                if let index = structure.properties.firstIndex(where: { $0.stored == "id" }) {
                    structure.properties[index].notes.append("always equal to the document's id")
                }
            } else if own.present > 0, tree.ownIDs > 0 {
                structure.idNotes.append("the field `id` is equal to it in \(Figures.share(tree.ownIDs, of: tree.documents))")
            }
        }
        type.body = .structure(structure)
        SharedTypes.unite(in: type)
        return type
    }

    // MARK: Structures

    func structure(_ map: MapFacts, name: String, path: SchemaPath, enclosing: Set<String>) -> DeclaredType {
        var names = SwiftNames()
        let members = names.properties(map.children.map(\.text))
        var scope = Scope(inside: enclosing.union([name]), members: members)
        var structure = Structure()
        for (child, member) in zip(map.children, members) {
            let stored = child.text
            let place = Place(path: path.field(stored), words: NameWords.of(stored))
            structure.properties.append(
                property(child.node, stored, member, of: map.instances, place, isTop: path.text.isEmpty, &scope))
        }
        let type = DeclaredType(name: name, body: .structure(structure))
        type.nested = scope.nested
        return type
    }

    private func property(
        _ node: SchemaNode, _ stored: String, _ name: String, of parents: Int, _ place: Place, isTop: Bool, _ scope: inout Scope
    ) -> Property {
        var place = place
        if place.words.isEmpty { place.words = [name] }
        let decision = decide(node, place, &scope)
        var property = Property(stored: stored, name: name, type: decision.type, notes: decision.notes)
        let (present, nulls) = (node.present, node.count(.null))
        let missing = parents - present
        switch (missing > 0, nulls > 0) {
        case (false, false): break
        case (true, false):
            property.type = .optional(decision.type)
            property.notes.append(occurrence(node, present, parents))
        case (false, true):
            property.type = .optional(decision.type)
            property.wrapper = .explicitNull
            property.notes.append("null in \(Figures.share(nulls, of: parents))")
        case (true, true):
            property.type = .optional(decision.type)
            let counts = "null in \(Figures.grouped(nulls)), missing in \(Figures.grouped(missing))"
            if options.usesExtras, nulls > missing {
                property.wrapper = .explicitNull
                property.notes.append("\(counts); writing back turns missing into null")
            } else {
                property.notes.append("\(counts); writing back turns null into missing")
            }
        }
        if isTop { addServerTime(node, place, missing: missing, nulls: nulls, to: &property) }
        return property
    }

    /// How often an optional field occurs, and where if it is rare.
    private func occurrence(_ node: SchemaNode, _ present: Int, _ parents: Int) -> String {
        let text = "in \(Figures.share(present, of: parents))"
        guard present * 100 < parents else { return text }
        var examples = Examples()
        for facts in node.types { examples.merge(facts.examples) }
        return "\(text): \(Figures.list(examples))"
    }

    /// A field that holds the time of writing (MP-24).
    private func addServerTime(_ node: SchemaNode, _ place: Place, missing: Int, nulls: Int, to property: inout Property) {
        guard ReservedNames.serverTimes.contains(place.words.joined()), let times = node.times,
            node.types.allSatisfy({ $0.type <= .null || $0.type == .timestamp })
        else { return }
        let count = node.count(.timestamp)
        guard times.withTimes == count else {
            return property.notes.append("a server timestamp? the source does not tell when documents were written")
        }
        guard times.nearTimes * 10 >= count * 9 else { return }
        let near = "within 2 seconds of the document's create or update time in \(Figures.share(times.nearTimes, of: count))"
        guard missing == 0, nulls == 0 else {
            let trouble = missing > 0 ? "missing in \(Figures.grouped(missing))" : "null in \(Figures.grouped(nulls))"
            return property.notes.append("a server timestamp? \(near), but \(trouble)")
        }
        property.type = .optional(property.type)
        property.wrapper = .serverTimestamp
        property.notes.append("\(near); nil becomes the time of the write")
    }

    // MARK: One place

    /// The type of an element or a dictionary's value: optional if there are nulls.
    func optionalElement(_ node: SchemaNode, _ place: Place, _ scope: inout Scope) -> Decision {
        var decision = decide(node, place, &scope)
        let nulls = node.count(.null)
        if nulls > 0 {
            decision.type = .optional(decision.type)
            decision.notes.append("\(place.path): null in \(Figures.share(nulls, of: node.present))")
        }
        return decision
    }

    /// The type of a place, null aside.
    func decide(_ node: SchemaNode, _ place: Place, _ scope: inout Scope) -> Decision {
        let types = Self.distinguished(node)
        guard let first = types.first else { return Decision(type: .value, notes: ["only null was found"]) }
        guard types.count > 1 else { return single(first.type, node, place, isChoice: false, &scope) }
        var cases: [ChoiceCase] = []
        var notes: [String] = []
        // Decided before the names of their types are taken, so that the choice itself has the field's name.
        let name =
            place.path.text.hasSuffix("[]")
            ? place.words + ["element"] : place.path.text.hasSuffix("{}") ? place.words + ["value"] : place.words
        let choice = scope.declare(name, .choice([]))
        for facts in ChoiceOrder.sorted(types) {
            let decision = single(facts.type, node, place, isChoice: true, &scope)
            cases.append(ChoiceCase(stored: facts.type, name: ChoiceOrder.name(facts.type, decision.type), type: decision.type))
            notes += decision.notes
        }
        choice.body = .choice(cases)
        let total = types.reduce(0) { $0 + $1.count }
        notes.append(types.map { "\($0.type.name) \(Figures.grouped($0.count))" }.joined(separator: ", "))
        for facts in types where facts.count * 100 < total {
            let share = "\(Figures.grouped(facts.count)) of \(Figures.grouped(total))"
            notes.append("\(facts.type.name) in \(share), probably a mistake: \(Figures.list(facts.examples))")
        }
        return Decision(type: .declared(choice), notes: notes)
    }

    /// The types of a place, null aside, with all numbers as one (MP-16).
    static func distinguished(_ node: SchemaNode) -> [TypeFacts] {
        var types = node.types.filter { $0.type != .null }
        guard let integers = types.firstIndex(where: { $0.type == .integer }), let doubles = types.firstIndex(where: { $0.type == .double })
        else { return types }
        types[doubles].count += types[integers].count
        types[doubles].examples.merge(types[integers].examples)
        types.remove(at: integers)
        return types
    }

    private func single(_ type: StoredType, _ node: SchemaNode, _ place: Place, isChoice: Bool, _ scope: inout Scope) -> Decision {
        switch type {
        case .null: return Decision(type: .value)
        case .boolean: return Decision(type: .boolean)
        case .integer: return Decision(type: .integer, notes: Self.hint(ofIntegers: node).map { [$0] } ?? [])
        case .double: return Decision(type: .double, notes: doubleNotes(node))
        case .timestamp: return time(node)
        case .bytes: return Decision(type: .data)
        case .geoPoint: return Decision(type: .geoPoint)
        case .reference: return Decision(type: .reference, notes: referenceNotes(node))
        case .vector: return Decision(type: .vector, notes: vectorNotes(node))
        case .string: return isChoice ? Decision(type: .string) : text(node, place, &scope)
        case .array: return array(node, place, isChoice: isChoice, &scope)
        case .map: return map(node, place, isChoice: isChoice, &scope)
        }
    }

    private func doubleNotes(_ node: SchemaNode) -> [String] {
        var notes: [String] = []
        if let beyond = node.integers?.beyondDouble, !beyond.ids.isEmpty {
            notes.append("an integer beyond 2^53 loses digits: \(Figures.list(beyond))")
        }
        if let odd = node.doubles?.notFinite, !odd.ids.isEmpty {
            notes.append("NaN or an infinity, which the encoder refuses without a strategy: \(Figures.list(odd))")
        }
        return notes
    }

    private func time(_ node: SchemaNode) -> Decision {
        if options.keepsTimestamps { return Decision(type: .timestamp) }
        guard let moved = node.times?.movedByDate, !moved.ids.isEmpty else { return Decision(type: .date) }
        return Decision(type: .timestamp, notes: ["`Date` would move it by a microsecond or more: \(Figures.list(moved))"])
    }

    private func referenceNotes(_ node: SchemaNode) -> [String] {
        guard let references = node.references else { return [] }
        var notes: [String] = []
        if case .one(let collection) = references.collection { notes.append(StoredText.plain(String(decoding: collection, as: UTF8.self))) }
        if !references.foreign.ids.isEmpty { notes.append("into another database: \(Figures.list(references.foreign))") }
        return notes
    }

    private func vectorNotes(_ node: SchemaNode) -> [String] {
        guard let dimensions = node.dimensions else { return [] }
        let range = dimensions.least == dimensions.most ? "\(dimensions.least)" : "\(dimensions.least) to \(dimensions.most)"
        return ["\(range) dimensions"]
    }

    // MARK: Arrays

    private func array(_ node: SchemaNode, _ place: Place, isChoice: Bool, _ scope: inout Scope) -> Decision {
        guard let array = node.array, let element = array.element else {
            let isCut = node.array?.isCut == true
            return Decision(type: .array(.value), notes: [isCut ? "too deep to be looked at" : "always empty"])
        }
        let inner = Place(path: place.path.elements, words: Singular.of(place.words) + (isChoice ? ["element"] : []))
        var decision = optionalElement(element, inner, &scope)
        decision.type = .array(decision.type)
        let isNumeric = element.types.allSatisfy { $0.type == .integer || $0.type == .double }
        if isNumeric, array.lengths.least == array.lengths.most, array.lengths.least >= 32 {
            decision.notes.append("always \(array.lengths.least) numbers: a vector?")
        }
        return decision
    }
}
