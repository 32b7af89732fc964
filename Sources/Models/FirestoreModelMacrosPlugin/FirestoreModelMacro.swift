// SPDX-License-Identifier: Apache-2.0
#if Macros
    import SwiftDiagnostics
    import SwiftSyntax
    import SwiftSyntaxBuilder
    import SwiftSyntaxMacros

    /// `@FirestoreModel`: the table of fields, and the conformance.
    struct FirestoreModelMacro: MemberMacro, ExtensionMacro {
        static func expansion(
            of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax, conformingTo protocols: [TypeSyntax],
            in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            guard !declaration.is(EnumDeclSyntax.self),
                let model = ModelDeclaration(declaration, of: node, reportingTo: context.diagnose)
            else { return [] }
            if model.hasTable(reportingTo: context.diagnose) { return [] }
            guard let fields = model.fields(reportingTo: context.diagnose) else { return [] }
            let lines = fields.map { "    \($0.access)let \($0.name) = \($0.definition(in: model.name))" }
            let table = (["\(model.access)struct Fields: Sendable {"] + lines + ["}"]).joined(separator: "\n")
            // A generic type cannot have a stored static property.
            let constant = model.access + (model.isGeneric ? "static var fields: Fields { Fields() }" : "static let fields = Fields()")
            return [DeclSyntax(stringLiteral: table), DeclSyntax(stringLiteral: constant)]
        }

        static func expansion(
            of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax, providingExtensionsOf type: some TypeSyntaxProtocol,
            conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
        ) throws -> [ExtensionDeclSyntax] {
            // The compiler expands the members of an enum only when they are looked up.
            if declaration.is(EnumDeclSyntax.self) {
                context.diagnose(Diagnostic(node: node, message: ModelProblem.notAStruct))
                return []
            }
            // The other expansion has already diagnosed other declarations.
            guard !protocols.isEmpty, let model = ModelDeclaration(declaration, of: node, reportingTo: { _ in }) else { return [] }
            guard model.hasTable(reportingTo: { _ in }) || model.fields(reportingTo: { _ in }) != nil else { return [] }
            return [try ExtensionDeclSyntax("extension \(type.trimmed): FirestoreModel {}")]
        }
    }

    /// `@NotStored`: a mark that `@FirestoreModel` reads.
    struct NotStoredMacro: PeerMacro {
        static func expansion(
            of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
        ) throws -> [DeclSyntax] {
            []
        }
    }
#endif
