import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import ServerSamples
import Testing

@Suite("R10.3 Long lists of embedded records")
struct LargeListTests {
    /// Long enough that only neighbors are compared.
    private static let count = 600

    @Test("R10.3 Records changed by the server are matched in order")
    func changed() async throws {
        let stage = try EmbeddedIdentityStage { json, _, _ in
            guard case .array(let lines)? = json["lines"] else { return }
            json["lines"] = .array(
                lines.map { line in
                    var line = line
                    if case .string(let title)? = line["title"] { line["title"] = .string(title.uppercased()) }
                    return line
                })
        }
        try await stage.edit { context in
            let order = Order(name: "first", context: context)
            for number in 0..<Self.count {
                order.lines.insert(Line(title: "line \(number)", count: number, context: context))
            }
        }
        let before = try await keys(stage)
        try await stage.sync.push()

        #expect(try await keys(stage) == before)
        let lines = try await stage.store.perform { context in
            try context.fetch(Line.all()).map { line in
                line.title == "LINE \(line.count ?? 0)" && line.remoteID == (line.count ?? 0) + 1
            }
        }
        #expect(lines.count == Self.count && lines.allSatisfy(\.self))
        #expect(try await stage.store.outbox.pending().isEmpty)
    }

    @Test("R10.3 Records that the server has changed and moved by more than 32 places are matched by their positions")
    func moved() async throws {
        let stage = try EmbeddedIdentityStage { json, _, _ in
            guard case .array(var lines)? = json["lines"], lines.count == Self.count else { return }
            for index in [0, 300] { lines[index]["title"] = "theirs" }
            lines.swapAt(0, 300)
            json["lines"] = .array(lines)
        }
        try await stage.edit { context in
            let order = Order(name: "first", context: context)
            for number in 0..<Self.count {
                order.lines.insert(Line(title: "line \(number)", count: number, context: context))
            }
        }
        let before = try await keys(stage)
        try await stage.sync.push()
        // Nobody compares these two, although each is most similar to the other one's position.
        let expected = before.mapValues { count in
            switch count {
            case 0: 300
            case 300: 0
            default: count
            }
        }
        #expect(try await keys(stage) == expected)
    }

    @Test("R10.3 A new record is not compared with one whose identity is known, although they look the same")
    func known() async throws {
        let stage = try EmbeddedIdentityStage()
        try await stage.order("bolt")
        try await stage.sync.push()
        let first = try await keys(stage)
        try await stage.editOrder { $0.lines.insert(Line(title: "bolt", count: 1, context: $0.context)) }
        try await stage.sync.push()
        #expect(stage.there == ["1 bolt", "2 bolt"])
        #expect(try await stage.here() == stage.there)
        let numbers = try await stage.store.perform { context in
            try context.fetch(Line.all()).filter { first[$0.localID] != nil }.map(\.remoteID)
        }
        #expect(numbers == [1])
    }

    @Test("R10.9 Many locally deleted records do not come back")
    func deleted() async throws {
        let stage = try EmbeddedIdentityStage()
        try await stage.edit { context in
            let order = Order(name: "first", context: context)
            for number in 0..<Self.count {
                order.lines.insert(Line(title: "line \(number)", count: number, context: context))
            }
        }
        try await stage.sync.push()
        try await stage.edit { context in
            for line in try context.fetch(Line.all()) where (line.count ?? 0) > 0 { context.delete(line) }
        }
        try await stage.sync.forgetValidators()
        try await stage.sync.pull(Order.self)
        #expect(try await keys(stage).count == 1)
        try await stage.sync.push()
        try await stage.sync.pull(Order.self)
        #expect(try await keys(stage).count == 1)
        #expect(try await stage.store.outbox.pending().isEmpty)
    }

    /// The lines' numbers by their local keys.
    private func keys(_ stage: EmbeddedIdentityStage) async throws -> [UUID: Int] {
        try await stage.store.perform { context in
            Dictionary(
                try context.fetch(Line.all()).map { ($0.localID, $0.count ?? 0) }, uniquingKeysWith: { one, _ in one })
        }
    }
}
