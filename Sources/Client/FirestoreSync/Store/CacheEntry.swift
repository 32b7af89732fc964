// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// What the authority said of a document, or confirmed by an acknowledgement (SY-1).
struct RemoteState: Equatable {
    enum Kind: Int64 { case none, found, missing, unknown }

    var kind = Kind.none
    var version = DocumentVersion.none
    var createTime = DocumentVersion.none
    /// The version at which it was put into the cache.
    var readTime = DocumentVersion.none
    /// An acknowledged write was applied that the watch has not delivered yet (SY-6).
    var isCommitted = false
    /// Empty unless found.
    var fields = FieldBytes.empty

    static func found(_ document: Document, readTime: DocumentVersion = .none) -> RemoteState {
        RemoteState(
            kind: .found, version: document.updateTime, createTime: document.createTime, readTime: readTime, fields: document.fields)
    }
}

/// The fields that pending writes changed; nil means all of them (SY-8).
typealias MutatedFields = Set<FieldPathSegments>?

/// The net effect of all pending writes on a document (SY-3). Its values are those of the local view.
struct CacheOverlay: Equatable {
    enum Effect: Equatable {
        case set
        case patch([FieldPathSegments])
        case delete
    }

    /// The newest batch in it.
    var batch: BatchID
    var effect: Effect

    var mutatedFields: MutatedFields {
        if case .patch(let mask) = effect { Set(mask) } else { nil }
    }
}

/// A document of the cache: the authority's state, the overlay, and the local view they give.
struct CacheEntry {
    let key: DocumentKey
    var remote: RemoteState
    var overlay: CacheOverlay?
    /// The fields of the local view where an overlay lies over the document; nil if that has deleted it.
    private(set) var overlaid: FieldBytes?

    init(key: DocumentKey, remote: RemoteState = RemoteState(), overlay: CacheOverlay? = nil, overlaid: FieldBytes? = nil) {
        self.key = key
        self.remote = remote
        self.overlay = overlay
        self.overlaid = overlaid
    }

    /// The row of the `documents` table.
    var row: Document? {
        let fields: FieldBytes? = overlay == nil ? (remote.kind == .found ? remote.fields : nil) : overlaid
        return fields.map { Document(key: key, createTime: remote.createTime, updateTime: remote.version, fields: $0) }
    }

    /// Whether the row alone does not say everything.
    var needsBase: Bool {
        overlay != nil || remote.isCommitted || remote.kind == .missing || remote.kind == .unknown
    }

    var local: LocalDocument {
        let content: LocalDocument.Content
        if let row {
            content = .found(row)
        } else if overlay != nil {
            content = .missing
        } else {
            content =
                switch remote.kind {
                case .missing: .missing
                case .unknown: .unknown
                case .found, .none: .none
                }
        }
        return LocalDocument(key: key, content: content, version: remote.version, state: state)
    }

    private var state: LocalDocument.State {
        overlay != nil ? .hasLocalMutations : remote.isCommitted ? .hasCommittedMutations : .synced
    }

    // MARK: Changes

    /// The document as the next pending write finds it.
    var application: LocalApplication {
        guard let overlay else { return LocalApplication(key, remote) }
        var application = LocalApplication(key, remote)
        application.kind = overlaid == nil ? .missing : .found
        application.fields = overlaid ?? .empty
        application.isMutated = true
        application.mutatedFields = overlay.mutatedFields
        return application
    }

    /// Takes the result of pending writes as the local view, under the newest batch among them (SY-41).
    mutating func take(_ application: LocalApplication, of batch: BatchID) {
        let mutated = application.mutatedFields
        guard application.isMutated, mutated?.isEmpty != true else {
            removeOverlay()
            return
        }
        overlaid = application.kind == .found ? application.fields : nil
        guard let mutated else {
            overlay = CacheOverlay(batch: batch, effect: overlaid == nil ? .delete : .set)
            return
        }
        overlay = CacheOverlay(batch: batch, effect: .patch(Self.overlayMask(mutated, in: application.fields)))
    }

    /// A nested path without a value is replaced by its parent: the map may exist only because of the write.
    private static func overlayMask(_ mutated: Set<FieldPathSegments>, in fields: FieldBytes) -> [FieldPathSegments] {
        defer { withExtendedLifetime(fields) {} }
        let view = fields.view
        var mask: Set<FieldPathSegments> = []
        for path in mutated.sorted() where !mask.contains(path) {
            let isDeletedInside = path.segments.count > 1 && view[path] == nil
            mask.insert(isDeletedInside ? FieldPathSegments(path.segments.dropLast()) : path)
        }
        return mask.sorted()
    }

    mutating func removeOverlay() {
        overlay = nil
        overlaid = nil
    }

    /// Replaces the authority's state; the values of the overlay stay (SY-43).
    mutating func setRemote(_ new: RemoteState) {
        remote = new
        guard let overlay else { return }
        switch overlay.effect {
        case .delete, .set: break
        case .patch(let mask):
            overlaid = FieldMerge.apply(
                FieldMerge.edits(from: overlaid ?? .empty, mask: mask), to: new.kind == .found ? new.fields : .empty)
        }
    }
}
