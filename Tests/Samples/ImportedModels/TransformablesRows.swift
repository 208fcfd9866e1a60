// Imported from Transformables.xcdatamodeld: what the rows of its entities become.
// If you change the schema before the rows are copied, change this, too.

import LockstepCoreData

extension CoreDataMap {
    static let transformables = CoreDataMap(entities: [
        Entity(
            "Drawing", becomes: "Drawing",
            attributes: [
                Attribute("id", .string),
                Attribute("colour", .transformable),
                Attribute("labels", .transformable),
                Attribute("matrix", .transformable),
                Attribute("meta", .transformable),
                Attribute("anything", .transformable),
                Attribute("numbers", .transformable),
                Attribute("place", .composite),
            ])
    ])
}
