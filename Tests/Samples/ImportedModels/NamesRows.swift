// Imported from Names.xcdatamodeld: what the rows of its entities become.
// If you change the schema before the rows are copied, change this, too.

import LockstepCoreData

extension CoreDataMap {
    static let names = CoreDataMap(entities: [
        Entity(
            "task_item", becomes: "TaskItem", localID: "localID2",
            attributes: [
                Attribute("Date", .date, becomes: "date"),
                Attribute("context", .string, becomes: "contextValue"),
                Attribute("description_", .string),
                Attribute("localID", .string),
                Attribute("self", .string),
            ],
            relationships: [
                .toOne("entity", "task_item", inverse: "parts", becomes: ["TaskItem": "entityValue"]),
                .toMany("parts", "task_item", inverse: "entity"),
            ]),
        Entity(
            "Foundation", becomes: "FoundationRecord", localID: "localID",
            attributes: [
                Attribute("année", .integer32)
            ]),
    ])
}
