// SPDX-License-Identifier: Apache-2.0
#if Macros
    import SwiftDiagnostics

    /// A diagnostic of `@FirestoreModel` at a declaration.
    enum ModelProblem: DiagnosticMessage {
        case notAStruct
        case notCodable
        case ownTable
        case tuple
        case noType(String)

        var message: String {
            switch self {
            case .notAStruct: "@FirestoreModel needs a struct or a final class: documents have named fields"
            case .notCodable: "@FirestoreModel needs a type that declares Codable here: the names of its fields come from CodingKeys"
            case .ownTable: "@FirestoreModel writes nothing, because the type has a table of fields already"
            case .tuple: "a tuple cannot be stored in a document; declare a struct, or separate properties"
            case .noType(let name): "the property '\(name)' needs a type annotation: @FirestoreModel sees the text of the declaration only"
            }
        }

        var severity: DiagnosticSeverity {
            if case .ownTable = self { return .warning }
            return .error
        }

        var diagnosticID: MessageID { MessageID(domain: "FirestoreModelMacros", id: "\(self)".prefix { $0 != "(" }.description) }
    }

    /// A fix-it that `@FirestoreModel` offers.
    enum ModelRepair: FixItMessage {
        case addCodable
        case addType(String)

        var message: String {
            switch self {
            case .addCodable: "add 'Codable'"
            case .addType(let type): "add ': \(type)'"
            }
        }

        var fixItID: MessageID { MessageID(domain: "FirestoreModelMacros", id: "\(self)".prefix { $0 != "(" }.description) }
    }
#endif
