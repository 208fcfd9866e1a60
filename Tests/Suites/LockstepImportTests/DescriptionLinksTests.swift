import Foundation
import LockstepImport
import LockstepSchema
import Testing

@Suite("Records of a description: which can be pulled, and which other records they belong to")
struct DescriptionLinksTests {
    /// A description with these schemas, and a path that lists each of some of them.
    private func description(lists: [String: String] = [:], _ schemas: String) -> String {
        let paths = lists.sorted { $0.key < $1.key }.map { path, schema in
            "  \(path): { get: { responses: { \"200\": { description: All., content: { application/json: { schema: "
                + "{ type: array, items: { $ref: \"#/components/schemas/\(schema)\" } } } } } } } }\n"
        }
        return "openapi: 3.1.0\npaths:\(paths.isEmpty ? " {}\n" : "\n" + paths.joined())"
            + "components:\n  schemas:\n\(schemas)\n"
    }

    private func imported(lists: [String: String] = [:], _ schemas: String) throws -> ImportedSchema {
        let imported = try importing(description(lists: lists, schemas), file: "api.yaml")
        let reading = readSchemas([SchemaSource(path: "Shop.yaml", bytes: Array(imported.text.utf8))])
        #expect(reading.diagnostics.isEmpty, "\(imported.text)")
        return imported
    }

    private func entity(_ name: String, _ properties: String) -> String {
        "    \(name): { type: object, required: [id], properties: { id: { type: integer }, \(properties) } }"
    }

    private func list(_ name: String) -> String { "{ type: array, items: { $ref: \"#/components/schemas/\(name)\" } }" }

    private func notes(_ imported: ImportedSchema, _ kind: ImportNote.Kind) -> [String] {
        imported.report.notes.filter { $0.kind == kind }.map { "\($0.location ?? ""): \($0.text)" }
    }

    // MARK: Records without an identity

