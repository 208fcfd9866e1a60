import Foundation
import GRDB
import KitchenSink
import LockstepEvolution
@testable import LockstepRemotes
import LockstepStore
@testable import LockstepSync
import RuntimeTestSupport
import Testing

/// Identities of several values in addresses.
@Suite("Identities in addresses")
struct IdentityTextTests {
    private static let plans = SchemaPlan(
        SchemaStructure(
            name: "Identities",
            entities: [
                EntityStructure(
                    name: "Pair", table: "pair", identity: .attributes(["one", "other"]),
                    attributes: [.attribute("one", as: .string), .attribute("other", as: .string)],
                    remote: RemoteStructure(path: "/pairs")),
                EntityStructure(
                    name: "Numbered", table: "numbered", identity: .attributes(["number", "id", "name"]),
                    attributes: [
                        .attribute("number", as: .int), .attribute("id", as: .uuid), .attribute("name", as: .string),
                    ], remote: RemoteStructure(path: "/numbered")),
            ]))

    private let pairs = RemoteEntity(IdentityTextTests.plans[0])

    private func texts(_ one: String, _ other: String) -> RemoteIdentity {
        RemoteIdentity([.string(one), .string(other)])
    }

    @Test("P10 No two records of a composite identity share an address")
    func distinct() throws {
        let parts = ["", "_", "__", "~", "~_", "_~", "~~", "x", "x_", "_x", "x_y", "y", "y_z", "z", "~_x", "x~"]
        var seen: [String: RemoteIdentity] = [:]
        for one in parts {
            for other in parts {
                let identity = texts(one, other)
                let text = pairs.text(of: identity)
                #expect(seen.updateValue(identity, forKey: text) == nil, "\(text)")
                #expect(pairs.identity(of: text) == identity, "\(text)")
            }
        }
        #expect(pairs.text(of: texts("x_y", "z")) == "x~_y_z")
        #expect(pairs.text(of: texts("x", "y_z")) == "x_y~_z")
    }

    @Test("P10 An identity that is unambiguous keeps its address")
    func unchanged() throws {
        #expect(pairs.text(of: texts("DE", "a~b")) == "DE_a~b")
        let one = RemoteIdentity([7, .string("6f1c2a3b-1d4e-4f22-8a33-000000000001"), "a_b"])
        #expect(
            RemoteEntity(Self.plans[1]).text(of: one) == "7_6f1c2a3b-1d4e-4f22-8a33-000000000001_a_b")
        #expect(RemoteEntity(Person.entity.plan).text(of: RemoteIdentity(["D_E", 7])) == "D_E_7")
    }

    @Test("P10 REST, JSON:API and Firebase use it")
    func addresses() async throws {
        for identity in [texts("x_y", "z"), texts("x", "y_z")] {
            #expect(try RESTRemote.segment(of: identity, in: pairs) == pairs.text(of: identity))
            #expect(try FirebaseKey.text(of: identity, in: pairs) == pairs.text(of: identity))
        }
    }

    @Test("C4 Two records of a composite identity have two versions")
    func versions() throws {
        let plan = Self.plans[0]
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        try store.writer.write { database in
            let keys = [["a, b", "c"], ["a", "b, c"]].map { RecordKey($0.map(\.databaseValue)) }
            for (index, key) in keys.enumerated() {
                try VersionTable.keep("v\(index)", of: key, in: plan, database: database)
            }
            #expect(try keys.map { try VersionTable.version(of: $0, in: plan, database: database) } == ["v0", "v1"])
        }
    }
}
