// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Section "What is Codable, anyway?": the same kind of type, with Foundation's JSON coders.
public enum WhatIsCodable {
    public struct Book: Codable, Equatable {
        public var title: String
        public var numberOfPages: Int
        public var author: String
    }

    public static func encodedBook() -> Data? {
        do {
            let book = Book(
                title: "The Left Hand of Darkness",
                numberOfPages: 286,
                author: "Ursula K. Le Guin")
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let data = try encoder.encode(book)
            return data
        } catch {
            print("Error when trying to encode book: \(error)")
            return nil
        }
    }

    public static func decodedBook(from data: Data) throws -> Book {
        let decoder = JSONDecoder()
        let decodedBook = try decoder.decode(Book.self, from: data)
        return decodedBook
    }
}