    @Test("Records that a path lists without an identity stay on the device, and their JSON has no key")
    func noIdentity() throws {
        let imported = try imported(
            lists: ["/events": "Event"],
            "    Event: { type: object, required: [message], properties: { message: { type: string } } }")
        #expect(
            imported.text.contains(
                """
                  Event:
                    identity: localID
                    remote: none
                    attributes:
                      localID: { type: uuid, default: new, wire: none }  # chosen by import: the schema has no identity
                      message: string

                """))
        #expect(notes(imported, .decided).first?.contains("so they cannot be pulled") == true)
        #expect(
            notes(imported, .left) == [
                "api.yaml:3: /events, because records of Event cannot be pulled without an identity"
            ])
    }

    @Test("An envelope and an error do not own the records in them")
    func envelope() throws {
        let imported = try imported(
            lists: ["/items": "Item"],
            """
            \(entity("Item", "name: { type: string }"))
                Event: { type: object, properties: { message: { type: string } } }
                Page: { type: object, properties: { data: \(list("Event")), total: { type: integer } } }
            """
        ).text
        #expect(!imported.contains("Event:"))
        let listed = try importing(
            description(
                lists: ["/items": "Item"],
                """
                \(entity("Item", "name: { type: string }"))
                    Event: { type: object, properties: { message: { type: string } } }
                    Page: { type: object, properties: { data: \(list("Event")), total: { type: integer } } }
                """
            ).replacing(
                "components:",
                with: "  /events: { get: { responses: { \"200\": { content: { application/json: { schema: "
                    + "{ $ref: \"#/components/schemas/Page\" } } } } } } }\ncomponents:"), file: "api.yaml")
        #expect(listed.text.contains("  Event:\n    identity: localID\n    remote: none\n"))
    }

    @Test("Records without an identity that others contain belong to them, even if a path lists them")
    func owned() throws {
        let imported = try imported(
            lists: ["/orders": "Order", "/lines": "Line"],
            """
            \(entity("Order", "lines: \(list("Line"))"))
                Line: { type: object, required: [amount], properties: { amount: { type: integer } } }
            """)
        #expect(imported.text.contains("lines: { to: [Line], wire: embedded }"))
        #expect(imported.text.contains("  Line:\n    identity: none\n    attributes:\n      amount: int\n"))
        #expect(
            notes(imported, .left) == [
                "api.yaml:3: /lines, because Line has no identity: its records are parts of others"
            ])
    }

    @Test("Lists in a record without an identity are json, because nothing could refer to their owner")
    func listInPart() throws {
        let imported = try imported(
            """
            \(entity("Order", "lines: \(list("Line"))"))
            \(entity("Tag", "name: { type: string }"))
                Line: { type: object, properties: { tags: \(list("Tag")),
                  tag_ids: { type: array, items: { type: integer } } } }
            """)
        #expect(imported.text.contains("      tags: json?\n      tagIDs: \"[int]?\"\n"))
        let notes = notes(imported, .decided)
        #expect(notes.contains("api.yaml:7: Line.tags, a list of objects, is json"))
        #expect(notes.contains { $0.hasPrefix("api.yaml:8: Line.tagIDs is an attribute: ") })
    }

    @Test("A key of the device is no identity that an attribute could name")
    func localKey() throws {
        let imported = try imported(
            """
                Event: { type: object, properties: { message: { type: string } } }
            \(entity("Item", "eventId: { type: string, format: uuid }"))
            """)
        #expect(imported.text.contains("eventId: uuid?"))
    }

    // MARK: Lists

    @Test("Records with a path of their own can be in the lists of several, even of their kind and of one record")
    func manyToMany() throws {
        let imported = try imported(
            lists: ["/issues": "Issue", "/labels": "Label", "/users": "User"],
            """
            \(entity("Issue", "labels: \(list("Label")), assignees: \(list("User")), reviewers: \(list("User"))"))
            \(entity("Label", "related: \(list("Label"))"))
            \(entity("User", "name: { type: string }"))
            """)
        for line in [
            "labels: { to: [Label], inverse: issues, wire: embedded }",
            "assignees: { to: [User], inverse: assigneeIssues, wire: embedded }",
            "reviewers: { to: [User], inverse: reviewerIssues, wire: embedded }",
            "related: { to: [Label], inverse: relatedLabels, wire: embedded }",
            "issues: { to: [Issue], inverse: labels, wire: none }",
            "assigneeIssues: { to: [Issue], inverse: assignees, wire: none }",
            "reviewerIssues: { to: [Issue], inverse: reviewers, wire: none }",
            "relatedLabels: { to: [Label], inverse: related, wire: none }",
        ] { #expect(imported.text.contains("      \(line)"), "\(line)\n\(imported.text)") }
        #expect(
            notes(imported, .decided).contains(
                "api.yaml:8: Issue.labels is to-many at both ends, because several can have the same Label: "
                    + "'Label.issues' is the other end"))
    }

    @Test("Records that only one list has belong to its owner, and those that something else refers to do not")
    func onlyList() throws {
        let owner = entity("Issue", "labels: \(list("Label"))")
        let label = entity("Label", "name: { type: string }")
        #expect(try imported("\(owner)\n\(label)").text.contains("labels: { to: [Label], wire: embedded }"))
        let other = entity("Board", "label: { $ref: \"#/components/schemas/Label\" }")
        let shared = try imported("\(owner)\n\(label)\n\(other)").text
        #expect(shared.contains("labels: { to: [Label], inverse: issues, wire: embedded }"))
    }

    @Test("A record that refers back to its owner is in one list, unless it has two references back")
    func backReference() throws {
        let owner = entity("Issue", "comments: \(list("Comment"))")
        let lists = ["/issues": "Issue", "/comments": "Comment"]
        let one = try imported(lists: lists, "\(owner)\n\(entity("Comment", "issueId: { type: integer }"))")
        #expect(one.text.contains("comments: { to: [Comment], inverse: issue, wire: embedded }"))
        #expect(one.text.contains("issue: { to: Issue?, inverse: comments, key: issueId }"))
        #expect(!notes(one, .decided).contains { $0.contains("the two ends") })
        let other = try imported(lists: lists, "\(owner)\n\(entity("Comment", "firstIssueId: { type: integer }"))")
        #expect(other.text.contains("comments: { to: [Comment], inverse: firstIssue, wire: embedded }"))
        #expect(
            notes(other, .decided).contains(
                "api.yaml:7: Issue.comments and Comment.firstIssue are the two ends of one relationship: each Comment "
                    + "is in one list only"))
        let comment = entity("Comment", "firstIssueId: { type: integer }, lastIssueId: { type: integer }")
        let two = try imported(lists: lists, "\(owner)\n\(comment)")
        #expect(two.text.contains("comments: { to: [Comment], inverse: issues, wire: embedded }"))
        let note = try #require(two.report.notes.first { $0.text.hasPrefix("Issue.comments is to-many at both ends") })
        #expect(note.help == "If 'firstIssue' or 'lastIssue' is the other end, write `inverse:` at both instead.")
    }

    @Test("A list of an abstract entity has no inverse, which is reported")
    func abstractOwner() throws {
        let imported = try imported(
            lists: ["/tags": "Tag", "/items": "Item"],
            """
                Tagged: { type: object, properties: { tags: \(list("Tag")) } }
                Item: { allOf: [{ $ref: "#/components/schemas/Tagged" }], properties: { id: { type: integer } } }
            \(entity("Tag", "name: { type: string }"))
            """)
        #expect(imported.text.contains("tags: { to: [Tag], wire: embedded }"))
        #expect(notes(imported, .decided).contains { $0.contains("an abstract entity cannot be the other end") })
    }

    // MARK: Identities

    @Test("An identity beside the record that it names is one relationship with it, which is reported")
    func identityAndRecord() throws {
        let imported = try imported(
            """
            \(entity("Order", "customerId: { type: integer }, customer: { $ref: \"#/components/schemas/Customer\" }"))
            \(entity("Customer", "name: { type: string }"))
            """)
        #expect(imported.text.contains("customer: { to: Customer?, key: customerId }"))
        #expect(
            notes(imported, .decided).contains(
                "api.yaml:5: Order.customerId and Order.customer are one relationship: both are read, and the identity "
                    + "is sent"))
        let lists = try self.imported(
            """
            \(entity("Post", "tagIds: { type: array, items: { type: integer } }, tags: \(list("Tag"))"))
            \(entity("Tag", "name: { type: string }"))
            """)
        #expect(lists.text.contains("tags: { to: [Tag], wire: embedded, idsKey: tagIds }"))
        #expect(
            notes(lists, .decided).contains(
                "api.yaml:5: Post.tagIds and Post.tags are one relationship: both are read, and the records are sent"))
    }

    @Test("The record beside an identity keeps its key, if that is not derived from the name of the relationship")
    func recordKey() throws {
        let imported = try imported(
            """
                Order: { required: [id], properties: { id: { type: integer }, in_charge_id: { type: integer },
                  In-Charge: { $ref: "#/components/schemas/InCharge" }, sent_at: { type: string } } }
            \(entity("InCharge", "first_name: { type: string }"))
            """)
        let line = imported.text.components(separatedBy: "\n").first { $0.contains("to: InCharge") } ?? ""
        #expect(line.contains("embeddedKey: In-Charge"), "\(line)")
    }

    @Test("A relationship that has the name of another property keeps its JSON key")
    func takenName() throws {
        let imported = try imported(
            """
            \(entity("Book", "user: { type: string }, userId: { type: integer }"))
            \(entity("User", "name: { type: string }"))
            """)
        #expect(imported.text.contains("      user: string?\n"))
        #expect(imported.text.contains("userRecord: { to: User?, key: userId }"))
    }
}
