// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import SwiftUI

enum LiveUpdatesChapter: Chapter {
    static let title = "Live updates, with errors"

    static func tell(on page: Page) async throws {
        let colors = Firestore.firestore().collection("colors")
        let viewModel = MappingColorsViewModel()
        let lines = ChangeLog()
        // Beside the guide's view model, another listener that shows the changes.
        let watch = colors.addSnapshotListener { snapshot, _ in
            MainActor.assumeIsolated { lines.note(snapshot) }
        }
        defer {
            watch.remove()
            viewModel.unsubscribe()
        }

        viewModel.subscribe()
        try await page.wait(for: "the first snapshot") { lines.snapshots == 1 }
        page.claim("the first snapshot is there, with no documents", viewModel.colorEntries.isEmpty)

        viewModel.newColor = ColorEntry(name: "Tangerine", color: Color(hex: "#ff8800"))
        viewModel.addColorEntry()
        try await page.wait(for: "the added colour") { viewModel.colorEntries.count == 1 && lines.snapshots >= 2 }
        lines.flush(to: page)
        page.value(viewModel.colorEntries[0])

        guard let path = viewModel.lastAddedPath else { return }
        try await Firestore.firestore().document(path).updateData(["color": "#ff880080"])
        try await page.wait(for: "the modified colour") {
            viewModel.colorEntries.first?.color == Color(hex: "#ff880080") && lines.snapshots >= 3
        }
        lines.flush(to: page)
        page.value(viewModel.colorEntries[0])

        // Sorted by id, this one comes last, so its error remains.
        let damaged = colors.document("~damaged")
        try await damaged.setData(["name": "Infrared", "color": 780])
        try await page.wait(for: "the error") { viewModel.errorMessage != nil && lines.snapshots >= 4 }
        lines.flush(to: page)
        page.error(viewModel.errorMessage ?? "")
        page.claim(
            "a document that does not fit is reported; the others stay on the screen",
            viewModel.colorEntries.map(\.name) == ["Tangerine"] && viewModel.errorMessage?.contains("~damaged") == true)

        try await damaged.delete()
        try await Firestore.firestore().document(path).delete()
        try await page.wait(for: "the removals") { viewModel.colorEntries.isEmpty && lines.isEmptyNow }
        lines.flush(to: page)
        page.claim(
            "added, modified and removed arrived, each once",
            lines.counts == [.added: 2, .modified: 1, .removed: 2])

        viewModel.unsubscribe()
        let snapshotsBefore = lines.snapshots
        watch.remove()
        try await colors.document("unseen").setData(["name": "Ultraviolet", "color": "#8800ff"])
        try await colors.document("unseen").delete()
        page.expect("silence after remove()", lines.snapshots == snapshotsBefore)
    }
}

/// Collects the snapshots of a listener.
@MainActor
final class ChangeLog {
    private(set) var snapshots = 0
    private(set) var counts: [ChangeKind: Int] = [:]
    private(set) var isEmptyNow = true
    private var pending: [(ChangeKind, String)] = []

    func note(_ snapshot: QuerySnapshot?) {
        guard let snapshot else { return }
        snapshots += 1
        isEmptyNow = snapshot.isEmpty
        for change in snapshot.documentChanges {
            let kind: ChangeKind =
                switch change.type {
                case .added: .added
                case .modified: .modified
                case .removed: .removed
                }
            counts[kind, default: 0] += 1
            let fields = change.document.data().sorted { $0.key < $1.key }
                .map { "\($0.key): \(FieldListing.describe($0.value).text)" }
            pending.append((kind, "\(change.document.reference.path)  \(fields.joined(separator: ", "))"))
        }
    }

    func flush(to page: Page) {
        for (kind, text) in pending { page.change(kind, text) }
        pending = []
    }
}
