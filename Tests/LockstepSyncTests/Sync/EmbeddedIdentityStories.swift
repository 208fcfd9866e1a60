import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync
import LockstepTesting
import Orders
import Testing

/// Records inside of others, whose identities the server makes: each is there once, here and on the server.
@Suite("R10 Embedded records get their identity from the server")
struct EmbeddedIdentityStories {
    @Test("R10 The identities in an answer are those of the records that were sent, and go out with them from then on")
    func pushes() async throws {
        let stage = try EmbeddedIdentityStage()
        try await stage.order("bolt", "nut")
        try await stage.sync.push()
        #expect(try await stage.here() == ["1 bolt", "2 nut"])

        try await stage.editOrder { $0.name = "second" }
        try await stage.sync.push()
        try await stage.editLine("nut") { $0.title = "washer" }
        try await stage.editOrder { $0.lines.insert(Line(title: "screw", context: $0.context)) }
        try await stage.sync.push()
        #expect(stage.there == ["1 bolt", "2 washer", "3 screw"])
        #expect(try await stage.here() == stage.there)
        #expect(try await stage.lineCount() == 3)
        #expect(try await stage.pending() == [])
    }

    @Test("P13 A record under its key proves the write, also with other members beside it")
    func beside() async throws {
        let stage = try EmbeddedIdentityStage()
        try await stage.order("bolt")
        let order = #"{"id":7,"name":"first","lines_attributes":[{"id":3,"title":"bolt"}]}"#
        let answer = #"{"order":\#(order),"meta":{"took":2}}"#
        let fields: HTTPFields = [.contentType: "application/json"]
        stage.server.answerNext(.answer(ServerAnswer(201, headers: fields, body: Data(answer.utf8))), to: .changes)
        #expect(try await stage.sync.push().created == 1)
        let orders = try await stage.store.perform { try $0.fetch(Order.all()).map(\.remoteID) }
        #expect(orders == [7])
    }

    @Test("R10 An answer in another order, with other values, and with more is matched by what was sent")
    func otherAnswers() async throws {
        let stage = try EmbeddedIdentityStage { order, _, isNew in
            guard isNew, case .array(let lines)? = order["lines"] else { return }
            let spelt = lines.map { line -> JSONValue in
                var line = line
                if line["title"] == " bolt" { line["title"] = "bolt" }
                line["price"] = .decimal(1.5)
                return line
            }
            order["lines"] = .array([["id": 90, "title": "shipping"]] + spelt.reversed())
        }
        try await stage.order(" bolt", "nut")
        let keys = try await stage.keys()
        try await stage.sync.push()
        #expect(try await stage.here() == ["90 shipping", "2 nut", "1 bolt"])
        let now = try await stage.keys()
        #expect(now["bolt"] == keys[" bolt"])
        #expect(now["nut"] == keys["nut"])
        #expect(try await stage.pending() == [])
    }

    @Test("R10 Two records with the same content are two")
    func twins() async throws {
        let stage = try EmbeddedIdentityStage()
        try await stage.order("nut", "nut", "bolt")
        try await stage.sync.push()
        try await stage.editOrder { $0.name = "second" }
        try await stage.sync.push()
        #expect(stage.there == ["1 nut", "2 nut", "3 bolt"])
        #expect(try await stage.here() == stage.there)
        try await stage.sync.pull(Order.self)
        #expect(try await stage.here() == stage.there)
    }

