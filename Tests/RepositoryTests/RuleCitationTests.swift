import Testing

/// Every mapping rule has a test that names it.
struct RuleCitationTests {
    @Test func `every rule from R1 to R111 is cited by a test`() throws {
        var cited: Set<Int> = []
        for file in Repository.swiftFiles where file.path.hasPrefix("Tests/") && !file.path.hasPrefix("Tests/RepositoryTests/") {
            let text = try file.text
            // A single rule, or a range of them: R12–R16, R12-R16, R12…R16.
            for match in text.matches(of: /\bR(\d{1,3})(?:\s?[–…-]\s?R?(\d{1,3}))?\b/) {
                guard let first = Int(match.output.1) else { continue }
                let last = match.output.2.flatMap { Int($0) } ?? first
                cited.formUnion(first <= last && last <= 111 ? Array(first...last) : [first])
            }
        }
        let missing = (1...111).filter { !cited.contains($0) }
        #expect(missing.isEmpty, "no test cites \(missing.map { "R\($0)" }.joined(separator: ", "))")
    }
}
