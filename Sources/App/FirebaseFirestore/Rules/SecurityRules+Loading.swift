// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRules
import Foundation

extension SecurityRules {
    /// Reads and checks the rules.
    package func load() throws(FirestoreError) -> RuleSet {
        let source: RulesSource
        switch self {
        case .source(let text): source = RulesSource(text)
        case .file(let url):
            guard url.isFileURL else { throw .invalidArgument("security rules must be in a file", at: "\(url)") }
            do {
                source = RulesSource(try Data(contentsOf: url), name: url.path)
            } catch {
                throw FirestoreError(.failedPrecondition, "the security rules cannot be read", at: url.path, cause: error)
            }
        }
        do throws(RulesError) {
            return try RuleSet(source)
        } catch {
            throw .invalidArgument("the security rules have errors:\n\(error)", at: source.name)
        }
    }
}