    @Test("R10 What is nested in an embedded record, and an embedded to-one, get theirs too")
    func nested() async throws {
        let stage = try EmbeddedIdentityStage()
        try await stage.edit { context in
            let order = Order(name: "first", context: context)
            order.address = Address(city: "Ulm", context: context)
            for text in ["a", "b"] {
                let line = Line(title: "nut", context: context)
                line.stamps.insert(Stamp(text: text, context: context))
                order.lines.insert(line)
            }
        }
        try await stage.sync.push()
        try await stage.editOrder { $0.name = "second" }
        try await stage.sync.push()
        let counts = try await stage.store.perform { context in
            try [context.count(Line.all()), context.count(Stamp.all()), context.count(Address.all())]
        }
        #expect(counts == [2, 2, 1])
        #expect(stage.server.record("1", of: "/orders")?["address"] == ["id": 1, "city": "Ulm"])
        let stamps = stage.server.record("1", of: "/orders")?["lines"]?[1]?["stamps"]
        #expect(stamps == [["id": 2, "text": "b"]])
    }

    @Test("R10 Which of two equal records has which content nested in it decides who is who")
    func nestedContent() async throws {
        let stage = try EmbeddedIdentityStage { order, _, isNew in
            guard isNew, case .array(let lines)? = order["lines"] else { return }
            order["lines"] = .array(lines.reversed())
        }
        try await stage.edit { context in
            let order = Order(name: "first", context: context)
            for text in ["a", "b"] {
                let line = Line(title: "nut", context: context)
                line.stamps.insert(Stamp(text: text, context: context))
                order.lines.insert(line)
            }
        }
        let before = try await stage.lineKeysByStamp()
        try await stage.sync.push()
        #expect(try await stage.lineKeysByStamp() == before)
    }

    @Test("R10 P4 What is edited while the answer is on its way stays, and goes out with its identity")
    func editedMeanwhile() async throws {
        let stage = try EmbeddedIdentityStage()
        try await stage.order("bolt", "nut")
        stage.client.meanwhile { try await stage.editLine("nut") { $0.title = "washer" } }
        try await stage.sync.push()
        #expect(try await stage.here() == ["1 bolt", "2 washer"])
        try await stage.sync.push()
        #expect(stage.there == ["1 bolt", "2 washer"])
        #expect(try await stage.lineCount() == 2)
        #expect(try await stage.pending() == [])
    }

    @Test("R10 C3 What is deleted while the answer is on its way stays deleted, there too")
    func deletedMeanwhile() async throws {
        let stage = try EmbeddedIdentityStage()
        try await stage.order("bolt", "nut")
        stage.client.meanwhile { try await stage.editLine("nut") { $0.context.delete($0) } }
        try await stage.sync.push()
        #expect(try await stage.here() == ["1 bolt"])
        try await stage.sync.push()
        #expect(stage.there == ["1 bolt"])
        try await stage.sync.pull(Order.self)
        #expect(try await stage.here() == ["1 bolt"])
    }

    @Test("R10 A record that the server has left out is reported, and stays here")
    func leftOut() async throws {
        var lines = EmbeddedIdentityStage.lines
        lines.rejects = { $0["title"] == "" }
        let stage = try EmbeddedIdentityStage([lines])
        try await stage.order("bolt", "")
        try await stage.sync.push()
        #expect(try await stage.here() == ["1 bolt", "0 "])
        let parked = try #require(try await stage.store.outbox.pending().first)
        #expect(parked.lastError?.contains("left 1 embedded record out (lines)") == true)
        try await stage.editLine("") { $0.title = "nut" }
        try await stage.sync.push()
        #expect(stage.there == ["1 bolt", "2 nut"])
        #expect(try await stage.here() == stage.there)
    }
}

extension EmbeddedIdentityStage {
    /// The keys of the lines by their titles.
    func keys() async throws -> [String: UUID] {
        try await store.perform { context in
            try Dictionary(context.fetch(Line.all()).map { ($0.title, $0.localID) }, uniquingKeysWith: { $1 })
        }
    }

    func lineKeysByStamp() async throws -> [String: UUID] {
        try await store.perform { context in
            try Dictionary(
                context.fetch(Stamp.all()).compactMap { stamp in stamp.line.map { (stamp.text, $0.localID) } },
                uniquingKeysWith: { $1 })
        }
    }
}
