// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import CPostgres
    import HearthBase

    /// Where the server is, and how connections to it are made.
    package struct PostgresSettings: Sendable {
        /// The parameters of libpq that are set, by keyword.
        let parameters: [String: String]
        /// For logs and errors: the URL without passwords.
        package let redacted: String
        /// The URL has a password. Other processes can read it if it comes from the command line.
        package let hasPassword: Bool
        /// The hosts in the order in which libpq tries them, with ports; empty if a service file or a default of libpq names them.
        package let hosts: [String]
        /// Every host is this machine.
        package let isLoopbackOnly: Bool
        /// Connections without TLS are not made. Only `sslmode=verify-full` also proves who the server is.
        package let usesTLS: Bool

        /// A transaction in which nothing happens for this long is taken back, and its connection closed: a node that hangs must not block
        /// the others.
        package var idleTransactionTimeout = 2_000
        /// How long a statement waits for a lock, in milliseconds.
        package var lockTimeout = 10_000
        /// How long a statement runs, in milliseconds.
        package var statementTimeout = 30_000

        /// Parses a URL or a connection string of libpq. Takes what it leaves out from the environment, as libpq does.
        ///
        /// Throws an error of the kind `refused`, which does not repeat the text, because it may contain a password.
        package init(url: String, environment: [String: String] = [:]) throws(PostgresError) {
            let options = try Self.parse(url)
            let given = options.reduce(into: [:]) { $0[$1.keyword] = $1.value }
            var parameters = given
            // A service file takes precedence over the environment, and only libpq reads it.
            if given["service"] == nil, environment["PGSERVICE"] == nil {
                for option in options where parameters[option.keyword] == nil {
                    parameters[option.keyword] = option.variable.flatMap { environment[$0] }
                }
            }
            parameters.merge(Self.defaults) { given, _ in given }
            self.parameters = parameters
            redacted = Self.url(of: given)
            hasPassword = given.keys.contains(where: Self.secrets.contains)
            hosts = Self.hosts(of: parameters)
            isLoopbackOnly = parameters["service"] == nil && environment["PGSERVICE"] == nil && Self.isLoopbackOnly(parameters)
            usesTLS = ["require", "verify-ca", "verify-full"].contains(parameters["sslmode"] ?? "")
        }

        private static let secrets: Set<String> = ["password", "sslpassword"]

        /// Unless the URL or the environment says otherwise. A server that can only be read was the primary once, or is not yet. A machine
        /// that vanishes without a word is noticed within seconds.
        private static let defaults = [
            "target_session_attrs": "read-write", "connect_timeout": "3", "tcp_user_timeout": "4000", "keepalives": "1",
            "keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "3", "client_encoding": "UTF8",
            "application_name": "hearth",
        ]

        /// The statement with which a connection begins. Startup options would save a round trip, but poolers reject them. Parameters
        /// that the operator sets in `options` keep their values.
        var startStatement: String {
            let timeouts = [
                ("idle_in_transaction_session_timeout", idleTransactionTimeout), ("lock_timeout", lockTimeout),
                ("statement_timeout", statementTimeout),
            ]
            let options = parameters["options"] ?? ""
            return timeouts.filter { !options.contains($0.0) }.map { "SET \($0.0) = \($0.1);" }.joined()
        }
    }

    // MARK: The text

    extension PostgresSettings {
        private struct Option {
            let keyword: String
            let value: String?
            /// The environment variable with its value.
            let variable: String?
        }

        private static func parse(_ url: String) throws(PostgresError) -> [Option] {
            var message: UnsafeMutablePointer<CChar>?
            guard let first = PQconninfoParse(url, &message) else {
                let reason = message.map { String(cString: $0) } ?? "out of memory"
                PQfreemem(message)
                throw PostgresError(.refused, "the URL of PostgreSQL is malformed: " + withoutQuotes(PostgresError.line(reason)))
            }
            defer { PQconninfoFree(first) }
            var options: [Option] = []
            var next = first
            while let keyword = next.pointee.keyword {
                let value = next.pointee.val.map { String(cString: $0) }
                options.append(
                    Option(
                        keyword: String(cString: keyword), value: value?.isEmpty == true ? nil : value,
                        variable: next.pointee.envvar.map { String(cString: $0) }))
                next += 1
            }
            return options
        }

        /// Replaces everything between the first and the last quote: parts of the text, which may be a password.
        private static func withoutQuotes(_ message: String) -> String {
            guard let first = message.firstIndex(of: "\""), let last = message.lastIndex(of: "\"") else { return message }
            return message[..<first] + "\"…\"" + message[last...].dropFirst()
        }

        private static func list(_ text: String?) -> [String] {
            text?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
        }

        /// The parameters of each host by itself, in their order; these parameters if there is one host, or a service file may name more.
        var ofHosts: [[String: String]] {
            let (names, addresses) = (Self.list(parameters["host"]), Self.list(parameters["hostaddr"]))
            let (count, ports) = (max(names.count, addresses.count), Self.list(parameters["port"]))
            guard count > 1, [names, addresses].allSatisfy({ $0.isEmpty || $0.count == count }) else { return [parameters] }
            return (0..<count).map { index in
                var own = parameters
                if !names.isEmpty { own["host"] = names[index] }
                if !addresses.isEmpty { own["hostaddr"] = addresses[index] }
                if ports.count > 1 { own["port"] = index < ports.count ? ports[index] : nil }
                return own
            }
        }

        /// How long an attempt to connect lasts, in seconds.
        var connectTimeout: Int { parameters["connect_timeout"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil } ?? 3 }

        /// Hosts with ports. One port counts for all hosts.
        private static func hosts(of parameters: [String: String]) -> [String] {
            let names = list(parameters["host"] ?? parameters["hostaddr"])
            let ports = list(parameters["port"])
            return names.enumerated().map { index, name in
                let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
                let isAddress = name.contains(":") && !name.hasPrefix("/")
                return (isAddress ? "[\(name)]" : name) + (port.isEmpty ? "" : ":" + port)
            }
        }

        /// libpq connects to a socket of this machine if no host is named.
        private static func isLoopbackOnly(_ parameters: [String: String]) -> Bool {
            list(parameters["hostaddr"] ?? parameters["host"]).allSatisfy { host in
                ["", "localhost", "::1"].contains(host) || ["127.", "/", "@"].contains(where: host.hasPrefix)
            }
        }

        private static func url(of given: [String: String]) -> String {
            let hosts = hosts(of: given).map { $0.hasPrefix("/") || $0.hasPrefix("@") ? PercentEncoding.encode($0) : $0 }
            let user = given["user"].map { PercentEncoding.encode($0) + "@" } ?? ""
            let database = given["dbname"].map { "/" + PercentEncoding.encode($0) } ?? ""
            // `hostaddr` is the host if there is no other.
            let shown = Set(["user", "host", "port", "dbname"]).union(given["host"] == nil ? ["hostaddr"] : []).union(secrets)
            let query = given.filter { !shown.contains($0.key) }.sorted { $0.key < $1.key }
                .map { "\($0.key)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
            return "postgresql://\(user)\(hosts.joined(separator: ","))\(database)" + (query.isEmpty ? "" : "?" + query)
        }
    }
#endif
