// SPDX-License-Identifier: Apache-2.0
#if Macros
    import SwiftDiagnostics
    import SwiftSyntax
    import SwiftSyntaxBuilder

    /// The declaration of a type with `@FirestoreModel`.
    struct ModelDeclaration {
        /// The name with generic parameters, as the table writes it.
        let name: String
        let isGeneric: Bool
        /// The access level of the type, followed by a space; empty for the usual one.
        let access: String
        private let members: MemberBlockItemListSyntax

        /// nil if the macro cannot be used here.
        init?(_ declaration: some DeclGroupSyntax, of node: AttributeSyntax, reportingTo report: (Diagnostic) -> Void) {
            let parameters: GenericParameterClauseSyntax?
            let base: TokenSyntax
            if let type = declaration.as(StructDeclSyntax.self) {
                (base, parameters) = (type.name, type.genericParameterClause)
            } else if let type = declaration.as(ClassDeclSyntax.self), type.modifiers.contains(where: { $0.name.text == "final" }) {
                (base, parameters) = (type.name, type.genericParameterClause)
            } else {
                report(Diagnostic(node: node, message: ModelProblem.notAStruct))
                return nil
            }
            guard Self.isCodable(declaration.inheritanceClause) else {
                let repairs = [Self.addingCodable(to: declaration)].compactMap { $0 }
                report(Diagnostic(node: base, message: ModelProblem.notCodable, fixIts: repairs))
                return nil
            }
            isGeneric = parameters != nil
            let names = parameters?.parameters.map(\.name.text).joined(separator: ", ")
            name = names.map { "\(base.text)<\($0)>" } ?? base.text
            access = Access(of: declaration.modifiers).ofTable
            members = declaration.memberBlock.members
        }

        private static func isCodable(_ clause: InheritanceClauseSyntax?) -> Bool {
            let names = (clause?.inheritedTypes ?? []).flatMap { inherited in
                inherited.type.trimmedDescription.split(separator: "&").map { name in
                    String(name.split(separator: ".").last ?? "").filter { !$0.isWhitespace }
                }
            }
            return names.contains("Codable") || names.contains("FirestoreModel") || Set(names).isSuperset(of: ["Encodable", "Decodable"])
        }

        private static func addingCodable(to declaration: some DeclGroupSyntax) -> FixIt? {
            if let clause = declaration.inheritanceClause, let last = clause.inheritedTypes.last {
                let comma = last.with(\.type, last.type.trimmed).with(\.trailingComma, .commaToken(trailingTrivia: .space))
                let codable = InheritedTypeSyntax(type: TypeSyntax("Codable"), trailingTrivia: .space)
                let types = InheritedTypeListSyntax(clause.inheritedTypes.dropLast() + [comma, codable])
                return FixIt(
                    message: ModelRepair.addCodable, changes: [.replace(oldNode: Syntax(clause.inheritedTypes), newNode: Syntax(types))])
            }
            func replaced(_ name: TokenSyntax) -> FixIt {
                let renamed = TokenSyntax.identifier(
                    name.text + ": Codable", leadingTrivia: name.leadingTrivia, trailingTrivia: name.trailingTrivia)
                return FixIt(message: ModelRepair.addCodable, changes: [.replace(oldNode: Syntax(name), newNode: Syntax(renamed))])
            }
            if let type = declaration.as(StructDeclSyntax.self), type.genericParameterClause == nil { return replaced(type.name) }
            if let type = declaration.as(ClassDeclSyntax.self), type.genericParameterClause == nil { return replaced(type.name) }
            return nil
        }

        /// Whether there is a table that was written by hand; the macro leaves it alone.
        func hasTable(reportingTo report: (Diagnostic) -> Void) -> Bool {
            for member in members {
                let isTable =
                    member.decl.as(StructDeclSyntax.self)?.name.text == "Fields"
                    || member.decl.as(TypeAliasDeclSyntax.self)?.name.text == "Fields"
                    || member.decl.as(EnumDeclSyntax.self)?.name.text == "Fields"
                    || member.decl.as(VariableDeclSyntax.self)?.bindings.contains {
                        $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == "fields"
                    } == true
                guard isTable else { continue }
                report(Diagnostic(node: member.decl, message: ModelProblem.ownTable))
                return true
            }
            return false
        }

        /// The cases of `CodingKeys`; nil if the declaration does not contain them.
        private var codingKeys: Set<String>? {
            for member in members {
                guard let keys = member.decl.as(EnumDeclSyntax.self), keys.name.text == "CodingKeys" else { continue }
                return Set(
                    keys.memberBlock.members.flatMap { item in
                        item.decl.as(EnumCaseDeclSyntax.self)?.elements.map { Self.plain($0.name.text) } ?? []
                    })
            }
            return nil
        }

        private static func plain(_ name: String) -> String { name.filter { $0 != "`" } }

        /// The fields; nil if a property was rejected.
        func fields(reportingTo report: (Diagnostic) -> Void) -> [FieldDeclaration]? {
            var result: [FieldDeclaration] = []
            var isRejected = false
            let keys = codingKeys
            for member in members {
                guard let variable = member.decl.as(VariableDeclSyntax.self) else { continue }
                for field in FieldDeclaration.all(
                    in: variable,
                    reportingTo: {
                        isRejected = true; report($0)
                    })
                {
                    // The id needs no coding key: it is not read from a field.
                    if let keys, !field.isIdentity, !keys.contains(Self.plain(field.name)) { continue }
                    result.append(field)
                }
            }
            return isRejected ? nil : result
        }
    }

    /// An access level.
    struct Access {
        private let level: String?

        init(of modifiers: DeclModifierListSyntax) {
            // `private(set)` has a detail.
            let levels = ["open", "public", "package", "internal", "fileprivate", "private"]
            level = modifiers.first { $0.detail == nil && levels.contains($0.name.text) }?.name.text
        }

        /// For the table of a type: the witnesses have to be as accessible as the type.
        var ofTable: String {
            switch level {
            case "public", "open": "public "
            case "package": "package "
            default: ""
            }
        }

        /// For the field of a property, which its type can use as well.
        var ofField: String {
            switch level {
            case "public", "open": "public "
            case "package": "package "
            case "private", "fileprivate": "fileprivate "
            default: ""
            }
        }
    }
#endif
