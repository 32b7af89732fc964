// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreAuthentication
import FirestoreCore
import FirestoreEnforcement
import FirestoreRules
import FirestoreServer
import FirestoreStorage
import Logging

/// The files of `--rules`: puts them in effect at the start and whenever they change. Rules that cannot be used leave the ones before them
/// in effect.
final class RulesFileReloader: Sendable {
    private struct File {
        let argument: RulesArgument
        var settling: FileSettling
        /// The rules that were put in effect last.
        var ruleSet: RuleSet
    }

    /// The time between two looks at the files, which costs a call of the system each.
    private static let pause = DispatchTimeInterval.milliseconds(100)
    let rules: RulesRegistry
    private let strictLists: Bool
    private let log: Logger
    private let files: Mutex<[File]>
    private let isWatching = Mutex(false)
    /// Whether the rules in effect are those of a cluster.
    private let isCluster = Mutex(false)
    private static let queue = DispatchQueue(label: "hearth.rules.files")

    /// Reads and compiles the files. Without files everything is granted.
    init(
        _ arguments: [RulesArgument], settings: RuleEnforcement.Settings, countsCoverage: Bool, log: Logger
    ) throws(StartRefusal) {
        self.log = log
        strictLists = settings.strictLists
        var found: [File] = []
        var lines: [String] = []
        for argument in arguments {
            // Before the text is read: a change while it is read is seen afterwards.
            let stamp = FileStamp(of: argument.path)
            switch Self.read(argument.path) {
            case .success(let ruleSet):
                found.append(File(argument: argument, settling: FileSettling(taken: stamp), ruleSet: ruleSet))
            case .failure(let refusal): lines += refusal.lines
            }
        }
        guard lines.isEmpty else { throw StartRefusal(lines: lines) }
        files = Mutex(found)
        rules = RulesRegistry(arguments.isEmpty ? .open : .closed, settings: settings, countsCoverage: countsCoverage, log: log)
        for file in found { install(file.ruleSet, file.argument) }
        if !arguments.isEmpty, !arguments.contains(where: { $0.database == nil }) {
            log.warning("databases without rules refuse every request; give --rules FILE for them")
        }
    }

    private static func read(_ path: String) -> Result<RuleSet, StartRefusal> {
        let file: RulesFile
        do throws(RulesFile.Unreadable) {
            file = try RulesFile(reading: path)
        } catch {
            return .failure(StartRefusal(error.message))
        }
        do throws(RulesError) {
            return .success(try file.compile())
        } catch {
            return .failure(StartRefusal(lines: error.errors.map { $0.text(in: error.source) }))
        }
    }

    private func install(_ ruleSet: RuleSet, _ argument: RulesArgument) {
        for issue in ruleSet.issues {
            let issue = strictLists ? issue.withStrictLists : issue
            log.warning("\(issue.line(in: ruleSet.source))", metadata: ["file": "\(argument.path)"])
        }
        let version = rules.install(.ruleSet(ruleSet), for: argument.scope)
        log.info(
            "rules in force", metadata: ["file": "\(argument.path)", "databases": "\(argument.databaseText)", "rules": "\(version.hash)"])
    }

    // MARK: A cluster

    /// Compares the files with the rules of a cluster, which are in effect instead: from now on changes of the files have no effect.
    func check(against rulesets: [ClusterRuleset]) throws(StartRefusal) {
        isCluster.withLock { $0 = true }
        let lines = files.withLock { files in
            files.compactMap { file -> String? in
                let argument = file.argument
                let deploy = "hearth rules deploy \(argument.text)"
                guard let stored = rulesets.first(where: { equalUTF8($0.scope, argument.database ?? "") }) else {
                    return "\(argument.path): the cluster has no rules for \(argument.scopeText); deploy them with: \(deploy)"
                }
                if stored.hash == file.ruleSet.source.digest { return nil }
                return "\(argument.path) differs from the rules that the cluster has for \(argument.scopeText); start this node without "
                    + "--rules, or deploy the file with: \(deploy)"
            }
        }
        guard lines.isEmpty else { throw StartRefusal(lines: lines) }
    }

    // MARK: Changes

    /// Looks at the files from now on.
    func watch() {
        guard files.withLock({ !$0.isEmpty }), !isCluster.withLock({ $0 }) else { return }
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

    /// Takes the files that have changed and are whole. `now` is in microseconds, of a clock that is never set back.
    func look(at now: Int64) {
        files.withLock { files in
            for index in files.indices {
                let stamp = FileStamp(of: files[index].argument.path)
                switch files[index].settling.observe(stamp, now: now) {
                case .nothing: continue
                case .missing:
                    log.error(
                        "the file with the rules was removed; the rules in force stay",
                        metadata: ["file": "\(files[index].argument.path)"])
                case .read:
                    take(&files[index])
                    // If it was written meanwhile, its stamp differs and it is read again.
                    files[index].settling.took(stamp)
                }
            }
        }
    }

    /// Reads all files now, changed or not: SIGHUP.
    func reload() {
        guard !isCluster.withLock({ $0 }) else { return }
        files.withLock { files in
            for index in files.indices {
                let stamp = FileStamp(of: files[index].argument.path)
                take(&files[index], isRequested: true)
                files[index].settling.took(stamp)
            }
        }
    }

    /// - Parameter isRequested: Whether an unchanged file is put in effect too, instead of rules that were set over HTTP.
    private func take(_ file: inout File, isRequested: Bool = false) {
        switch Self.read(file.argument.path) {
        case .success(let ruleSet):
            guard isRequested || ruleSet.source.text != file.ruleSet.source.text else { return }
            file.ruleSet = ruleSet
            install(ruleSet, file.argument)
        case .failure(let refusal):
            for line in refusal.lines { log.error("\(line)") }
            log.error(
                "the new rules file is rejected; the previous rules stay in effect",
                metadata: ["file": "\(file.argument.path)", "rules": "\(file.ruleSet.hash)"])
        }
    }
}
