// Imported from Circles.xcdatamodeld: what the rows of its entities become.
// If you change the schema before the rows are copied, change this, too.

import LockstepCoreData

extension CoreDataMap {
    static let circles = CoreDataMap(entities: [
        Entity(
            "Card", becomes: "Card",
            attributes: [
                Attribute("id", .string)
            ],
            relationships: [
                .toOne("member", "Member", inverse: "card")
            ]),
        Entity(
            "Folder", becomes: "Folder",
            attributes: [
                Attribute("id", .string)
            ],
            relationships: [
                .toMany("children", "Folder", inverse: "parent", isOrdered: true),
                .toOne("parent", "Folder", inverse: "children"),
            ]),
        Entity(
            "Member", becomes: "Member",
            attributes: [
                Attribute("id", .string)
            ],
            relationships: [
                .toOne("card", "Card", inverse: "member"),
                .toMany("followers", "Member", inverse: "following"),
                .toMany("following", "Member", inverse: "followers"),
                .toOne("spouse", "Member", inverse: "spouse"),
            ]),
        Entity(
            "Playlist", becomes: "Playlist",
            attributes: [
                Attribute("id", .string)
            ],
            relationships: [
                .toMany("songs", "Song", inverse: "playlists", isOrdered: true)
            ]),
        Entity(
            "Song", becomes: "Song",
            attributes: [
                Attribute("id", .string)
            ],
            relationships: [
                .toMany("playlists", "Playlist", inverse: "songs", isOrdered: true)
            ]),
    ])
}
