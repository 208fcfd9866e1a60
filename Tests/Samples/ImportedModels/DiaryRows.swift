// Imported from Diary.xcdatamodeld: what the rows of its entities become.
// If you change the schema before the rows are copied, change this, too.

import LockstepCoreData

extension CoreDataMap {
    static let diary = CoreDataMap(entities: [
        Entity(
            "Entry", becomes: "Entry",
            attributes: [
                Attribute("number", .integer64),
                Attribute("pinned", .boolean),
                Attribute("tint", .transformable),
                Attribute("title", .string),
            ],
            relationships: [
                .toMany("photos", "Photo", inverse: "entry", isOrdered: true)
            ]),
        Entity(
            "Photo", becomes: "Photo", localID: "localID",
            attributes: [
                Attribute("image", .binary, isExternal: true)
            ],
            relationships: [
                .toOne("entry", "Entry", inverse: "photos")
            ]),
    ])
}
