import Testing

@testable import LockstepSchema

@Suite("Storage of links")
struct StorageTests {
    @Test("of two to-ones, the required one holds the key")
    func requiredHolds() throws {
        let schema = try resolved(
            """
              A: { attributes: { id: int }, relationships: { b: { to: B?, inverse: a } } }
              B: { attributes: { id: int }, relationships: { a: { to: A, inverse: b, onDelete: cascade } } }
            """)
        #expect(try schema.entity("A").relationship("b").storage == .inverseForeignKey)
        #expect(try schema.entity("A").relationship("b").wire == .none)
        #expect(try schema.entity("A").relationship("b").onDelete == .deny)
        #expect(try schema.entity("B").relationship("a").foreignKey?.columns == ["a_id"])
        #expect(try schema.entity("B").columns.last?.isOptional == false)
    }

    @Test("holdsKey decides, at either end", arguments: [true, false], ["A", "B"])
    func declaredHolder(isFirst: Bool, holder: String) throws {
        func option(_ entity: String) -> String {
            if isFirst { return entity == "A" ? "holdsKey: \(holder == "A"), " : "" }
            return entity == "B" ? "holdsKey: \(holder == "B"), " : ""
        }
        let schema = try resolved(
            """
              A: { attributes: { id: int }, relationships: { b: { to: B?, \(option("A"))inverse: a } } }
              B: { attributes: { id: int }, relationships: { a: { to: A?, \(option("B"))inverse: b } } }
            """)
        #expect(try (schema.entity("A").relationship("b").foreignKey != nil) == (holder == "A"))
        #expect(try (schema.entity("B").relationship("a").foreignKey != nil) == (holder == "B"))
    }

    @Test("if nothing decides, the first by name holds the key, whatever the order of the entities")
    func nameDecides() throws {
        let head = "  Head: { attributes: { id: int }, relationships: { body: { to: Body?, inverse: head } } }"
        let body = "  Body: { attributes: { id: int }, relationships: { head: { to: Head?, inverse: body } } }"
        for entities in [[head, body], [body, head]] {
            let schema = try resolved(entities.joined(separator: "\n"))
            #expect(try schema.entity("Body").relationship("head").foreignKey?.property == "headID")
            #expect(try schema.entity("Head").relationship("body").storage == .inverseForeignKey)
        }
    }

    @Test("otherwise the one that does not cascade, or the first one by name")
    func cascadeAndName() throws {
        let schema = try resolved(
            """
              A: { attributes: { id: int }, relationships: { b: { to: B?, inverse: a, onDelete: cascade }, c: C? } }
              B: { attributes: { id: int }, relationships: { a: { to: A?, inverse: b } } }
              C: { attributes: { id: int }, relationships: { a: { to: A?, inverse: c } } }
            """)
        #expect(try schema.entity("A").relationship("b").storage == .inverseForeignKey)
        #expect(try schema.entity("B").relationship("a").foreignKey?.property == "aID")
        // `A.c` names no inverse, but `C.a` names it.
        #expect(try schema.entity("A").relationship("c").inverse == "a")
        #expect(try schema.entity("A").relationship("c").foreignKey?.property == "cID")
        #expect(try schema.entity("C").relationship("a").storage == .inverseForeignKey)
    }

    @Test("of two optional to-ones, the one whose destination has an identity holds the key", arguments: [true, false])
    func identityHolds(isStoryFirst: Bool) throws {
        let story = """
              Story:
                attributes: { id: int }
                relationships: { summary: { to: Summary?, inverse: story, wire: embedded } }
            """
        let summary = """
              Summary:
                identity: none
                attributes: { body: string? }
                relationships: { story: { to: Story?, inverse: summary, wire: none, onDelete: cascade } }
            """
        let schema = try resolved((isStoryFirst ? [story, summary] : [summary, story]).joined(separator: "\n"))
        #expect(try schema.entity("Story").relationship("summary").storage == .inverseForeignKey)
        #expect(try schema.entity("Summary").relationship("story").foreignKey?.columns == ["story_id"])
    }

