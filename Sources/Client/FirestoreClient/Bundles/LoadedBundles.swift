// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The bundles that a database has loaded, and the commits of their documents, stored as one fact.
struct LoadedBundles {
    struct Entry {
        let id: String
        var createTime: DocumentVersion
        var isComplete: Bool
        /// Commits that contain only documents of the bundle.
        var commits: [DocumentVersion]
    }

    static let factKey = "bundles"

    private(set) var entries: [Entry] = []

    init() {}

    init(_ fact: ByteSlice?) throws(FirestoreError) {
        guard let fact else { return }
        defer { withExtendedLifetime(fact) {} }
        for node in try JSONNode(try JSON(fact.buffer)).elements() {
            var commits: [DocumentVersion] = []
            for commit in try node.elements("commits") { commits.append(DocumentVersion(microseconds: try commit.integer())) }
            entries.append(
                Entry(
                    id: try node.required("id").string(),
                    createTime: DocumentVersion(microseconds: try node.required("createTime").integer()),
                    isComplete: try node.required("isComplete").boolean(), commits: commits))
        }
    }

    var fact: ByteSlice {
        let json = JSON.array(
            entries.map { entry in
                .object([
                    ("id", .string(entry.id)), ("createTime", .number(entry.createTime.microseconds)),
                    ("isComplete", .boolean(entry.isComplete)),
                    ("commits", .array(entry.commits.map { .number($0.microseconds) })),
                ])
            })
        return ByteSlice(json.bytes())
    }

    private func index(_ id: String) -> Int? { entries.firstIndex { $0.id.utf8.elementsEqual(id.utf8) } }

    /// Whether this bundle or a newer one with the same id is loaded.
    func has(_ metadata: BundleMetadata) -> Bool {
        index(metadata.id).map { entries[$0].isComplete && entries[$0].createTime >= metadata.createTime } ?? false
    }

    /// The update times of documents that are unchanged since a bundle no newer than this one wrote them.
    func commits(upTo createTime: DocumentVersion) -> Set<DocumentVersion> {
        Set(entries.lazy.filter { $0.createTime <= createTime }.flatMap(\.commits))
    }

    /// Records another part of a bundle.
    mutating func add(_ commits: [DocumentVersion], of metadata: BundleMetadata, isComplete: Bool) {
        guard let index = index(metadata.id) else {
            entries.append(
                Entry(id: metadata.id, createTime: metadata.createTime, isComplete: isComplete, commits: commits))
            return
        }
        // A document that an older bundle with the same id wrote, and this one did not replace, is still unchanged
        // since a bundle wrote it.
        entries[index].commits += commits
        entries[index].createTime = max(entries[index].createTime, metadata.createTime)
        entries[index].isComplete = isComplete
    }
}
