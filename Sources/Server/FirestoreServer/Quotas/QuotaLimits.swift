// SPDX-License-Identifier: Apache-2.0

/// What callers of a server may use. nil is no limit.
package struct QuotaLimits: Sendable, Equatable {
    package struct Rate: Sendable, Equatable {
        package var minute: Int64?
        package var day: Int64?

        package init(minute: Int64? = nil, day: Int64? = nil) {
            self.minute = minute
            self.day = day
        }

        var isLimited: Bool { minute != nil || day != nil }
    }

    /// The limits of a user, of an address, or of all callers of a database together.
    package struct Share: Sendable, Equatable {
        package var reads = Rate()
        package var writes = Rate()
        package var writtenBytes = Rate()
        /// Listened targets at a time.
        package var listeners: Int?

        package init() {}

        func rate(_ resource: QuotaResource) -> Rate {
            switch resource {
            case .reads: reads
            case .writes: writes
            case .writtenBytes: writtenBytes
            }
        }
    }

    /// Of a user who is signed in, by id and project.
    package var user = Share()
    /// Of callers without credentials, by their address; of IPv6 by its first 64 bits.
    package var anonymous = Share()
    package var database = Share()
    /// The size of a database.
    package var databaseBytes: Int64?
    /// The databases of a project that callers may create by using them.
    package var databasesPerProject: Int?

    package init() {}

    func share(of subject: QuotaSubject) -> Share {
        switch subject {
        case .user: user
        case .address: anonymous
        case .database: database
        }
    }
}

/// What is counted.
enum QuotaResource: String, CaseIterable, Sendable {
    case reads, writes, writtenBytes

    /// As the file and the metrics say it, and as messages do.
    var text: String {
        switch self {
        case .reads: "reads"
        case .writes: "writes"
        case .writtenBytes: "written bytes"
        }
    }
}

/// Whose use is counted.
package enum QuotaSubject: Hashable, Sendable {
    case user(project: String, id: String)
    case address(String)
    case database(DatabaseName)

    /// As the file and the metrics name it.
    var kind: String {
        switch self {
        case .user: "user"
        case .address: "anonymous"
        case .database: "database"
        }
    }

    var text: String {
        switch self {
        case .user: "this user"
        case .address: "callers without credentials from this address"
        case .database: "this database"
        }
    }
}
