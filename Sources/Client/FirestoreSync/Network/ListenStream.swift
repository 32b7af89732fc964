// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

extension TargetData {
    /// The request that asks for the target (LS-1, SY-10).
    func request(in database: DatabaseID, knownCount: Int) -> ListenRequest {
        let hasToken = !resumeToken.isEmpty
        let start: ListenTargetRequest.Start =
            if hasToken {
                .resumeToken(resumeToken)
            } else if snapshotVersion > .none {
                .readTime(snapshotVersion.timestamp)
            } else {
                .beginning
            }
        let target = ListenTargetRequest(
            target: .success(target), targetID: targetID, start: start, expectedCount: start == .beginning ? nil : knownCount)
        let tag: String? =
            switch purpose {
            case .listen: nil
            case .existenceFilterMismatch: "existence-filter-mismatch"
            case .existenceFilterMismatchBloom: "existence-filter-mismatch-bloom"
            case .limboResolution: "limbo-document"
            }
        return ListenRequest(database: database, change: .add(target), labels: tag.map { [("goog-listen-tags", $0)] } ?? [])
    }
}

extension FirestoreError {
    /// Whether a batch that failed so would fail again: it is rejected, not sent again (SY-68).
    var isPermanentWriteError: Bool { code.isPermanent && code != .aborted }
}
