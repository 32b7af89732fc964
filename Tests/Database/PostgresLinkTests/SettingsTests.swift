// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import PostgresLink
    import Testing

    /// URLs of libpq (DN-2.9).
    struct SettingsTests {
        @Test func `several hosts are listed in order with their ports`() throws {
            let settings = try PostgresSettings(url: "postgresql://me@a.example:1,b.example:2,[::1]:3/shop?sslmode=require")
            #expect(settings.hosts == ["a.example:1", "b.example:2", "[::1]:3"])
            #expect(settings.redacted == "postgresql://me@a.example:1,b.example:2,[::1]:3/shop?sslmode=require")
            #expect(settings.usesTLS && !settings.isLoopbackOnly && !settings.hasPassword)
        }

        @Test func `connection strings are read, too`() throws {
            let settings = try PostgresSettings(url: "host=a,b port=5433 dbname=shop user='m e' password=hidden connect_timeout=9")
            #expect(settings.hosts == ["a:5433", "b:5433"] && settings.hasPassword)
            #expect(settings.redacted == "postgresql://m%20e@a:5433,b:5433/shop?connect_timeout=9")
        }

        static let secrets = [
            "postgresql://me:hidden@a/shop", "postgresql://me@a/shop?password=hidden", "host=a user=me password='hidden'",
            "postgresql://me@a/shop?sslpassword=hidden",
        ]

        @Test(arguments: secrets)
        func `a password is left out`(url: String) throws {
            let settings = try PostgresSettings(url: url)
            #expect(settings.hasPassword && !settings.redacted.contains("hidden"), "\(settings.redacted)")
        }

        static let malformed = [
            "postgresql://me:hidden%zz@a/shop", "postgresql://me:hidden@[::1/shop", "postgresql://me@a/shop?hidden", "postgresql://me@a/shop?hidden=1",
            "hidden", "host=a password='hidden", "postgresql://me@a/?password=hid=den&x",
        ]

        @Test(arguments: malformed)
        func `a malformed URL is refused, and not repeated`(url: String) throws {
            let error = try postgresError { _ = try PostgresSettings(url: url) }
            #expect(error.kind == .refused && !error.message.contains("hid") && error.message.contains("URL"), "\(error)")
        }

        static let places: [(String, Bool)] = [
            ("postgresql://localhost/a", true), ("postgresql://127.0.0.1,127.1.2.3:4/a", true), ("postgresql://[::1]/a", true), ("postgresql:///a", true),
            ("postgresql://%2Fvar%2Frun/a", true), ("postgresql://localhost,b/a", false), ("postgresql://b/a", false), ("service=x", false),
            ("host=b hostaddr=127.0.0.1", true), ("host=localhost hostaddr=10.0.0.1", false),
        ]

        @Test(arguments: places)
        func `it is known whether every host is this machine`(url: String, isLoopbackOnly: Bool) throws {
            #expect(try PostgresSettings(url: url).isLoopbackOnly == isLoopbackOnly)
        }

        @Test func `the environment fills in what the URL leaves out`() throws {
            let environment = ["PGHOST": "c.example", "PGPORT": "77", "PGSSLMODE": "verify-full", "PGUSER": "other", "PGPASSWORD": "hidden"]
            let settings = try PostgresSettings(url: "postgresql://me@/shop", environment: environment)
            #expect(settings.hosts == ["c.example:77"] && settings.usesTLS && !settings.isLoopbackOnly)
            // Only what the URL has: other processes cannot read the environment.
            #expect(!settings.hasPassword && settings.redacted == "postgresql://me@/shop")
            let given = try PostgresSettings(url: "postgresql://me@b/shop?sslmode=disable", environment: environment)
            #expect(given.hosts == ["b:77"] && !given.usesTLS)
        }
    }
#endif
