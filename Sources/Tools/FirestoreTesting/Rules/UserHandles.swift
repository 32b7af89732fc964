// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseFirestore
import FirestoreCore
import FirestoreEnforcement
import FirestoreRules

/// One test database, as different users see it.
final class UserHandles: Sendable {
    private let service: any DocumentService
    private let databaseID: DatabaseID
    private let failures: FailurePlan
    private let clock: any WallClock
    private let callbackQueue: DispatchQueue
    /// nil without rules.
    let enforcement: RuleEnforcement?
    private let known = Mutex<[SecurityRules.User: Firestore]>([:])
    /// All that were opened.
    private let opened = Mutex<[WeakFirestore]>([])

    private struct WeakFirestore {
        weak var firestore: Firestore?
    }

    /// All instances that are in use.
    var all: [Firestore] { opened.withLock { $0.compactMap(\.firestore) } }

    init(
        of service: any DocumentService, _ databaseID: DatabaseID, under enforcement: RuleEnforcement?, failures: FailurePlan,
        clock: any WallClock, callbackQueue: DispatchQueue
    ) {
        self.service = service
        self.databaseID = databaseID
        self.enforcement = enforcement
        self.failures = failures
        self.clock = clock
        self.callbackQueue = callbackQueue
    }

    func firestore(of user: SecurityRules.User) -> Firestore {
        known.withLock { known in
            if let firestore = known[user] { return firestore }
            let firestore = open(as: user)
            known[user] = firestore
            return firestore
        }
    }

    /// Another instance. Its user can be changed in its settings; nil is signed out.
    func open(as user: SecurityRules.User?) -> Firestore {
        let (service, failures) = (service, failures)
        let firestore: Firestore
        if let enforcement {
            firestore = Firestore(
                databaseID: databaseID, under: enforcement, clock: clock, wrapping: { FailingService($0, failures) },
                opening: { () throws(FirestoreError) in try service.session() })
        } else {
            firestore = Firestore(
                databaseID: databaseID, over: { () throws(FirestoreError) in FailingService(try service.session(), failures) })
        }
        let settings = firestore.settings
        settings.storage = .memory
        settings.dispatchQueue = callbackQueue
        settings.user = user ?? .signedOut
        firestore.settings = settings
        opened.withLock { $0 = $0.filter { $0.firestore != nil } + [WeakFirestore(firestore: firestore)] }
        return firestore
    }

    /// Ends them all, and the database.
    nonisolated(nonsending) func close() async throws {
        let all = known.withLock { known in
            defer { known = [:] }
            return Array(known.values)
        }
        for firestore in all { try await firestore.terminate() }
        await service.shutdown()
    }
}