    @Test(
        "otherwise the one with a column, an index, or a key of its own",
        arguments: [("column: chief, ", ""), ("key: chief, ", ""), ("", "    indexes: [[leader]]")])
    func optionsOfTheKey(option: String, index: String) throws {
        let leader = """
              Team:
                attributes: { id: int }
                relationships: { leader: { to: Leader?, \(option)inverse: team, onDelete: cascade } }
            \(index)
            """
        let team = "  Leader: { attributes: { id: int }, relationships: { team: { to: Team?, inverse: leader } } }"
        for entities in [[leader, team], [team, leader]] {
            let schema = try resolved(entities.joined(separator: "\n"))
            #expect(try schema.entity("Team").relationship("leader").foreignKey != nil)
            #expect(try schema.entity("Leader").relationship("team").storage == .inverseForeignKey)
        }
    }

    @Test("if neither end has an identity, one error names both, whatever the order")
    func noIdentity() throws {
        let first = "  Story: { attributes: { a: int }, relationships: { summary: { to: Summary?, inverse: story } } }"
        let second = "  Summary: { attributes: { b: int }, relationships: { story: { to: Story?, inverse: summary } } }"
        for entities in [[first, second], [second, first]] {
            let text = "lockstep: 1\nschema: Shop\nentities:\n" + entities.joined(separator: "\n")
            let diagnostics = readSchemas([SchemaSource(text)]).diagnostics
            #expect(diagnostics.map(\.code) == [.destinationWithoutIdentity])
            #expect(diagnostics.first?.message.contains("'Summary', has no identity") == true)
        }
    }

    @Test("a composite key is one property and several columns")
    func compositeKey() throws {
        let schema = try resolved(
            """
              Seat:
                identity: [row, seatNumber]
                attributes: { row: string, seatNumber: int16 }
              Ticket: { attributes: { id: int }, relationships: { seat: Seat } }
            """, header: "wire: { names: camelCase }")
        let ticket = try schema.entity("Ticket")
        let seat = try ticket.relationship("seat")
        #expect(seat.foreignKey?.property == "seatID")
        #expect(seat.foreignKey?.columns == ["seat_row", "seat_seat_number"])
        #expect(seat.wire == .id(paths: [["seatRow"], ["seatSeatNumber"]], embeddedPath: ["seat"]))
        #expect(ticket.columns.map(\.type) == [.scalar(.int), .scalar(.string), .scalar(.int16)])
        #expect(ticket.columns.map(\.property) == ["id", "seatID", "seatID"])
        #expect(ticket.indexes.map(\.name) == ["ticket_seat_row_seat_seat_number"])
    }

    @Test("a foreign key contains the local part of an identity")
    func localIdentity() throws {
        let schema = try resolved(
            """
              Task:
                identity: { local: localID, remote: remoteID }
                attributes: { localID: uuid, remoteID: int?, name: string }
              Step: { attributes: { id: int }, relationships: { task: Task? } }
            """)
        let task = try schema.entity("Task")
        #expect(task.identity == .local("localID", remote: "remoteID"))
        #expect(try task.attribute("localID").wire == nil)
        #expect(try task.attribute("localID").defaultValue == .newUUID)
        #expect(try task.attribute("localID").isUnique == false)
        #expect(try task.attribute("remoteID").isUnique)
        #expect(try schema.entity("Step").columns.last?.type == .scalar(.uuid))
        #expect(try schema.entity("Step").relationship("task").foreignKey?.property == "taskID")
    }

    @Test("a local identity with a key is sent")
    func localIdentityWithKey() throws {
        let schema = try resolved(
            """
              Task:
                identity: { local: localID, remote: remoteID }
                attributes: { localID: { type: string, key: client_id }, remoteID: int? }
            """)
        #expect(try schema.entity("Task").attribute("localID").wire?.path == ["client_id"])
        #expect(try schema.entity("Task").attribute("localID").defaultValue == nil)
    }

