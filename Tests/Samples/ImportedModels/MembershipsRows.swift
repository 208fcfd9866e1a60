// Imported from Memberships.swift: what the rows of its entities become.
// If you change the schema before the rows are copied, change this, too.

import LockstepCoreData

extension CoreDataMap {
    static let memberships = CoreDataMap(entities: [
        Entity(
            "Club", becomes: "Club",
            attributes: [
                Attribute("id", .integer64),
                Attribute("clubName", .string),
                Attribute("email", .string),
                Attribute("localOnly", .string),
            ],
            relationships: [
                .toMany("emblems", "Emblem"),
                .toMany("fellows", "Fellow", inverse: "club"),
            ]),
        Entity(
            "Fellow", becomes: "Fellow",
            attributes: [
                Attribute("xid", .string),
                Attribute("joinedAt", .date),
            ],
            relationships: [
                .toOne("club", "Club", inverse: "fellows")
            ]),
        Entity(
            "Emblem", becomes: "Emblem",
            attributes: [
                Attribute("id", .integer64),
                Attribute("label", .string),
                Attribute("drawnAt", .date),
            ]),
    ])
}
