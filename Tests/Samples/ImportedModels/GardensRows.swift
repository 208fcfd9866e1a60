// Imported from Gardens.swift: what the rows of its entities become.
// If you change the schema before the rows are copied, change this, too.

import LockstepCoreData

extension CoreDataMap {
    static let gardens = CoreDataMap(entities: [
        Entity(
            "Plant", becomes: "Plant",
            attributes: [
                Attribute("id", .uuid),
                Attribute("commonName", .string),
            ],
            relationships: [
                .toMany("waterings", "Watering", inverse: "plant")
            ]),
        Entity(
            "Watering", becomes: "Watering",
            attributes: [
                Attribute("id", .uuid),
                Attribute("date", .date),
            ],
            relationships: [
                .toOne("plant", "Plant", inverse: "waterings")
            ]),
        Entity(
            "Shed", becomes: "Shed",
            attributes: [
                Attribute("number", .integer64)
            ]),
    ])
}