    @Test("the implied inverse avoids existing names, and is unique if there are several")
    func impliedNames() throws {
        let schema = try resolved(
            """
              Product:
                attributes: { id: int }
                relationships: { images: [Picture], plans: [Picture], notes: [Note], texts: [Text] }
              Picture: { attributes: { id: int } }
              Note: { attributes: { id: int, product: string } }
              Text: { attributes: { id: int, productID: int } }
              HTMLPage: { attributes: { id: int }, relationships: { notes: [Note], pages: [HTMLPage] } }
              Context2: { attributes: { id: int } }
              Update: { attributes: { id: int }, relationships: { notes: [Note] } }
            """)
        #expect(try schema.entity("Picture").relationships.map(\.name) == ["productImages", "productPlans"])
        #expect(try schema.entity("Note").relationships.map(\.name) == ["productNotes", "htmlPage", "updateNotes"])
        #expect(try schema.entity("Text").relationships.map(\.name) == ["productTexts"])
        #expect(try schema.entity("HTMLPage").relationships.map(\.name) == ["notes", "pages", "htmlPage"])
        #expect(try schema.entity("Picture").columns.map(\.name) == ["id", "product_images_id", "product_plans_id"])
    }

    @Test("a position column avoids existing names")
    func positions() throws {
        let schema = try resolved(
            """
              List:
                attributes: { id: int }
                relationships: { items: { to: [Item], inverse: list, ordered: true, wire: ids } }
              Item:
                attributes: { id: int, itemsPosition: int }
                relationships: { list: List? }
            """)
        let foreignKey = try schema.entity("Item").relationship("list").foreignKey
        #expect(foreignKey?.positionProperty == "listItemsPosition")
        #expect(foreignKey?.positionColumn == "list_items_position")
        #expect(
            try schema.entity("Item").columns.map(\.name) == ["id", "items_position", "list_id", "list_items_position"])
    }

    @Test("join tables have their own names and columns")
    func joinTables() throws {
        let schema = try resolved(
            """
              Person:
                attributes: { id: uuid }
                relationships:
                  friends: { to: [Person], inverse: friendOf, ordered: true }
                  friendOf: [Person]
                  clubs: { to: [Club], inverse: members, ordered: true, wire: none }
                  formerClubs: { to: [Club], inverse: formerMembers }
                  teams: { to: [Team], inverse: members }
              Club:
                identity: [city, name]
                attributes: { city: string, name: string }
                relationships: { members: { to: [Person], ordered: true }, formerMembers: [Person] }
              Team:
                table: t
                remote: none
                attributes: { id: int }
                relationships: { members: [Person] }
              PersonClub: { attributes: { id: int } }
            """)
        #expect(schema.joinTables.map(\.name) == ["person_friends", "person_clubs", "person_former_clubs", "person_t"])
        let friends = schema.joinTables[0]
        #expect(friends.left.columns == ["friend_of_id"])
        #expect(friends.right.columns == ["friend_id"])
        #expect(friends.left.positionColumn == "friends_position")
        #expect(friends.right.positionColumn == nil)
        let clubs = schema.joinTables[1]
        #expect(clubs.left.columns == ["person_id"])
        #expect(clubs.right.columns == ["club_city", "club_name"])
        #expect([clubs.left.positionColumn, clubs.right.positionColumn] == ["clubs_position", "members_position"])
        #expect(
            try schema.entity("Person").relationship("friendOf").storage == .joinTable("person_friends", isLeft: false))
    }

    @Test("either end can name the table of the links, and no derived name is that of another one")
    func namedJoinTable() throws {
        let schema = try resolved(
            """
              Tag:
                attributes: { id: int }
                relationships:
                  plants: { to: [Plant], inverse: tags }
                  others: { to: [Plant], inverse: others }
                  friends: { to: [Tag], inverse: friends, table: ties }
                  more: { to: [Plant], inverse: more }
              Plant:
                attributes: { id: int }
                relationships:
                  tags: { to: [Tag], inverse: plants, table: plant_tags }
                  others: { to: [Tag], inverse: others, table: tag_plant }
                  more: { to: [Tag], inverse: more }
            """)
        #expect(Set(schema.joinTables.map(\.name)) == ["plant_tags", "tag_plant", "ties", "tag_more"])
    }

    @Test("a to-one that is its own inverse has a join table, and one identity in JSON")
    func symmetricToOne() throws {
        let schema = try resolved(
            """
              Person: { attributes: { id: uuid }, relationships: { boss: { to: Person?, inverse: boss } } }
              Club:
                identity: [city, name]
                attributes: { city: string, name: string }
                relationships: { twin: { to: Club?, inverse: twin } }
            """)
        #expect(schema.joinTables.map(\.name) == ["person_boss", "club_twin"])
        #expect(schema.joinTables.map(\.left.columns) == [["person_id"], ["club_city", "club_name"]])
        #expect(schema.joinTables.map(\.right.columns) == [["boss_id"], ["twin_city", "twin_name"]])
        let boss = try schema.entity("Person").relationship("boss")
        #expect(!boss.isToMany && boss.storage == .joinTable("person_boss", isLeft: true))
        #expect(boss.wire == .id(paths: [["bossID"]], embeddedPath: ["boss"]))
        #expect(try schema.entity("Club").relationship("twin").wire == .none)
    }

    @Test("two ordered sides with one name have two position columns")
    func twoPositions() throws {
        let schema = try resolved(
            """
              A: { attributes: { id: int }, relationships: { items: { to: [B], inverse: items, ordered: true } } }
              B: { attributes: { id: int }, relationships: { items: { to: [A], inverse: items, ordered: true } } }
            """)
        #expect(schema.joinTables.map(\.left.positionColumn) == ["items_position"])
        #expect(schema.joinTables.map(\.right.positionColumn) == ["b_items_position"])
    }

    @Test("a relationship between two local ends is local")
    func local() throws {
        let schema = try resolved(
            """
              A: { remote: none, attributes: { id: int }, relationships: { b: B?, c: C? } }
              B: { remote: none, attributes: { id: int } }
              C: { attributes: { id: int } }
            """)
        #expect(try schema.entity("A").relationship("b").foreignKey?.isLocal == true)
        #expect(try schema.entity("A").relationship("c").foreignKey?.isLocal == false)
        #expect(try schema.entity("A").remote == nil)
    }

    @Test("indexes: a to-one means its columns, duplicates are dropped, unique ones take precedence")
    func indexes() throws {
        let schema = try resolved(
            """
              A:
                attributes:
                  id: { type: int, indexed: true }
                  a: { type: int, indexed: true }
                  b: { type: int, unique: true, indexed: true }
                relationships: { next: A?, other: { to: A?, column: other } }
                indexes:
                  - [a]
                  - { on: [next], unique: true }
                  - [next, a]
              A_next: { table: a_next_id, attributes: { id: int } }
            """)
        #expect(
            try schema.entity("A").indexes == [
                IndexStructure(name: "a_a", columns: ["a"], isUnique: false),
                IndexStructure(name: "a_next_id_index", columns: ["next_id"], isUnique: true),
                IndexStructure(name: "a_next_id_a", columns: ["next_id", "a"], isUnique: false),
                IndexStructure(name: "a_other", columns: ["other"], isUnique: false),
            ])
    }

    @Test("SQL names as written")
    func asWritten() throws {
        let schema = try resolved(
            """
              JobSheet:
                attributes: { userID: int, id: int }
                relationships: { nextSheet: JobSheet?, parts: { to: [Part], ordered: true } }
              Part: { attributes: { id: int } }
            """, header: "columns: asWritten")
        #expect(try schema.entity("JobSheet").tableName == "JobSheet")
        #expect(try schema.entity("JobSheet").columns.map(\.name) == ["userID", "id", "nextSheetID"])
        #expect(try schema.entity("Part").columns.map(\.name) == ["id", "jobSheetID", "partsPosition"])
    }
}
