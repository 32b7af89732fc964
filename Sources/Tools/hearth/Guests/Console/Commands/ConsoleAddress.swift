// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// Where a running server shows its console, and the token that opens it. Written to a file that only its owner can read.
struct ConsoleAddress: Equatable {
    /// `http://127.0.0.1:8080/console/`
    let page: String
    let token: String
    let processID: Int32

    /// The address with the token behind it, where browsers do not send it.
    var url: String { "\(page)#t=\(token)" }

    /// Another page of the same server.
    func at(_ path: String) -> ConsoleAddress {
        let origin = page.dropLast("/console/".count)
        return ConsoleAddress(page: origin + path, token: token, processID: processID)
    }

    /// Whether its server runs.
    var isAlive: Bool { kill(processID, 0) == 0 || errno == EPERM }

    init(page: String, token: String, processID: Int32 = getpid()) {
        self.page = page
        self.token = token
        self.processID = processID
    }

    /// Reads a file; nil if there is none, or it is not one of these. Files of other users are not believed, because they could lead
    /// elsewhere; root reads those of services.
    init?(reading path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, geteuid() == 0 || status.st_uid == geteuid()
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0, let json = try? JSON(bytes.prefix(count)), case .string(let page)? = json["page"],
            case .string(let token)? = json["token"], case .number(let process)? = json["process"], let processID = Int32(process),
            processID > 0
        else { return nil }
        self.init(page: page, token: token, processID: processID)
    }

    func write(to path: String) throws(FirestoreError) {
        let json = JSON.object([("page", .string(page)), ("token", .string(token)), ("process", .number(processID))])
        try PrivateFile.write(json.bytes(.indented) + [UInt8(ascii: "\n")], to: path)
    }

    // MARK: Locations

    /// The name in a data directory; names of projects have no dots.
    static let fileName = "hearth.console"

    static func path(inData directory: String) -> String { directory + "/" + fileName }

    /// The directory of this user's running programs, made if it is missing: for servers without a data directory.
    static func runtimeDirectory(_ environment: [String: String]) throws(FirestoreError) -> String {
        if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
            let path = runtime + "/hearth"
            // It may name a directory that does not exist here.
            if FileManager.default.fileExists(atPath: runtime) {
                try PrivateFile.makeDirectory(path)
                return path
            }
        }
        let temporary = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        let path = (temporary.hasSuffix("/") ? String(temporary.dropLast()) : temporary) + "/hearth-\(geteuid())"
        try PrivateFile.makeDirectory(path)
        return path
    }

    static func path(inRuntime directory: String, port: Int) -> String { "\(directory)/\(port).console" }

    /// The addresses of running servers, by port.
    static func running(in directory: String) -> [ConsoleAddress] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasSuffix(".console") }.sorted()
            .compactMap { ConsoleAddress(reading: directory + "/" + $0) }.filter(\.isAlive)
    }
}
