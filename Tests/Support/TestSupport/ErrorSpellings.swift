// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The forms in which developers write that they expect an `NSError`.
package enum ErrorSpellings {
    /// The ones that do not find an `NSError` with this domain and code, and with words, in an error.
    package static func missing(_ error: any Error, domain: String, code: Int) -> [String] {
        let found: [(String, NSError?)] = [
            ("catch let error as NSError", caught(error)),
            ("catch let error as NSError, in a closure that does not throw", caughtInClosure(error)),
            ("catch let error as NSError where", caughtWhere(error, code)),
            ("error as NSError", error as NSError),
            ("error as? NSError", cast(error)),
            ("error as Any as? NSError", (error as Any) as? NSError),
            ("optional as NSError?", (error as (any Error)?) as NSError?),
            ("switch", switched(error)),
            ("Result.failure", failed(.failure(error))),
        ]
        return found.filter { _, error in
            guard let error else { return true }
            return error.domain != domain || error.code != code || error.localizedDescription.isEmpty
                || (error.userInfo[NSLocalizedDescriptionKey] as? String)?.isEmpty != false
        }.map(\.0)
    }

    private static func raise(_ error: any Error) throws { throw error }

    private static func caught(_ error: any Error) -> NSError? {
        do {
            try raise(error)
        } catch let error as NSError {
            return error
        }
        return nil
    }

    private static func caughtInClosure(_ error: any Error) -> NSError? {
        let closure: (inout NSError?) -> Void = { result in
            do {
                try raise(error)
            } catch let fetchError as NSError {
                result = fetchError
            }
        }
        var result: NSError?
        closure(&result)
        return result
    }

    private static func caughtWhere(_ error: any Error, _ code: Int) -> NSError? {
        do {
            try raise(error)
        } catch let error as NSError where error.code == code {
            return error
        } catch {}
        return nil
    }

    private static func cast<Wanted>(_ error: any Error, _ type: Wanted.Type = Wanted.self) -> Wanted? { error as? Wanted }

    private static func switched(_ error: any Error) -> NSError? {
        switch error {
        case let error as NSError: error
        }
    }

    private static func failed(_ result: Result<Void, any Error>) -> NSError? {
        if case .failure(let error as NSError) = result { return error }
        return nil
    }
}
