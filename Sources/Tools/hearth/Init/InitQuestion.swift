// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A question on the terminal with a usual answer.
enum InitQuestion {
    /// An empty line is the usual answer.
    static func ask(_ question: String, usual: String) throws(FirestoreError) -> String {
        StandardError.write("\(question) [\(usual)]: ")
        guard let answer = readLine() else {
            throw FirestoreError(.cancelled, "the questions were not answered; nothing was made")
        }
        return answer.isEmpty ? usual : answer
    }
}
