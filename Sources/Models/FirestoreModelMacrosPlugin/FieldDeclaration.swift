// SPDX-License-Identifier: Apache-2.0
#if Macros
    import SwiftDiagnostics
    import SwiftSyntax

    /// A stored property of a model.
    struct FieldDeclaration {
        /// As it is written, with backticks.
        let name: String
        let type: String
        let kind: String
        let access: String

        var isIdentity: Bool { kind == "FieldKind.DocumentID" }

        /// The constant of the table.
        func definition(in model: String) -> String {
            "ModelField<\(model), \(type), \(kind)>" + (isIdentity ? ".documentID" : "(CodingKeys.\(name))")
        }

        /// The stored properties that a declaration declares; computed, static and lazy ones are none.
        static func all(in variable: VariableDeclSyntax, reportingTo report: (Diagnostic) -> Void) -> [FieldDeclaration] {
            let modifiers = variable.modifiers.map(\.name.text)
            guard !modifiers.contains("static"), !modifiers.contains("class"), !modifiers.contains("lazy") else { return [] }
            let attributes = Set(variable.attributes.compactMap(attributeName))
            guard !attributes.contains("NotStored") else { return [] }
            var result: [FieldDeclaration] = []
            // In `var a, b: Int` the annotation of `b` is that of `a`, too.
            var annotation: TypeSyntax?
            for binding in variable.bindings.reversed() {
                annotation = binding.typeAnnotation?.type ?? (binding.initializer == nil ? annotation : nil)
                guard isStored(binding) else { continue }
                guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else {
                    report(Diagnostic(node: binding.pattern, message: ModelProblem.tuple))
                    continue
                }
                guard let annotation else {
                    let repairs = [addingType(to: binding)].compactMap { $0 }
                    report(Diagnostic(node: binding.pattern, message: ModelProblem.noType(name), fixIts: repairs))
                    continue
                }
                guard !annotation.is(TupleTypeSyntax.self) || annotation.as(TupleTypeSyntax.self)?.elements.count == 1 else {
                    report(Diagnostic(node: annotation, message: ModelProblem.tuple))
                    continue
                }
                let (type, isOptional) = unwrapped(annotation)
                result.append(
                    FieldDeclaration(
                        name: name, type: type, kind: kind(attributes, isOptional: isOptional),
                        access: Access(of: variable.modifiers).ofField))
            }
            return result.reversed()
        }

        /// The last component of an attribute's name, without generic arguments.
        private static func attributeName(_ element: AttributeListSyntax.Element) -> String? {
            guard let attribute = element.as(AttributeSyntax.self) else { return nil }
            if let name = attribute.attributeName.as(IdentifierTypeSyntax.self) { return name.name.text }
            return attribute.attributeName.as(MemberTypeSyntax.self)?.name.text
        }

        private static let declarationAttributes: Set<String> = [
            "available", "objc", "nonobjc", "usableFromInline", "inlinable", "MainActor",
        ]

        private static func kind(_ attributes: Set<String>, isOptional: Bool) -> String {
            if attributes.contains("DocumentID") { return "FieldKind.DocumentID" }
            if attributes.contains("ServerTimestamp") { return "FieldKind.ServerTimestamp" }
            if attributes.contains("ExplicitNull") { return "FieldKind.ExplicitNull" }
            // The value that another wrapper stores for nil is not known here.
            guard attributes.isSubset(of: declarationAttributes) else { return "FieldKind.Required" }
            return isOptional ? "FieldKind.Optional" : "FieldKind.Required"
        }

        /// Stored with or without observers.
        private static func isStored(_ binding: PatternBindingSyntax) -> Bool {
            guard let block = binding.accessorBlock else { return true }
            guard case .accessors(let accessors) = block.accessors else { return false }
            return accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
        }

        /// `T?`, `T!` and `Optional<T>` are T.
        private static func unwrapped(_ type: TypeSyntax) -> (type: String, isOptional: Bool) {
            if let optional = type.as(OptionalTypeSyntax.self) { return (withoutParentheses(optional.wrappedType), true) }
            if let optional = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
                return (withoutParentheses(optional.wrappedType), true)
            }
            let text = type.trimmedDescription
            for prefix in ["Optional<", "Swift.Optional<"] where text.hasPrefix(prefix) && text.hasSuffix(">") {
                return (String(text.dropFirst(prefix.count).dropLast()), true)
            }
            return (text, false)
        }

        private static func withoutParentheses(_ type: TypeSyntax) -> String {
            guard let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first else {
                return type.trimmedDescription
            }
            // `(any P)?` needs its parentheses; `(Int)?` does not.
            return only.type.is(SomeOrAnyTypeSyntax.self) ? type.trimmedDescription : only.type.trimmedDescription
        }

        /// The type of a plain literal.
        private static func addingType(to binding: PatternBindingSyntax) -> FixIt? {
            guard let value = binding.initializer?.value else { return nil }
            let type: String
            switch value.kind {
            case .integerLiteralExpr: type = "Int"
            case .floatLiteralExpr: type = "Double"
            case .booleanLiteralExpr: type = "Bool"
            case .stringLiteralExpr: type = "String"
            default: return nil
            }
            let pattern = binding.pattern
            let annotated = PatternSyntax(
                IdentifierPatternSyntax(
                    leadingTrivia: pattern.leadingTrivia, identifier: .identifier("\(pattern.trimmedDescription): \(type)"),
                    trailingTrivia: pattern.trailingTrivia))
            return FixIt(message: ModelRepair.addType(type), changes: [.replace(oldNode: Syntax(pattern), newNode: Syntax(annotated))])
        }
    }
#endif
