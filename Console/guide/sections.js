// SPDX-License-Identifier: Apache-2.0
// The text of the guide, and what to try. Code and documents come from Examples/Guide (sources.js).
const text = (s) => ({ stringValue: s });
const whole = (n) => ({ integerValue: String(n) });
const nothing = { nullValue: null };

/** A change to try: without a value the field is removed. */
const attempt = (label, path, field, value) => ({ label, path, field: [field].flat(), value });

/**
 * `code`: file and the line that an excerpt begins with. `documents`: what is shown beside it. `writes`: the Swift side can write the value
 * that it has decoded. `list`: a collection that a listener of the Swift side shows.
 */
export const sections = [
  {
    id: 'by-hand', title: 'Mapping by hand',
    text: ['A document arrives as a dictionary: names of fields, and values of type `Any`. One can take it apart field by field, with a '
      + 'cast and a fallback for each, and at first that looks like little work.',
    'The trouble is what happens when the data is not what the code believes. The cast fails, the fallback takes its place, and nothing '
      + 'says so: a book with no pages looks like any other. Every new field also has to be added here, in the right spelling.'],
    code: [['ManualMapping.swift', 'public func fetchBook']], documents: ['books/solaris'],
    tries: [attempt('Store the pages as text', 'books/solaris', 'numberOfPages', text('204')),
      attempt('Remove the author', 'books/solaris', 'author')],
    after: 'Both are wrong data, and both produce a book. The rest of this guide is about finding out instead.',
  },
  {
    id: 'simple-types', title: 'Simple types',
    text: ['A type that conforms to `Codable` already says what it consists of. The compiler writes the code that takes it apart and puts it '
      + 'together, so reading becomes one call, `data(as:)`, and writing another, `setData(from:)`.',
    'Strings, integers, floating-point numbers and booleans map to the Swift types one expects. A property that is not optional is a promise: '
      + 'a document without it does not decode.'],
    code: [['Book.swift', 'public struct Book'], ['SimpleTypes.swift', 'self.book = try document.data(as: Book.self)'],
      ['SimpleTypes.swift', 'public func updateBook']],
    documents: ['books/left-hand'], writes: true,
    tries: [attempt('Store the pages as text', 'books/left-hand', 'numberOfPages', text('304')),
      attempt('A double without a fraction', 'books/left-hand', 'numberOfPages', { doubleValue: 304 }),
      attempt('Half a page more', 'books/left-hand', 'numberOfPages', { doubleValue: 304.5 }),
      attempt('A field that the type does not have', 'books/left-hand', 'isLent', { booleanValue: true })],
    after: 'Unknown fields do no harm when reading. `setData(from:)` replaces the document, though: write it back and the extra field is gone.',
  },
  {
    id: 'nested-types', title: 'Types within types',
    text: ['A struct inside a struct is a map inside a document. Nothing has to be written for it: if the inner type is `Codable`, so is the '
      + 'outer one. URLs are stored as their text.',
    'The cover is optional here. A document may come without it, but if there is one it has to be complete.'],
    code: [['NestedTypes.swift', 'public struct CoverImages'], ['NestedTypes.swift', 'public struct BookWithCoverImages']],
    documents: ['books/piranesi'], writes: true,
    tries: [attempt('Remove the cover', 'books/piranesi', 'cover'), attempt('Remove one size', 'books/piranesi', ['cover', 'medium'])],
  },
  {
    id: 'arrays', title: 'Arrays',
    text: ['An array property is an array in the document, of anything that is `Codable`: plain strings for genres, or a struct with a title and '
      + 'a colour for tags. Elements are part of their document and need no id.',
    'When one element does not fit, the whole document does not. The error says which one.'],
    code: [['Arrays.swift', 'public struct BookWithGenre'], ['Arrays.swift', 'public enum ArraysOfNestedTypes']],
    documents: ['books/gideon', 'books/all-systems-red'], writes: true,
    tries: [attempt('A number among the genres', 'books/gideon', ['genres', 1], whole(7)),
      attempt('A tag without a colour', 'books/all-systems-red', ['tags', 1, 'color'])],
  },
  {
    id: 'document-ids', title: 'Document ids',
    text: ['The id of a document is part of its path and not of its fields, yet an app needs it: to write a changed value to the place it came '
      + 'from, and to tell the rows of a list apart. A property with `@DocumentID` receives it when a document is read, and is left out when '
      + 'the value is written.'],
    code: [['Book.swift', 'public struct Book']], documents: ['books/earthsea'], writes: true,
    tries: [attempt('Store a field named id', 'books/earthsea', 'id', text('another'))],
    after: 'A stored field of the same name would compete with the real id. It is reported, not resolved silently.',
  },
  {
    id: 'dates', title: 'Dates and times',
    text: ['Firestore has a type for moments in time, with microseconds, and `Date` maps to it in both directions. A `Timestamp` property keeps '
      + 'every digit; a `Date` is a floating-point number and rounds. A text that merely looks like a date is a string.'],
    code: [['DatesAndTimes.swift', 'public struct ProgrammingLanguage']], documents: ['programming-languages/smalltalk'], writes: true,
    tries: [attempt('A year as a number', 'programming-languages/smalltalk', 'year', whole(1972)),
      attempt('A date as text', 'programming-languages/smalltalk', 'year', text('1972-09-01'))],
  },
  {
    id: 'server-timestamps', title: 'Server timestamps',
    text: ['Clocks of devices disagree. For the moment of a write, the clock that counts is the server’s: a property with `@ServerTimestamp` '
      + 'that is `nil` is filled in by the server as it stores the document. A value that is there already stays.',
    'This article was stored without either time. Write it back from Swift: both properties are `nil`, so both get the server’s time, and '
      + 'the listener hears of it at once. Remove one of the fields and write back again.'],
    code: [['DatesAndTimes.swift', 'public struct Article']], documents: ['articles/today'], writes: true,
    tries: [attempt('Forget when it was updated', 'articles/today', 'lastUpdatedAt')],
  },
  {
    id: 'places', title: 'Geopoints, references and URLs',
    text: ['A position on Earth is a `GeoPoint`, two doubles in one value. Core Location’s type for the same is one initialiser away. A '
      + '`DocumentReference` property points to another document, and can be read at once. A `URL` is a string that has to parse.'],
    code: [['Geopoints.swift', 'public struct Office'], ['Geopoints.swift', 'extension Office'], ['References.swift', 'public struct Loan']],
    documents: ['locations/lisbon', 'loans/1842'], writes: true,
    tries: [attempt('Move the office south', 'locations/lisbon', 'location', { geoPointValue: { latitude: -33.9249, longitude: 18.4241 } }),
      attempt('Two numbers are not a geopoint', 'locations/lisbon', 'location', { arrayValue: { values: [whole(38), whole(-9)] } }),
      attempt('A path as text', 'loans/1842', 'book', text('books/piranesi')), attempt('An empty URL', 'loans/1842', 'receipt', text(''))],
  },
  {
    id: 'enums', title: 'Enums',
    text: ['Firestore does not restrict a field to a list of values, but a Swift type can. An enum with raw values is stored as its raw value, '
      + 'and a value outside the list is an error rather than a state that the app has never heard of.',
    'The raw value is also where a case and its stored text part ways: `inReview` is stored as “in review”.'],
    code: [['Enums.swift', 'public enum Status'], ['Enums.swift', 'public struct Article']], documents: ['articles/hearths'], writes: true,
    tries: [attempt('Publish it', 'articles/hearths', 'status', text('published')),
      attempt('The name of the case', 'articles/hearths', 'status', text('inReview')),
      attempt('A state from the future', 'articles/hearths', 'status', text('retracted'))],
  },
  {
    id: 'coding-keys', title: 'Other names: CodingKeys',
    text: ['Fields are often named by someone else, in another style. An enum `CodingKeys` lists the properties that are mapped, and for each '
      + 'the name it has in the document. Once there is such an enum it is complete: a property that it does not list is neither read nor '
      + 'written, which is also how one keeps a property out. It then needs a default value.'],
    code: [['CustomizingTheMapping.swift', 'public struct ProgrammingLanguage: Identifiable, Codable']],
    documents: ['programming-languages/swift'], writes: true,
    tries: [attempt('Name the field as Swift does', 'programming-languages/swift', 'name', text('Swift')),
      attempt('Without language_name', 'programming-languages/swift', 'language_name')],
    after: 'The reason is stored in the document, and the decoded value has an empty one. Written back, the document loses it.',
  },
  {
    id: 'explicit-null', title: 'Nothing, and null',
    text: ['An optional that is `nil` is left out when it is written, so the document has no such field. Where a query should find '
      + 'documents without a value, an absent field is of no use: it is in no index. `@ExplicitNull` writes `null` instead.',
    'Reading treats both alike: absent or null, the property is `nil`. The difference appears when the value is written back.'],
    code: [['CustomizingTheMapping.swift', 'public struct Reader']], documents: ['readers/grace'], writes: true,
    tries: [attempt('No nickname: null', 'readers/grace', 'nickname', nothing),
      attempt('Remove the favourite', 'readers/grace', 'favouriteLanguage'), attempt('A name of null', 'readers/grace', 'name', nothing)],
  },
  {
    id: 'custom-coding', title: 'A coder of one’s own: colours',
    text: ['Some types are not `Codable`, or not in the form one wants to store. A colour as a map of four numbers is hard to read and to '
      + 'query; as the text that style sheets use, every client understands it. `init(from:)` and `encode(to:)` with a single-value container '
      + 'are all it takes, and every type that contains a colour is `Codable` again.',
    'The decoder is also the place to insist on a form: a text that is not a colour is refused with a message of one’s own.'],
    code: [['Color+Hex.swift', 'extension Color: Codable'], ['Colors.swift', 'public struct Tag']], documents: ['books/frankenstein'],
    writes: true,
    tries: [attempt('A short form', 'books/frankenstein', ['tags', 0, 'color'], text('#a3e')),
      attempt('A name instead', 'books/frankenstein', ['tags', 0, 'color'], text('purple'))],
    after: 'Written back, the short form becomes six digits: it was decoded to numbers and encoded from them.',
  },
  {
    id: 'errors', title: 'When a document does not fit',
    text: ['Four things can be wrong with a field, and `DecodingError` has a case for each: another type (`typeMismatch`), null where a value is '
      + 'needed (`valueNotFound`), no field at all (`keyNotFound`), and the right type with an impossible content (`dataCorrupted`). A '
      + 'document that does not exist is an error of its own.',
    'The view model below fetches three documents. What stands under each is its `book` or its `errorMessage`.'],
    code: [['HandlingErrors.swift', 'private func fetchBook']], documents: ['books/hitchhiker', 'books/invalid-data', 'books/does-not-exist'],
    tries: [attempt('Pages: null', 'books/hitchhiker', 'numberOfPages', nothing), attempt('No author', 'books/hitchhiker', 'author'),
      attempt('Half a page', 'books/hitchhiker', 'numberOfPages', { doubleValue: 0.5 }),
      attempt('Repair the second', 'books/invalid-data', 'numberOfPages', whole(200)),
      attempt('Create the third', 'books/does-not-exist', 'title', text('It does now'))],
  },
  {
    id: 'live-updates', title: 'Errors in live updates',
    text: ['A snapshot listener delivers a list again and again, and sooner or later one of its documents does not fit. One bad document should '
      + 'not empty the screen: each is decoded on its own, the good ones are shown, and the message tells about the others.',
    'The message is that of the document decoded last, so a good one after a bad one clears it. An app that wants to report every problem '
      + 'collects them.'],
    code: [['LiveUpdates.swift', 'public func subscribe'], ['LiveUpdates.swift', 'public func addColorEntry']], list: 'colors',
    documents: ['colors/ember', 'colors/moss', 'colors/sky'],
    tries: [attempt('Spoil the last', 'colors/sky', 'color', text('light blue')), attempt('Spoil the first', 'colors/ember', 'color', whole(7))],
  },
  {
    id: 'offline', title: 'Adding documents, also offline',
    text: ['`addDocument(from:)` returns at once, with the id of the new document, and does not wait for the server. Listeners show the '
      + 'document immediately, marked with `hasPendingWrites`. Without a connection the write waits in a queue and is sent when the '
      + 'connection is back; only then has the server set its timestamps.',
    'The Swift process has a second client for this section, whose network you can switch off. Add a draft while it is off: its listener has '
      + 'the draft, with no time of creation, and the server has nothing.'],
    code: [['SimpleTypes.swift', 'public func addBook'], ['DatesAndTimes.swift', 'public struct Article']], list: 'drafts', documents: [],
    tries: [],
  },
];
