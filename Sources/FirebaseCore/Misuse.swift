import Foundation

/// Ends the process because a method was called at a time when it must not be: twice, too late, after the end.
///
/// For mistakes in the order of calls only; nothing in data or paths leads here. Writes the message itself, because release
/// builds leave out the message of a `preconditionFailure`.
package func endForMisuse(_ message: String) -> Never {
    FileHandle.standardError.write(Data("hearth: \(message)\n".utf8))
    preconditionFailure(message)
}
