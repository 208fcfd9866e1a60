// Imported from Libraries.xcdatamodeld: what the rows of its entities become.
// If you change the schema before the rows are copied, change this, too.

import LockstepCoreData

extension CoreDataMap {
    static let libraries = CoreDataMap(entities: [
        Entity(
            "Note", becomes: "Note",
            attributes: [
                Attribute("remoteKey", .string),
                Attribute("city", .string),
                Attribute("sentAt", .date),
                Attribute("context", .string, becomes: "contextValue"),
                Attribute("kind", .integer16),
            ])
    ])
}
