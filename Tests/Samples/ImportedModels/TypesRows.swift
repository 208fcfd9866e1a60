// Imported from Types.xcdatamodeld: what the rows of its entities become.
// If you change the schema before the rows are copied, change this, too.

import LockstepCoreData

extension CoreDataMap {
    static let types = CoreDataMap(entities: [
        Entity(
            "Sample", becomes: "Sample",
            attributes: [
                Attribute("active", .boolean),
                Attribute("amount", .decimal),
                Attribute("born", .date),
                Attribute("count16", .integer16),
                Attribute("count32", .integer32),
                Attribute("count64", .integer64),
                Attribute("home", .uri),
                Attribute("id", .uuid),
                Attribute("large", .binary, isExternal: true),
                Attribute("level", .double),
                Attribute("name", .string),
                Attribute("ratio", .float),
                Attribute("small", .binary),
            ])
    ])
}
