// Imported from Voyages: what the rows of its entities become.
// If you change the schema before the rows are copied, change this, too.

import LockstepCoreData

extension CoreDataMap {
    static let voyages = CoreDataMap(entities: [
        Entity(
            "Harbor", becomes: "Harbor",
            attributes: [
                Attribute("code", .string),
                Attribute(
                    "place", .composite, parts: [Attribute("latitude", .double), Attribute("longitude", .double)]),
                Attribute("depth", .float),
                Attribute("notes", .string),
                Attribute("checkedIn", .date),
            ],
            relationships: [
                .toOne("voyage", "Voyage", inverse: "harbors")
            ]),
        Entity(
            "Sailor", becomes: "Sailor", localID: "localID",
            attributes: [
                Attribute("name", .string),
                Attribute("rank", .string),
                Attribute("duty", .composite),
            ],
            relationships: [
                .toMany("voyages", "Voyage"),
                .toOne("mentor", "Sailor"),
            ]),
        Entity(
            "Voyage", becomes: "Voyage",
            attributes: [
                Attribute("id", .uuid),
                Attribute("title", .string),
                Attribute("departure", .date),
                Attribute("arrival", .date),
                Attribute("rating", .integer64),
                Attribute("budget", .decimal),
                Attribute("isFavorite", .boolean),
                Attribute("website", .uri),
                Attribute("tags", .transformable),
                Attribute("colors", .transformable),
                Attribute("weather", .integer64),
                Attribute("moodRaw", .string),
                Attribute("means", .transformable),
                Attribute(
                    "origin", .composite, parts: [Attribute("latitude", .double), Attribute("longitude", .double)]),
                Attribute("waypoints", .transformable),
                Attribute("extras", .transformable),
                Attribute("cover", .binary, isExternal: true),
                Attribute("tint", .transformable),
                Attribute("summary", .string),
                Attribute("plan", .composite),
                Attribute("viewCount", .integer64),
            ],
            relationships: [
                .toMany("harbors", "Harbor", inverse: "voyage"),
                .toMany("crew", "Sailor"),
                .toOne("captain", "Sailor"),
            ]),
    ])
}
