// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import Dispatch
import FirestoreCore
import FirestoreServer
import FirestoreWebhooks
import Logging

/// The file of `--events`: its triggers deliver from the start, and others as soon as it changes. A file that cannot be used leaves the
/// triggers before it.
final class TriggerFileReloader: Sendable {
    /// The time between two looks at the file, which costs a call of the system.
    private static let pause = DispatchTimeInterval.milliseconds(100)
    private static let queue = DispatchQueue(label: "hearth.events.file")

    let served: EventCompanion
    private let path: String
    private let project: String?
    private let databases: DatabaseOpening
    private let log: Logger
    private let settling: Mutex<FileSettling>
    private let isWatching = Mutex(false)

    init(
        _ path: String, project: String?, _ databases: DatabaseOpening, metrics: any MetricsFactory, log: Logger
    ) throws(TriggerFile.Mistake) {
        // Before the text is read: a change while it is read is seen afterwards.
        let stamp = FileStamp(of: path)
        let file = try Self.read(path, project, databases)
        self.path = path
        self.project = project
        self.databases = databases
        self.log = log
        settling = Mutex(FileSettling(taken: stamp))
        served = EventCompanion(file.triggers, metrics: metrics, log: log)
        report(file)
    }

    private static func read(_ path: String, _ project: String?, _ databases: DatabaseOpening) throws(TriggerFile.Mistake) -> TriggerFile {
        try TriggerFile(reading: path, project: project) { database in
            // One that a first use creates may still come.
            databases.createsDatabases || databases.mayExist(database)
        }
    }

    private func report(_ file: TriggerFile) {
        log.info("triggers in force", metadata: ["file": "\(path)", "triggers": "\(file.triggers.count)"])
    }

    // MARK: Changes

    /// Looks at the file from now on.
    func watch() {
        isWatching.withLock { $0 = true }
        lookLater()
    }

    func stop() { isWatching.withLock { $0 = false } }

    private func lookLater() {
        Self.queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in
            guard let self, isWatching.withLock({ $0 }) else { return }
            look(at: Int64(DispatchTime.now().uptimeNanoseconds / 1_000))
            lookLater()
        }
    }

    /// Takes the file if it has changed and is whole. `now` is in microseconds, of a clock that is never set back.
    func look(at now: Int64) {
        let stamp = FileStamp(of: path)
        switch settling.withLock({ $0.observe(stamp, now: now) }) {
        case .nothing: break
        case .missing: log.error("the file of triggers was removed; the triggers before stay", metadata: ["file": "\(path)"])
        case .read:
            take()
            settling.withLock { $0.took(stamp) }
        }
    }

    /// Reads the file now, changed or not: SIGHUP. Triggers that a receiver has switched off deliver again.
    func reload() {
        Self.queue.async { [self] in
            let stamp = FileStamp(of: path)
            take(resuming: true)
            settling.withLock { $0.took(stamp) }
        }
    }

    private func take(resuming: Bool = false) {
        do throws(TriggerFile.Mistake) {
            let file = try Self.read(path, project, databases)
            served.install(file.triggers, resuming: resuming)
            report(file)
        } catch {
            log.error("\(error)")
            log.error("the new trigger file is rejected; the previous triggers stay in effect", metadata: ["file": "\(path)"])
        }
    }
}
