// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A row of the model.
struct ModelRow {
    var fields: FieldMap
    /// The path of the document below the database.
    var path: String?
    /// Whether it carries the times of a document.
    var hasTimes = false
    var variables: [String: ModelResult] = [:]

    init(fields: FieldMap = FieldMap(), path: String? = nil, hasTimes: Bool = false, variables: [String: ModelResult] = [:]) {
        (self.fields, self.path, self.hasTimes, self.variables) = (fields, path, hasTimes, variables)
    }
}

/// A result as text, in which rows of all services can be compared: the times of documents differ from database to database.
package enum ModelOutcome: Equatable, Sendable, CustomStringConvertible {
    case rows([String])
    /// The request is refused as an invalid argument.
    case refused

    package static func text(path: String?, hasTimes: Bool, _ fields: FieldMap) -> String {
        "\(path ?? "")\(hasTimes ? "@" : "") \(PipelineText.print(.value(.map(fields))))"
    }

    package var description: String {
        switch self {
        case .rows(let rows): rows.isEmpty ? "no rows" : rows.joined(separator: "\n")
        case .refused: "refused"
        }
    }
}

extension ModelOutcome {
    /// The outcome of a service. Errors other than those of the request are thrown.
    package init(
        of service: any PipelineService, _ pipeline: PipelineRequest, in database: DatabaseID, _ context: RequestContext = .embedded
    ) async throws {
        do {
            let rows = try await service.execute(pipeline, context: context).rows
            self = .rows(
                try rows.map { row in
                    let path = row.name.map { String($0.dropFirst(database.documentsPrefix.count)) }
                    return Self.text(path: path, hasTimes: row.createTime != nil && row.updateTime != nil, try row.fields.map)
                })
        } catch let error as FirestoreError where error.code == .invalidArgument {
            self = .refused
        }
    }
}
