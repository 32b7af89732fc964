// SPDX-License-Identifier: Apache-2.0
import FirestoreAuthentication
import FirestoreGateway
import FirestoreServer

/// What users, addresses and databases may use.
struct QuotasGuest: ServerGuest {
    private static let quotas = Setting<String?>(
        "quotas", nil, "A JSON file of what users, addresses and databases may use. SIGHUP makes the server read it again.", value: "file")

    static let settings: [any AnySetting] = [quotas]

    private let path: String

    init?(_ plan: inout ServerPlan) {
        guard let path = plan.values[Self.quotas] else { return nil }
        self.path = path
    }

    func open(_ start: inout ServerStart) throws(StartRefusal) -> any ServerPart {
        do throws(QuotaFile.Mistake) {
            return try QuotaFileReloader(path, directory: start.plan.data, metrics: start.metrics, log: start.log)
        } catch {
            throw StartRefusal(error.description)
        }
    }
}

extension QuotaFileReloader: ServerPart {
    func join(_ start: inout ServerStart) { start.configuration.quotas = quotas }
}
