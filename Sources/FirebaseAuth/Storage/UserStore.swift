// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// The signed-in user, as stored.
struct StoredUser: Codable, Sendable, Hashable {
    /// The version of the form. A file of a later version is not read.
    var version = 1
    var profile: AccountProfile
    var isAnonymous: Bool
    var tokens: IDTokens
}

/// Keeps the signed-in user of an app at one place, over restarts or in memory only.
///
/// The file contains what a thief could sign in with: only its owner may read it, and its directories are closed to others as well.
/// It is replaced as a whole, so that a crash leaves the old or the new one.
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
        let folders = [app, project].map(part).reduce(root) { $0.appendingPathComponent($1) }
        return .file(path: folders.appendingPathComponent(part(place.fileName) + ".json").path)
    }

    /// A test run, which the environment alone points at a place: nothing is left on the disk.
    private static func leavesNothingBehind(_ place: IdentityPlace, _ environment: [String: String]) -> Bool {
        switch place {
        case .local: DatabaseVariables(environment).databaseFile == ":memory:"
        case .server(let address): environment["FIREBASE_AUTH_EMULATOR_HOST"].flatMap(ServerAddress.init(hostAndPort:)) == address
        case .google: false
        }
    }

    /// nil if no user is stored. A file that cannot be read or understood is reported by `note`, and counts as none.
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
        do {
            try Self.prepare(URL(fileURLWithPath: path).deletingLastPathComponent())
            try Self.replace(path, with: try JSONEncoder().encode(user))
        } catch {
            throw AuthFailure(
                .keychainError,
                "the signed-in user cannot be stored in \(path): \(error.localizedDescription). Make the directory writable, set "
                    + "Auth.auth().settings?.persistence to another directory, or to .memory",
                cause: error)
        }
    }

    func remove() throws(AuthFailure) {
        guard case .file(let path) = self, unlink(path) != 0, errno != ENOENT, errno != ENOTDIR else { return }
        throw AuthFailure(
            .keychainError, "the file of the signed-in user cannot be removed: \(path): \(String(cString: strerror(errno)))")
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

    /// An id as the name of a file or directory: never `..`, never hidden.
    private static func part(_ id: String) -> String {
        let name = PercentEncoding.encode(id)
        if name.isEmpty { return "%" }
        return name.utf8.first == UInt8(ascii: ".") ? "%2E" + name.dropFirst() : name
    }
}
