// SPDX-License-Identifier: Apache-2.0
import HearthBase

#if Remote
    import FirestoreCore
    import FirestoreRemote
    import Foundation

    /// The file of a persistent cache: `<app>/<host_port or cloud>/<project>/<database>.sqlite` in the directory for caches.
    ///
    /// A cache belongs to one app, one server and one database. Its directories are readable by this user of the machine only.
    struct CacheFile: Equatable {
        /// The directory that contains the caches of all apps.
        let root: String
        /// The address of the server, or `cloud`: a cache must not be shown to another server.
        let server: String
        /// Whether each user of the app has a separate file.
        let isPerUser: Bool
        private let folders: [String]
        private let name: String

        init(
            _ place: DatabasePlace, settings: SettingsValues, databaseID: DatabaseID, app: String
        ) throws(FirestoreError) {
            root = try Self.root(settings)
            server = try place.serverName()
            isPerUser = settings.cacheIsPerUser
            folders = [app, server, databaseID.projectID].map(PercentEncoding.fileName)
            // As `hearth serve` names it; no other database has this id.
            let isDefault = equalUTF8(databaseID.databaseID, DatabaseID.defaultDatabase)
            name = isDefault ? "_default" : PercentEncoding.fileName(databaseID.databaseID)
        }

        /// The file for a user of the app, or for calls of a signed-out user if `user` is nil. Without `isPerUser`, all users share a file.
        func path(of user: String?) -> String {
            guard isPerUser else { return "\(folder)/\(name).sqlite" }
            return "\(userFolder)/\(user.map { "user-" + Self.userPart($0) } ?? "signed-out").sqlite"
        }

        private var folder: String { ([root] + folders).joined(separator: "/") }

        private var userFolder: String { "\(folder)/\(name).users" }

        /// Creates the directories, for this user of the machine only.
        func prepare() throws(FirestoreError) {
            var path = root
            do {
                try Self.create(path)
                for part in isPerUser ? folders + ["\(name).users"] : folders {
                    path += "/" + part
                    try Self.create(path)
                    try Self.restrict(path)
                }
            } catch let error as FirestoreError {
                throw error
            } catch {
                throw FirestoreError(
                    .failedPrecondition,
                    "the directory of the cache cannot be created; make the directory above it writable, or set settings.cacheDirectory",
                    at: path, cause: error)
            }
        }

        private static func create(_ path: String) throws {
            guard !FileManager.default.fileExists(atPath: path) else { return }
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }

        /// Closes a directory of the cache to other users of the machine, also if it was made by something else. The directory that was
        /// configured may be for more than the cache.
        private static func restrict(_ path: String) throws(FirestoreError) {
            var status = stat()
            guard stat(path, &status) == 0 else { return }
            guard status.st_uid == geteuid() || geteuid() == 0 else {
                throw FirestoreError(
                    .permissionDenied, "the directory of the cache belongs to another user of this machine; set settings.cacheDirectory",
                    at: path)
            }
            if status.st_uid == geteuid(), status.st_mode & 0o077 != 0 { chmod(path, 0o700) }
        }

        /// Removes the files of this database's cache, those of all users included. Fails with `failedPrecondition` while one is in
        /// use, in this process or another one.
        func delete() throws(FirestoreError) {
            let users = ((try? FileManager.default.contentsOfDirectory(atPath: userFolder)) ?? []).filter { $0.hasSuffix(".sqlite") }
            let files = ["\(folder)/\(name).sqlite"] + users.sorted().map { "\(userFolder)/\($0)" }
            // All locks first: either everything is deleted or nothing.
            var locks: [LockedFile] = []
            let existing = files.filter { FileManager.default.fileExists(atPath: $0) }
            for file in existing { locks.append(try Self.lock(file)) }
            for file in existing {
                try DatabaseLocation.file(path: file).delete()
                // Files that processes sharing it left behind. They are meaningless without the cache file.
                for suffix in [".leader", ".d"] { try? FileManager.default.removeItem(atPath: file + suffix) }
            }
            withExtendedLifetime(locks) {}
        }

        private static func lock(_ file: String) throws(FirestoreError) -> LockedFile {
            do throws(LockedFile.Failure) {
                return try LockedFile(exclusive: file + ".lock")
            } catch {
                let reason =
                    switch error {
                    case .held(let process):
                        "the cache is in use by process \(process); data can only be cleared before the first use or after terminate"
                    case .cannotOpen(let number), .cannotLock(let number):
                        "the cache cannot be locked (\(String(cString: strerror(number)))); check the permissions of the file"
                    }
                throw FirestoreError(.failedPrecondition, reason, at: file)
            }
        }

        private static func root(_ settings: SettingsValues) throws(FirestoreError) -> String {
            if let directory = settings.cacheDirectory { return directory.path }
            guard let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first else {
                throw FirestoreError(
                    .failedPrecondition, "this user has no application-support directory: set settings.cacheDirectory")
            }
            return support.appendingPathComponent("hearth").appendingPathComponent("cache").path
        }

        /// The id of a user. Two that differ in case only are two users, also on file systems that ignore case.
        private static func userPart(_ id: String) -> String {
            var bytes: [UInt8] = []
            for byte in PercentEncoding.encode(id).utf8 {
                if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) { bytes.append(UInt8(ascii: "^")) }
                bytes.append(byte)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    extension DatabasePlace {
        /// `host_port`, or `cloud`.
        fileprivate func serverName() throws(FirestoreError) -> String {
            switch self {
            case .server(let address, let usesTLS, _):
                let endpoint = try RemoteEndpoint(address: address, usesTLS: usesTLS)
                return "\(endpoint.host.lowercased())_\(endpoint.port)"
            case .cloud: return "cloud"
            case .embedded(let location):
                throw FirestoreError(.internal, "an embedded database has no cache", at: "\(location)")
            }
        }
    }
#endif
