import Foundation
import GRDB
import KitchenSink
import LockstepStore
import SampleTypes
import Shop
import Testing

@Suite("A representation provides its values without JSON")
struct WireCollectorTests {
    /// Records the values passed to it.
    private final class Log: WireCollector {
        let fields: WireFields
        var columns: [String: DatabaseValue?] = [:]
        var keys: [String: DatabaseValue?] = [:]
        var identities: [String: [DatabaseValue]] = [:]
        var embedded: [String: Int] = [:]
        var objects: [[String]: JSONValue] = [:]
        var violations: [String: LimitViolation] = [:]

        init(_ plan: EntityPlan) { fields = WireFields(plan) }

        private func unexpected(_ field: WireFields.Field) {
            Issue.record("\(field.path) is \(field.target)")
        }

        private func name(_ relationship: Int) -> String { fields.plan.relationships[relationship].name }

        func value(_ value: DatabaseValue?, at field: WireFields.Field) {
            switch field.target {
            case .column(let column): columns[fields.plan.columns[column].memberName] = value
            case .key(let relationship, let part): keys["\(name(relationship)).\(part)"] = value
            case .identities, .embedded, .unknown: unexpected(field)
            }
        }

        func identities(_ values: [DatabaseValue], at field: WireFields.Field) {
            guard case .identities(let relationship) = field.target else { return unexpected(field) }
            identities[name(relationship)] = values
        }

        func unread(key: String, isComposite: Bool) { Issue.record("\(key) is not read") }

        func otherForm(_ json: JSONValue, at path: [String]) { objects[path] = json }

        func embedded<Embedded: WireObject>(_ value: Embedded?, at field: WireFields.Field) {
            guard case .embedded(let relationship) = field.target else { return unexpected(field) }
            embedded[name(relationship)] = value == nil ? 0 : 1
            value?.collect(into: self)
        }

        func embedded<Embedded: WireObject>(list: [Embedded], at field: WireFields.Field) {
            guard case .embedded(let relationship) = field.target else { return unexpected(field) }
            embedded[name(relationship)] = list.count
        }

        func violation(_ violation: LimitViolation, at field: WireFields.Field) {
            violations[field.path.joined(separator: ".")] = violation
        }
    }

