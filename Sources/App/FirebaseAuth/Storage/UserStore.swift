// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import HearthBase

/// The signed-in user, as stored.
struct StoredUser: Codable, Sendable, Hashable {
    /// The version of the form. A file of a later version is not read.
    var version = 1
    var profile: AccountProfile
    var isAnonymous: Bool
    var tokens: IDTokens
}

/// Stores the signed-in user of an app at one location, across restarts or in memory only.
///
/// The file contains credentials: only its owner may read it, and its directories are closed to others as well.
/// It is replaced as a whole, so that a crash leaves the old or the new one. Processes that share it exclude each other while they change
/// it.
enum UserStore: Hashable, Sendable {
    case memory
    case file(path: String)

    /// `<app>/<project>/<place>.json` in the directory, by default `hearth/auth` in the user's application-support directory.
    static func find(
        _ persistence: AuthSettings.Persistence, app: String, project: String, place: IdentityPlace, environment: [String: String]
    ) -> UserStore {
        let root: URL
        switch persistence {
        case .memory: return .memory
        case .directory(let directory): root = directory
        case .automatic:
            guard !leavesNothingBehind(place, environment) else { return .memory }
            guard let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first else {
                return .memory
            }
            root = support.appendingPathComponent("hearth").appendingPathComponent("auth")
        }
        let folders = [app, project].map(PercentEncoding.fileName).reduce(root) { $0.appendingPathComponent($1) }
        return .file(path: folders.appendingPathComponent(PercentEncoding.fileName(place.fileName) + ".json").path)
    }

    /// A test run, which the environment alone points at a place: nothing is left on the disk.
    private static func leavesNothingBehind(_ place: IdentityPlace, _ environment: [String: String]) -> Bool {
        switch place {
        case .local: DatabaseVariables(environment).databaseFile == ":memory:"
        case .server(let address): environment["FIREBASE_AUTH_EMULATOR_HOST"].flatMap(ServerAddress.init(hostAndPort:)) == address
        case .google: false
        }
    }

    /// Returns nil if no user is stored. A file that cannot be read or parsed is reported by `note` and treated as missing.
    func load(note: (String) -> Void) -> StoredUser? {
        guard case .file(let path) = self, FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
                note("the signed-in user is not restored: \(path) is not a file of this user of the machine")
                return nil
            }
            let user = try JSONDecoder().decode(StoredUser.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
            guard user.version == 1 else {
                note("the signed-in user is not restored: \(path) was written by a later version")
                return nil
            }
            return user
        } catch {
            note("the signed-in user is not restored: \(path) cannot be read")
            return nil
        }
    }

    func save(_ user: StoredUser) throws(AuthFailure) {
        guard case .file(let path) = self else { return }
        _ = try save(user, at: path, if: { true })
    }

    /// Stores the changes of a user, if the user is still the stored one. False, and nothing is changed, if another process has
    /// signed in or out since.
    func update(_ user: StoredUser) throws(AuthFailure) -> Bool {
        guard case .file(let path) = self else { return true }
        return try save(user, at: path, if: { holds(user.profile.uid) })
    }

    private func holds(_ uid: String) -> Bool { load(note: { _ in })?.profile.uid.utf8.elementsEqual(uid.utf8) == true }

    private func save(_ user: StoredUser, at path: String, if isPermitted: () -> Bool) throws(AuthFailure) -> Bool {
        do {
            try Self.prepare(URL(fileURLWithPath: path).deletingLastPathComponent())
            return try Self.locking(path) {
                guard isPermitted() else { return false }
                try Self.replace(path, with: try JSONEncoder().encode(user))
                return true
            }
        } catch {
            throw AuthFailure(
                .keychainError,
                "the signed-in user cannot be stored in \(path): \(error.localizedDescription). Make the directory writable, set "
                    + "Auth.auth().settings?.persistence to another directory, or to .memory",
                cause: error)
        }
    }

    /// Removes the stored user; with `uid`, only if it is this one.
    func remove(ifUser uid: String? = nil) throws(AuthFailure) {
        guard case .file(let path) = self else { return }
        let problem = Self.locking(path) { () -> Int32? in
            if let uid, !holds(uid) { return nil }
            return unlink(path) != 0 && errno != ENOENT && errno != ENOTDIR ? errno : nil
        }
        guard let problem else { return }
        throw AuthFailure(
            .keychainError, "the file of the signed-in user cannot be removed: \(path): \(String(cString: strerror(problem)))")
    }

    /// Runs `body` while no other session changes the file. The lock is on the directory, so that it leaves nothing behind.
    ///
    /// A process that was stopped while it had the lock, or a file system without locks, does not hold this one up.
    private static func locking<Answer>(_ path: String, _ body: () throws -> Answer) rethrows -> Answer {
        let directory = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return try body() }
        defer { close(directory) }
        for _ in 0..<200 {
            if flock(directory, LOCK_EX | LOCK_NB) == 0 {
                defer { flock(directory, LOCK_UN) }
                return try body()
            }
            guard errno == EWOULDBLOCK || errno == EINTR else { break }
            usleep(5_000)
        }
        return try body()
    }

    /// Creates the directories of app and project, and closes them to others.
    private static func prepare(_ directory: URL) throws {
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for folder in [directory, directory.deletingLastPathComponent()] { chmod(folder.path, 0o700) }
    }

    /// Writes another file beside it and renames it.
    private static func replace(_ path: String, with bytes: Data) throws {
        let temporary = "\(path).\(AutoID.make())"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw system(errno) }
        var isWhole = false
        defer {
            close(descriptor)
            if !isWhole { unlink(temporary) }
        }
        guard fchmod(descriptor, 0o600) == 0 else { throw system(errno) }
        try bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw system(errno) }
                rest = rest.dropFirst(count)
            }
        }
        guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw system(errno) }
        isWhole = true
    }

    private static func system(_ number: Int32) -> NSError {
        NSError(domain: NSPOSIXErrorDomain, code: Int(number), userInfo: [NSLocalizedDescriptionKey: String(cString: strerror(number))])
    }
}
