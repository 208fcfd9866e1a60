// Imported from Groot.xcdatamodeld: what the rows of its entities become.
// If you change the schema before the rows are copied, change this, too.

import LockstepCoreData

extension CoreDataMap {
    static let groot = CoreDataMap(entities: [
        Entity(
            "Hero", becomes: "Hero",
            attributes: [
                Attribute("number", .integer64),
                Attribute("realName", .string),
                Attribute("seen", .boolean),
            ])
    ])
}
