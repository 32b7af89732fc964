// SPDX-License-Identifier: Apache-2.0

/// The documents of the guide's sections (`Examples/Guide`), as its chapters store them.
enum GuideDocuments {
    static let lines = """
        {"path":"books/hitchhiker","fields":{"title":"The Hitchhiker's Guide to the Galaxy","numberOfPages":224,"author":"Douglas Adams"}}
        {"path":"books/hitchhiker-image-urls","fields":{"title":"The Hitchhiker's Guide to the Galaxy","numberOfPages":224,"author":"Douglas Adams",\
        "cover":{"small":"https://covers.example/hitchhiker-small.jpg","medium":"https://covers.example/hitchhiker-medium.jpg",\
        "large":"https://covers.example/hitchhiker-large.jpg"}}}
        {"path":"books/hitchhiker-genre","fields":{"title":"The Hitchhiker's Guide to the Galaxy","numberOfPages":224,"author":"Douglas Adams","genres":["Comedy","Science Fiction"]}}
        {"path":"books/hitchhiker-tags","fields":{"title":"The Hitchhiker's Guide to the Galaxy","numberOfPages":224,"author":"Douglas Adams",\
        "tags":[{"title":"Favourite","color":"#FF0000"},{"title":"Classic","color":"#00FF00"}]}}
        {"path":"books/invalid-data","fields":{"title":42,"numberOfPages":"many","author":"Douglas Adams"}}
        {"path":"programming-languages/swift","fields":{"language_name":"Swift","year":{"$timestamp":"2014-06-02T00:00:00Z"}}}
        {"path":"programming-languages/objective-c","fields":{"language_name":"Objective-C","year":{"$timestamp":"1984-01-01T00:00:00Z"}}}
        {"path":"locations/cambridge","fields":{"name":"Cambridge","location":{"$geopoint":{"latitude":42.3629,"longitude":-71.0901}}}}
        {"path":"locations/hamburg","fields":{"name":"Hamburg","location":{"$geopoint":{"latitude":53.5538,"longitude":9.9864}}}}
        {"path":"articles/a1","fields":{"title":"Mapping","status":"in review","createdAt":{"$timestamp":"2021-03-04T05:06:07.123456Z"},"lastUpdatedAt":null}}
        {"path":"articles/a2","fields":{"title":"Mapping, again","status":"draft","createdAt":{"$timestamp":"2021-03-04T05:06:07.5Z"},"lastUpdatedAt":{"$timestamp":"2021-03-05T05:06:07Z"}}}
        {"path":"colors/red","fields":{"name":"Red","color":"#FF0000FF"}}
        {"path":"colors/none","fields":{"name":"None","color":null}}

        """
}
