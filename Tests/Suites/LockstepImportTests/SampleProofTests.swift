import Foundation
import LockstepImport
import LockstepJSON
import LockstepStore
import Testing

@testable import ImportedModels

/// What an import says of samples, compared with what the compiled code of its schema does with them.
@Suite("Samples are read and written as the runtime does")
struct SampleProofTests {
    @Test("The report shows each value that the representations do not give back", arguments: SampleFixture.all)
    func agreement(_ fixture: SampleFixture) throws {
        var differences: Set<String> = []
        for file in fixture.files {
            let value = try JSONValue(json: Data(contentsOf: URL(fileURLWithPath: SampleFixture.path(file))))
            for (path, record) in Self.records(value, file) {
                let copy = try Self.copy(record.json, record.type)
                Self.compare(record.json, copy, path, into: &differences)
            }
        }
        // What the report says in another way: the same time in another form, and what is not taken over.
        let reported = differences.filter { path in
            ![
                "published_at", "starter", "_links", "links", "crates.object", "crates.url", "crates.has_more",
            ].contains { path.hasSuffix(".\($0)") }
        }
        let notes = try fixture.imported().notes(.unequal)
        #expect(Set(notes.compactMap { $0.components(separatedBy: ": ").first }) == reported)
    }

    private typealias Record = (json: JSONValue, type: any Codable.Type)

    /// The records of a file, with their paths as the report has them.
    private static func records(_ value: JSONValue, _ file: String) -> [(String, Record)] {
        func list(_ value: JSONValue?, _ path: String, _ type: any Codable.Type) -> [(String, Record)] {
            switch value {
            case .array(let elements)?: elements.enumerated().map { ("\(path)[\($0)]", ($1, type)) }
            case .object(let members)?: members.map { ("\(path).\($0)", ($1, type)) }
            default: []
            }
        }
        switch file {
        case "sightings": return list(value, "", SightingRepresentation.self)
        case "observers": return list(value, "", ObserverRepresentation.self)
        case "shipments": return list(value["data"], "data", ShipmentRepresentation.self)
        case "taverns":
            return list(value["utterances"], "utterances", UtteranceRepresentation.self)
                + list(value["taverns"], "taverns", TavernRepresentation.self)
        case "gadgets": return list(value, "", GadgetRepresentation.self)
        case "harvests": return list(value["data"], "data", HarvestRepresentation.self)
        case "potteries":
            return list(value["potters"], "potters", PotterRepresentation.self).map(Self.withKey)
                + list(value["vases"], "vases", VaseRepresentation.self).map(Self.withKey)
        case "threads":
            return list(value["threads"], "threads", ThreadRepresentation.self)
                + list(value["campers"], "campers", CamperRepresentation.self)
        default:
            let types: [String: any Codable.Type] = [
                "essays": EssayRepresentation.self, "essayists": EssayistRepresentation.self,
                "annotations": AnnotationRepresentation.self,
            ]
            let all = ["data", "included"].flatMap { list(value[$0], $0, EssayRepresentation.self) }
            return all.compactMap { path, record in
                guard case .string(let name)? = record.json["type"], let type = types[name] else { return nil }
                return (path, (record.json, type))
            }
        }
    }

    /// A record of a map with its key, as a merge of `.map` reads it.
    private static func withKey(_ path: String, _ record: Record) -> (String, Record) {
        guard case .object(var members) = record.json else { return (path, record) }
        members["id"] = path.split(separator: ".").last.map { .string(String($0)) }
        return (path, (.object(members), record.type))
    }

    private static func copy(_ json: JSONValue, _ type: any Codable.Type) throws -> JSONValue {
        func copy<Value: Codable>(_ type: Value.Type) throws -> JSONValue {
            let value = try JSONDecoder().decode(type, from: json.json())
            return try JSONValue(json: JSONEncoder().encode(value))
        }
        return try copy(type)
    }

    /// Adds the paths of values that differ.
    private static func compare(_ left: JSONValue?, _ right: JSONValue?, _ path: String, into paths: inout Set<String>)
    {
        switch (left, right) {
        case (.object(let left)?, .object(let right)?):
            for key in Set(left.keys).union(right.keys) {
                compare(left[key], right[key], path.isEmpty ? key : "\(path).\(key)", into: &paths)
            }
        case (.array(let left)?, .array(let right)?) where left.count == right.count:
            for index in left.indices { compare(left[index], right[index], "\(path)[\(index)]", into: &paths) }
        default: if left != right { paths.insert(path) }
        }
    }

    @Test("Values that do not come back are shown with both texts, a few of each member")
    func shown() throws {
        let objects = (0..<10).map { "{\"id\": \($0), \"at\": \"2024-05-0\($0 % 9 + 1)T10:00:00+02:00\"}" }
        let imported = try importing(sample: "[\n\(objects.joined(separator: ",\n"))]")
        #expect(
            imported.notes(.unequal) == [
                #"[0].at: "2024-05-01T10:00:00+02:00" comes back as "2024-05-01T08:00:00Z""#,
                #"[1].at: "2024-05-02T10:00:00+02:00" comes back as "2024-05-02T08:00:00Z""#,
                #"[2].at: "2024-05-03T10:00:00+02:00" comes back as "2024-05-03T08:00:00Z""#, "and 7 more of Thing.at",
            ])
        #expect(imported.report.notes.first { $0.kind == .unequal }?.location == "things.json:2")
        #expect(imported.report.isPartial)
        #expect(imported.report.text("").contains("\nDoes not round-trip:\n  things.json:2: [0].at: "))
    }

    @Test("A large file is read in linear time: each value is looked at a fixed number of times")
    func large() throws {
        let objects = (0..<20_000).map {
            "{\"id\": \($0), \"name\": \"n\($0)\", \"at\": \"2024-05-01T10:00:00Z\", \"parent_id\": \($0 / 2)}"
        }
        let imported = try importing(sample: "[\(objects.joined(separator: ",\n"))]")
        #expect(imported.report.isPartial == false)
        #expect(imported.lines.contains("at: date"))
    }
}
