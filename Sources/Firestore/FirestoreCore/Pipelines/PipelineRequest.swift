// SPDX-License-Identifier: Apache-2.0

/// A pipeline as its author wrote it: stages by name, nothing resolved.
///
/// A client builds and forwards pipelines without knowing what their stages and functions mean, so that a new function of a server needs
/// no new client. `PipelineCheck` of the module `FirestorePipelines` gives the names their meaning.
package struct PipelineRequest: Sendable, Hashable {
    package var stages: [PipelineStage]
    /// Options of the whole pipeline, by name. An authority ignores those that it does not know.
    package var options: [String: PipelineArgument]

    package init(_ stages: [PipelineStage] = [], options: [String: PipelineArgument] = [:]) {
        self.stages = stages
        self.options = options
    }

    /// Whether running it may change documents: its last stage writes, or this version does not know one of its stages. Such a pipeline
    /// is never repeated.
    package var writes: Bool {
        stages.contains { stage in
            guard let kind = stage.kind else { return true }
            return kind.writes
        }
    }
}

extension PipelineRequest {
    /// The path of the collection, or the name of the collection group, that its first stage reads; nil for other sources.
    package var source: String? {
        guard let first = stages.first, let argument = first.arguments.last, case .constant(let bytes) = argument else { return nil }
        switch (first.kind, try? bytes.value) {
        case (.collection, .reference(let path)?): return path.utf8.first == UInt8(ascii: "/") ? String(path.dropFirst()) : path
        case (.collectionGroup, .string(let id)?): return id
        default: return nil
        }
    }
}

/// One stage of a pipeline.
package struct PipelineStage: Sendable, Hashable {
    /// Its name on the wire.
    package var name: String
    package var arguments: [PipelineArgument]
    package var options: [String: PipelineArgument]

    package init(_ name: String, _ arguments: [PipelineArgument] = [], options: [String: PipelineArgument] = [:]) {
        self.name = name
        self.arguments = arguments
        self.options = options
    }

    package init(_ kind: PipelineStageKind, _ arguments: [PipelineArgument] = [], options: [String: PipelineArgument] = [:]) {
        self.init(kind.rawValue, arguments, options: options)
    }

    /// nil for a stage that this version does not know.
    package var kind: PipelineStageKind? { PipelineStageKind(rawValue: name) }
}

/// The stages that exist, by their names on the wire.
package enum PipelineStageKind: String, Sendable, CaseIterable {
    case collection
    case collectionGroup = "collection_group"
    case database, documents, literals, subcollection
    case `where`, limit, offset, sort, sample
    case select, distinct, aggregate, unnest, union, `let`
    case addFields = "add_fields"
    case removeFields = "remove_fields"
    case replaceWith = "replace_with"
    case findNearest = "find_nearest"
    case update, delete, insert, upsert

    /// Whether it produces rows, and so stands first.
    package var isSource: Bool {
        switch self {
        case .collection, .collectionGroup, .database, .documents, .literals, .subcollection: true
        default: false
        }
    }

    /// Whether it changes documents, and so stands last.
    package var writes: Bool {
        switch self {
        case .update, .delete, .insert, .upsert: true
        default: false
        }
    }
}