    private func decode<Value: Representation>(_ json: String, as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    @Test("M1 Values in the JSON are passed, null as null; missing ones are not")
    func presence() throws {
        let product = try decode(
            #"{"id": 1, "name": "Cup", "stock": "3", "weight": null, "brand": {"url": "https://a.b/c"}, "tag_ids": [2, 1]}"#,
            as: ProductRepresentation.self)
        let log = Log(Product.entity.plan)
        product.collect(into: log)
        #expect(Set(log.columns.keys) == ["id", "name", "stock", "weight", "brandURL"])
        #expect(log.columns["id"] == 1.databaseValue)
        #expect(log.columns["stock"] == 3.databaseValue)
        #expect(log.columns["weight"] == .some(nil))
        #expect(log.columns["brandURL"] == "https://a.b/c".databaseValue)
        #expect(log.identities == ["tags": [2.databaseValue, 1.databaseValue]])
        #expect(log.embedded.isEmpty)
    }

    @Test("M1 For a representation created in code every value counts, except lists that are nil")
    func madeInCode() {
        let log = Log(Product.entity.plan)
        ProductRepresentation(id: 1, name: "Cup", price: 2, stock: 0).collect(into: log)
        #expect(Set(log.columns.keys) == ["id", "name", "price", "stock", "weight", "brandURL", "releasedAt"])
        #expect(log.columns["price"] == "2".databaseValue)
        #expect(log.embedded == ["image": 0])
        #expect(log.identities.isEmpty)
    }

    @Test("M1 A value that is set counts, even if its key was missing")
    func setLater() throws {
        var product = try decode(#"{"id": 1, "name": "Cup"}"#, as: ProductRepresentation.self)
        product.weight = nil
        let log = Log(Product.entity.plan)
        product.collect(into: log)
        #expect(Set(log.columns.keys) == ["id", "name", "weight"])
    }

    @Test("Positions found for one representation are valid for others that lack keys")
    func fields() throws {
        let log = Log(Product.entity.plan)
        let texts = [
            #"{"id": 1, "name": "Cup", "images": []}"#, #"{"id": 2, "name": "Pot", "weight": "1.5"}"#,
            #"{"id": 3, "name": "Can", "image": null, "tag_ids": []}"#,
        ]
        for text in texts {
            log.columns = [:]
            try decode(text, as: ProductRepresentation.self).collect(into: log)
        }
        #expect(log.columns == ["id": 3.databaseValue, "name": "Can".databaseValue])
        #expect(log.embedded == ["images": 0, "image": 0])
        #expect(log.identities == ["tags": []])
    }

    @Test("M12 A value beyond its limits is reported with its path")
    func limits() {
        let log = Log(Product.entity.plan)
        ProductRepresentation(id: 1, name: "Cup", price: -1, stock: -2).collect(into: log)
        #expect(log.violations == ["price": .below(0), "stock": .below(0)])
        #expect(log.columns["price"] == nil)
    }

    @Test("Composite keys, and keys for which the server has another identity")
    func foreignKeys() {
        let person = Log(Person.entity.plan)
        PersonRepresentation(
            createdAt: Date(timeIntervalSince1970: 0), name: "Ada", country: "uk", number: 1,
            managerID: Person.Identity(country: "fr", number: 7)
        ).collect(into: person)
        #expect(person.keys == ["manager.0": "fr".databaseValue, "manager.1": 7.databaseValue])
        let screw = Log(Screw.entity.plan)
        ScrewRepresentation(id: UUID(), length: 1, partID: 7).collect(into: screw)
        #expect(screw.keys == ["part.0": 7.databaseValue])
        ScrewRepresentation(id: UUID(), length: 1).collect(into: screw)
        #expect(screw.keys == ["part.0": nil])
    }

    @Test("Every type is passed as a save stores it")
    func everyType() async throws {
        let value = EverythingRepresentation(
            createdAt: Date(timeIntervalSinceReferenceDate: 0.123_456_789), updatedAt: nil, name: "é", id: 1,
            flag: true,
            small: -3, medium: 4, large: .max, ratio: 0.1, precise: 0.1, exact: Decimal(string: "10.50") ?? 0,
            day: Date(timeIntervalSince1970: 86_400), birthday: try #require(Day("2026-11-27")), token: UUID(),
            link: try #require(URL(string: "https://a.b/?c")),
            blob: Data([1, 2]), extra: .object(["b": .null, "a": .array([.integer(1)])]), mood: .unknown("odd"),
            priority: .high, state: .live, price: Money(stored: 2), slug: Slug(stored: "s"), words: ["x", "\"y\""],
            moods: [.sad], days: [Date(timeIntervalSince1970: 1.5)],
            holidays: [try #require(Day("2026-12-25"))], optionalExact: 3, optionalBlob: Data(),
            optionalWords: [], summary: "s", ownerID: Person.Identity(country: "uk", number: 1))
        let log = Log(Everything.entity.plan)
        value.collect(into: log)
        let store = try Store(KitchenSinkSchema.self, at: .inMemory)
        try await store.perform { context in
            _ = try #require(Everything(representation: value, context: context))
            try context.save()
        }
        let stored = try await store.writeRaw("reading") { database, _ in
            let row = try #require(try Row.fetchOne(database, sql: "SELECT * FROM everything"))
            return Dictionary(uniqueKeysWithValues: row.map { ($0.0, $0.1) })
        }
        for column in Everything.entity.columns where column.wire != nil {
            let given = try #require(log.columns[column.memberName], "\(column.name) is not given")
            #expect((given ?? .null) == stored[column.name], "\(column.name)")
        }
        #expect(log.violations.isEmpty)
    }
}
