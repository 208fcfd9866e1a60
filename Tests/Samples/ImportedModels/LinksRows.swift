// Imported from Links.xcdatamodeld: what the rows of its entities become.
// If you change the schema before the rows are copied, change this, too.

import LockstepCoreData

extension CoreDataMap {
    static let links = CoreDataMap(entities: [
        Entity(
            "Author", becomes: "Author",
            attributes: [
                Attribute("authorID", .integer64),
                Attribute("name", .string),
            ],
            relationships: [
                .toMany("books", "Book", inverse: "author", isOrdered: true),
                .toMany("friends", "Author", inverse: "friends"),
                .toOne("passport", "Passport", inverse: "holder"),
            ]),
        Entity(
            "Book", becomes: "Book",
            attributes: [
                Attribute("isbn", .string),
                Attribute("edition", .integer16),
                Attribute("title", .string),
            ],
            relationships: [
                .toOne("author", "Author", inverse: "books"),
                .toMany("related", "Book"),
                .toMany("tags", "Tag", inverse: "books"),
            ]),
        Entity(
            "Passport", becomes: "Passport", localID: "localID",
            attributes: [
                Attribute("number", .string)
            ],
            relationships: [
                .toOne("holder", "Author", inverse: "passport")
            ]),
        Entity(
            "Tag", becomes: "Tag",
            attributes: [
                Attribute("identifier", .uuid)
            ],
            relationships: [
                .toMany("books", "Book", inverse: "tags")
            ]),
    ])
}
