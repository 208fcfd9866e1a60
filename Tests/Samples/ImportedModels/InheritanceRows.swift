// Imported from Inheritance.xcdatamodeld: what the rows of its entities become.
// If you change the schema before the rows are copied, change this, too.

import LockstepCoreData

extension CoreDataMap {
    static let inheritance = CoreDataMap(entities: [
        Entity(
            "Record",
            attributes: [
                Attribute("uuid", .string),
                Attribute("createdAt", .date),
            ]),
        Entity(
            "Animal", parent: "Record", becomes: "Animal",
            attributes: [
                Attribute("name", .string)
            ],
            relationships: [
                .toOne("owner", "Person", inverse: "animals"),
                .toMany("toys", "Toy", inverse: "animal"),
            ]),
        Entity(
            "Cat", parent: "Animal", becomes: "Cat",
            attributes: [
                Attribute("lives", .integer16)
            ]),
        Entity(
            "Dog", parent: "Animal", becomes: "Dog"),
        Entity(
            "Person", parent: "Record", becomes: "Person",
            relationships: [
                .toMany(
                    "animals", "Animal", inverse: "owner",
                    becomes: [
                        "Animal": "animals",
                        "Cat": "animalsCat",
                        "Dog": "animalsDog",
                    ])
            ]),
        Entity(
            "Toy", becomes: "Toy", localID: "localID",
            attributes: [
                Attribute("name", .string)
            ],
            relationships: [
                .toOne(
                    "animal", "Animal", inverse: "toys",
                    becomes: [
                        "Animal": "animal",
                        "Cat": "animalCat",
                        "Dog": "animalDog",
                    ])
            ]),
    ])
}
