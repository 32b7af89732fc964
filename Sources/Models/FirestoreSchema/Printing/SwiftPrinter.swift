// SPDX-License-Identifier: Apache-2.0

/// Prints the Swift types for the content of a tree: the whole content of a file.
package struct SwiftPrinter {
    package var types: TypeOptions
    package var options: PrintOptions

    package init(types: TypeOptions = TypeOptions(), options: PrintOptions = PrintOptions()) {
        self.types = types
        self.options = options
    }

    /// Whether a type of this name hides nothing that generated code uses, and is not a keyword.
    package static func isFree(_ name: String) -> Bool {
        !ReservedNames.types.contains(name) && !ReservedNames.keywords.contains(name) && !ReservedNames.members.contains(name)
    }

    /// - Parameters:
    ///   - collection: The path or id of the collection, for the name and the first line.
    ///   - name: The name of the type; nil: the collection's singular.
    ///   - remarks: What else the first lines say.
    package func text(_ tree: SchemaTree, collection: String, name: String? = nil, extent: String = "all", remarks: [String] = []) -> String
    {
        let name = name ?? SwiftNames.document(of: collection)
        let type = TypeDecider(options: types).document(tree, name: name)
        var text = SwiftText()
        text.comment(
            "\(StoredText.plain(collection)): \(Figures.grouped(tree.documents)) document\(tree.documents == 1 ? "" : "s") read, \(extent)."
        )
        if tree.isCut {
            text.comment("More than \(Figures.grouped(tree.limits.nodes)) fields: the deepest ones were not looked at.")
        }
        for remark in remarks { text.comment(remark, isWrapped: false) }
        text.line("import FirebaseFirestore")
        switch options.fields {
        case .none: if types.usesExtras, type.hasOpenWordsAnywhere { text.line("import FirestoreModels") }
        case .table: text.line("import FirestoreModels")
        case .macro: text.line("import FirestoreModelMacros")
        }
        if type.usesFoundationAnywhere { text.line("import Foundation") }
        text.line()
        print(type, isTop: true, into: &text)
        if options.fields == .table {
            text.line()
            for model in models(type, path: name) { text.line("extension \(model): FirestoreModel {}") }
        }
        return text.text
    }

    /// The qualified names of all structures.
    private func models(_ type: DeclaredType, path: String) -> [String] {
        var result: [String] = []
        if case .structure = type.body { result.append(path) }
        for nested in type.nested { result += models(nested, path: "\(path).\(nested.name)") }
        return result
    }

    private var conformances: String { options.conformances.contains(.hashable) ? "Codable, Hashable" : "Codable" }

    /// Whether the property `id` can identify a document: the document's id, or a field of this name if its type is `Hashable`.
    private func isIdentifiable(_ structure: Structure) -> Bool {
        if structure.id == "id" || options.conformances.contains(.hashable) { return true }
        return structure.properties.first { $0.name == "id" }?.type.isPlain ?? false
    }

    private var access: String { options.isPublic ? "public " : "" }

    private func print(_ type: DeclaredType, isTop: Bool, into text: inout SwiftText) {
        for note in type.notes { text.comment(note) }
        switch type.body {
        case .structure(let structure):
            let isIdentifiable = isTop && options.conformances.contains(.identifiable) && isIdentifiable(structure)
            if options.fields == .macro { text.line("@FirestoreModel") }
            text.block("\(access)struct \(type.name): \(conformances)\(isIdentifiable ? ", Identifiable" : "")") { text in
                print(structure, into: &text)
                print(type.nested, into: &text)
                if isTop { printHelpers(type, into: &text) }
                printKeys(structure, into: &text)
                if options.fields == .table { printFields(structure, of: type.name, into: &text) }
            }
        case .choice(let cases):
            let printer = ChoicePrinter(access: access, conformances: conformances, type: name)
            printer.print(cases, name: type.name, nested: { print(type.nested, into: &$0) }, into: &text)
        case .words(let cases, let isOpen):
            WordsPrinter(access: access, usesOpenEnum: types.usesExtras).print(cases, isOpen: isOpen, name: type.name, into: &text)
        case .wholeDictionary(let value):
            text.block("\(access)struct \(type.name): \(conformances)") { text in
                text.line("\(access)var fields: [String: \(name(value))]")
                text.line()
                text.block("\(access)init(fields: [String: \(name(value))])") { $0.line("self.fields = fields") }
                text.line()
                text.block("\(access)init(from decoder: any Decoder) throws") {
                    $0.line("fields = try [String: \(name(value))](from: decoder)")
                }
                text.line()
                text.block("\(access)func encode(to encoder: any Encoder) throws") { $0.line("try fields.encode(to: encoder)") }
                print(type.nested, into: &text)
                printHelpers(type, into: &text)
            }
        }
    }

    private func print(_ nested: [DeclaredType], into text: inout SwiftText) {
        for type in nested {
            text.line()
            print(type, isTop: false, into: &text)
        }
    }

    // MARK: Structures

    private func print(_ structure: Structure, into text: inout SwiftText) {
        if let id = structure.id {
            for note in structure.idNotes { text.comment(note) }
            text.line("@DocumentID \(access)var \(id): String?")
        }
        for property in structure.properties {
            for note in property.notes { text.comment(note) }
            let wrapper = property.wrapper == .none ? "" : property.wrapper.rawValue + " "
            text.line("\(wrapper)\(access)var \(SwiftNames.quoted(property.name)): \(name(property.type))")
        }
        guard options.isPublic else { return }
        var parameters = structure.id.map { ["\($0): String? = nil"] } ?? []
        parameters += structure.properties.map { property in
            let isOptional = if case .optional = property.type { true } else { false }
            return "\(SwiftNames.quoted(property.name)): \(name(property.type))\(isOptional ? " = nil" : "")"
        }
        text.line()
        text.block("public init(\(parameters.joined(separator: ", ")))") { text in
            for name in (structure.id.map { [$0] } ?? []) + structure.properties.map(\.name) {
                text.line("self.\(SwiftNames.quoted(name)) = \(SwiftNames.quoted(name))")
            }
        }
    }

    private func printKeys(_ structure: Structure, into text: inout SwiftText) {
        let isNeeded = structure.isRenamed || options.fields == .table
        guard isNeeded, !structure.properties.isEmpty || structure.id != nil else { return }
        text.line()
        text.block("\(access)enum CodingKeys: String, CodingKey") { text in
            if let id = structure.id { text.line("case \(id)") }
            for property in structure.properties {
                let value = property.name.utf8.elementsEqual(property.stored.utf8) ? "" : " = \(StoredText.literal(property.stored))"
                text.line("case \(SwiftNames.quoted(property.name))\(value)")
            }
        }
    }

    private func printFields(_ structure: Structure, of type: String, into text: inout SwiftText) {
        text.line()
        text.block("\(access)struct Fields: Sendable") { text in
            if let id = structure.id { text.line("\(access)let \(id) = ModelField<\(type), String, FieldKind.DocumentID>.documentID") }
            for property in structure.properties {
                var value = property.type
                var kind = "FieldKind.Required"
                if case .optional(let inner) = property.type { (value, kind) = (inner, "FieldKind.Optional") }
                if property.wrapper == .explicitNull { kind = "FieldKind.ExplicitNull" }
                if property.wrapper == .serverTimestamp { kind = "FieldKind.ServerTimestamp" }
                let field = SwiftNames.quoted(property.name)
                text.line("\(access)let \(field) = ModelField<\(type), \(name(value)), \(kind)>(CodingKeys.\(field))")
            }
        }
        text.line("\(access)static let fields = Fields()")
    }

    // MARK: Types

    private func name(_ type: FieldType) -> String {
        switch type {
        case .boolean: "Bool"
        case .integer: "Int"
        case .double: "Double"
        case .string: "String"
        case .url: "URL"
        case .date: "Date"
        case .timestamp: "Timestamp"
        case .data: "Data"
        case .geoPoint: "GeoPoint"
        case .reference: "DocumentReference"
        case .vector: "VectorValue"
        case .value: types.usesExtras ? "FirestoreValue" : "StoredValue"
        case .array(let inner): "[\(name(inner))]"
        case .dictionary(let inner): "[String: \(name(inner))]"
        case .optional(let inner): "\(name(inner))?"
        case .declared(let declared): declared.name
        }
    }

    /// Prints types that the Apple SDK does not have, and code that distinguishes maps from other values.
    private func printHelpers(_ type: DeclaredType, into text: inout SwiftText) {
        let usesValue = type.usesStoredValueAnywhere && !types.usesExtras
        if usesValue {
            text.line()
            text.lines(StoredValuePrinter.text(access: access, conformances: conformances))
        }
        if usesValue || type.hasAmbiguousChoice {
            text.line()
            text.lines(StoredValuePrinter.nameText(access: access))
        }
    }
}

extension DeclaredType {
    fileprivate var usesStoredValueAnywhere: Bool { usesStoredValue || nested.contains(where: \.usesStoredValueAnywhere) }

    fileprivate var hasOpenWordsAnywhere: Bool {
        if case .words(_, isOpen: true) = body { return true }
        return nested.contains(where: \.hasOpenWordsAnywhere)
    }

    fileprivate var usesFoundationAnywhere: Bool {
        // A value of any type may be bytes.
        usesFoundation || usesStoredValue || nested.contains(where: \.usesFoundationAnywhere)
    }

    fileprivate var hasAmbiguousChoice: Bool {
        if case .choice(let cases) = body, ChoicePrinter.isAmbiguous(cases) { return true }
        return nested.contains(where: \.hasAmbiguousChoice)
    }
}
