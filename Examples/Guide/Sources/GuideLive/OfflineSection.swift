// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import Foundation
import Guide

/// The section about adding documents offline: a separate client, whose network the page switches.
@MainActor
final class OfflineSection {
    private let db: Firestore
    private let report: Report
    private var isOnline = true
    private var shown: QuerySnapshot?
    private var added = 0
    private var listener: (any ListenerRegistration)?

    init(_ db: Firestore, _ report: Report) {
        self.db = db
        self.report = report
    }

    func start() {
        let drafts = db.collection("drafts").order(by: "createdAt", descending: true).limit(to: 5)
        listener = drafts.addSnapshotListener(includeMetadataChanges: true) { [weak self] snapshot, _ in
            MainActor.assumeIsolated {
                guard let self, let snapshot else { return }
                self.shown = snapshot
                self.tell()
            }
        }
    }

    func set(isOnline: Bool) async throws {
        try await isOnline ? db.enableNetwork() : db.disableNetwork()
        self.isOnline = isOnline
        tell()
    }

    func add() throws {
        added += 1
        try db.collection("drafts").addDocument(from: DatesAndTimes.Article.titled("Draft \(added)"))
    }

    private func tell() {
        guard let shown else { return }
        let articles = shown.documents.map { document in
            let state = document.metadata.hasPendingWrites ? "hasPendingWrites" : "stored by the server"
            do {
                return "\(SwiftListing.describe(try document.data(as: DatesAndTimes.Article.self), width: Report.width))  // \(state)"
            } catch {
                return "\(document.documentID): \(error.localizedDescription)"
            }
        }
        let waiting = shown.documents.count { $0.metadata.hasPendingWrites }
        report.write([
            "value": articles.isEmpty ? "[]" : articles.joined(separator: "\n"), "isOnline": isOnline, "waiting": waiting,
        ])
    }
}
