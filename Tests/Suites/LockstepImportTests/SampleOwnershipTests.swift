import LockstepImport
import Testing

/// Lists of records inside of others: whether a record can be in several of them.
@Suite("The other end of an embedded list is one record only if the samples show it")
struct SampleOwnershipTests {
    /// Posts with as many labels each.
    private func posts(_ count: Int, labels: Int) -> String {
        let posts = (0..<count).map { post in
            let list = (0..<labels).map { #"{"id":\#(1000 + post * labels + $0),"name":"a"}"# }
            return #"{"id":\#(post),"labels":[\#(list.joined(separator: ","))]}"#
        }
        return "[\(posts.joined(separator: ","))]"
    }

    private func imported(_ text: String) throws -> ImportedSchema {
        try importing(samples: [("posts.json", text)])
    }

    private func listNote(_ imported: ImportedSchema) -> ImportNote? {
        imported.report.notes.first { $0.kind == .decided && $0.text.hasPrefix("Post.labels") }
    }

    @Test("With few records, a label can be in several lists, and the report says so")
    func few() throws {
        let imported = try self.imported(posts(3, labels: 2))
        #expect(imported.lines.contains("labels: { to: [Label], inverse: posts, wire: embedded }"))
        #expect(imported.lines.contains { $0.hasPrefix("posts: { to: [Post], inverse: labels, wire: none }") })
        let note = try #require(listNote(imported))
        #expect(
            note.text == "Post.labels: the samples do not show whether one Label can be in several of these lists; "
                + "its other end, Label.posts, is to-many")
        #expect(note.help == "If each is in one list only, write `to: Post?` there.")
    }

    @Test("A label that is in two lists shows it")
    func shared() throws {
        let imported = try self.imported(
            #"[{"id":1,"labels":[{"id":10,"name":"a"}]},{"id":2,"labels":[{"id":10,"name":"a"}]}]"#)
        #expect(imported.lines.contains { $0.hasPrefix("posts: { to: [Post],") })
        #expect(listNote(imported)?.text.contains("one Label is in several of these lists; ") == true)
    }

    @Test("If none of many labels is in two lists, the other end is one record")
    func separate() throws {
        let imported = try self.imported(posts(10, labels: 2))
        #expect(imported.lines.contains("labels: { to: [Label], inverse: post, wire: embedded }"))
        #expect(imported.lines.contains { $0.hasPrefix("post: { to: Post?, inverse: labels, wire: none }") })
        let note = try #require(listNote(imported))
        #expect(
            note.text == "Post.labels: each Label of 20 is in one of these lists only; "
                + "its other end, Label.post, is to-one")
        #expect(note.help == "If one Label can be in several, write `to: [Post]` there.")
    }

    @Test("Many labels of two posts show nothing, because two lists may be different by accident")
    func fewLists() throws {
        #expect(listNote(try imported(posts(2, labels: 20)))?.text.contains("do not show") == true)
    }

    @Test("Records that are also read at other places may be in several lists")
    func elsewhere() throws {
        let labels = #"[{"id":1000,"name":"a"},{"id":1001,"name":"a"}]"#
        let imported = try importing(samples: [("posts.json", posts(10, labels: 2)), ("labels.json", labels)])
        #expect(imported.lines.contains { $0.hasPrefix("posts: { to: [Post],") })
        #expect(listNote(imported)?.text.contains("each Label is also read at other places") == true)
    }

    @Test("Users of issues are assignees, authors and creators, so each can be assigned to several issues")
    func issues() throws {
        let user = #"{"id":1,"login":"a","url":"https://a.example","admin":false}"#
        let issues = (1...25).map { issue in
            let assignee = user.replacing("\"id\":1", with: "\"id\":\(100 + issue)")
            return "{\"id\":\(issue),\"user\":\(user),\"assignees\":[\(assignee)]}"
        }
        let imported = try importing(samples: [("issues.json", "[\(issues.joined(separator: ","))]")])
        #expect(imported.lines.contains("assignees: { to: [User], inverse: issues, wire: embedded }"))
        #expect(imported.lines.contains { $0.hasPrefix("issues: { to: [Issue], inverse: assignees, wire: none }") })
    }

    // MARK: References to the owner

    @Test("A record that names its owner is in that list only")
    func reference() throws {
        let imported = try self.imported(
            #"[{"id":1,"notes":[{"id":7,"post_id":1}]},{"id":2,"notes":[{"id":8,"post_id":2}]}]"#)
        #expect(imported.lines.contains("post: { to: Post?, inverse: notes }"))
        #expect(
            imported.notes(.decided).contains("Post.notes and Note.post are the two ends of one relationship"))
    }

    @Test("A reference that leads to another record than the owner is not the other end")
    func otherReference() throws {
        let imported = try self.imported(
            #"[{"id":1,"notes":[{"id":7,"post_id":2}]},{"id":2,"notes":[{"id":8,"post_id":1}]}]"#)
        #expect(imported.lines.contains("post: Post?"))
        #expect(imported.lines.contains("notes: { to: [Note], inverse: posts, wire: embedded }"))
    }

    @Test("Of two references, the one whose values are the owner's identities is the other end")
    func severalReferences() throws {
        let imported = try importing(samples: [
            (
                "users.json",
                """
                [{"id":1,"plans":[{"id":7,"author":1,"user_id":2}]},{"id":2,"plans":[{"id":8,"author":2,"user_id":1}]}]
                """
            ), ("authors.json", #"[{"id":5}]"#),
        ])
        #expect(imported.lines.contains("plans: { to: [Plan], inverse: users, wire: embedded }"))
        #expect(imported.lines.contains("user: User?"))
    }

    @Test("Lists of identities are compared with the references of their records, too")
    func identities() throws {
        let tasks = #"[{"id":7,"user_id":2},{"id":8,"user_id":1}]"#
        let users = #"[{"id":1,"task_ids":[7]},{"id":2,"task_ids":[8]}]"#
        let other = try importing(samples: [("users.json", users), ("tasks.json", tasks)])
        #expect(other.lines.contains("tasks: { to: [Task], inverse: users, wire: ids }"))
        let same = try importing(samples: [
            ("users.json", users.replacing("[7]", with: "[8]").replacing("[8]}]", with: "[7]}]")),
            ("tasks.json", tasks),
        ])
        #expect(same.lines.contains("tasks: { to: [Task], inverse: user, wire: ids }"))
    }
}
