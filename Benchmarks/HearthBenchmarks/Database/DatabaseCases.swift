/// Commits, reads, queries and listeners, against raw GRDB on the same bytes.
enum DatabaseCases {
    static var all: [BenchmarkCase] { [] }
}
