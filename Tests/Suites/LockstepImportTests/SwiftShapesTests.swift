import Foundation
import LockstepImport
import Testing

@Suite("Shapes that models in Swift have")
struct SwiftShapesTests {
    /// The lines of the schema of a model with these properties, and another that refers to it.
    private func imported(_ properties: String, other: String = "") throws -> ImportedSchema {
        try importingSwift(
            """
            @Model final class Trip {
                @Attribute(.unique) var id: UUID
            \(properties)
            }
            @Model final class Stop {
                @Attribute(.unique) var id: UUID
            \(other)
            }
            """)
    }

    @Test(
        "A to-many relationship can be optional and have a default, as CloudKit requires",
        arguments: ["[Stop]", "[Stop]?", "[Stop]? = []", "Array<Stop> = []", "Optional<[Stop]>", "Set<Stop>"])
    func toMany(type: String) throws {
        let imported = try imported("var stops: \(type)", other: "var trip: Trip?")
        #expect(imported.lines.contains("stops: { to: [Stop], inverse: trip }"))
        #expect(imported.lines.contains("trip: { to: Trip?, inverse: stops }"))
        #expect(imported.notes(.left).isEmpty)
    }

    @Test(
        "The raw value of an enum has the type of the enum",
        arguments: [
            "var level: Level.RawValue = Level.low.rawValue", "var level = Level.low.rawValue",
            "typealias Raw = Level.RawValue\nvar level: Raw = 1",
        ])
    func rawValue(_ property: String) throws {
        let imported = try imported("enum Level: Int, Codable { case low = 1, high = 2 }\n\(property)")
        #expect(imported.lines.contains("level: { type: Level, default: low }"), "\(imported.text)")
        #expect(imported.notes(.decided).contains("Trip.level has the type Level, whose raw values it has"))
        #expect(imported.notes(.left).isEmpty)
    }

    @Test("An inverse that one end names is that of both, and two relationships of two classes have none")
    func inverses() throws {
        let named = try imported(
            "@Relationship(inverse: \\Stop.trip) var stops: [Stop]\nvar last: Stop?", other: "var trip: Trip?")
        #expect(named.lines.contains("stops: { to: [Stop], inverse: trip }"))
        #expect(named.lines.contains("trip: { to: Trip?, inverse: stops }"))
        #expect(named.lines.contains("last: Stop?"))
        let open = try imported("var first: Stop?\nvar last: Stop?", other: "var trip: Trip?")
        #expect(open.lines.contains("first: Stop?") && open.lines.contains("trip: Trip?"))
    }

    @Test(
        "Delete rules are those of the language",
        arguments: ["cascade": "cascade", "deny": "deny", "noAction": "none", "nullify": ""])
    func deleteRules(rule: String, option: String) throws {
        for written in [".\(rule)", "Schema.Relationship.DeleteRule.\(rule)"] {
            let imported = try imported("@Relationship(deleteRule: \(written)) var stop: Stop?")
            let line = option.isEmpty ? "stop: Stop?" : "stop: { to: Stop?, onDelete: \(option) }"
            #expect(imported.lines.contains(line))
        }
    }

    @Test(
        "A default is a constant, also one of the initializer; any other is reported",
        arguments: [
            ("var note = \"a\"", "note: { type: string, default: a }"),
            ("var note: Int = -1_000", "note: { type: int64, default: -1000 }"),
            ("var note: Int = 0x1F", "note: { type: int64, default: 31 }"),
            ("enum Level: Int { case low = 0x01 }\nvar note: Level", "note: Level"),
            ("typealias Money = Decimal\nvar note: Money", "note: decimal"),
            ("typealias Money = Decimal\nvar note: [Money]", "note: [decimal]"),
            ("var note = 0.5", "note: { type: double, default: 0.5 }"),
            ("var note: Double = .zero", "note: { type: double, default: 0 }"),
            ("var note: Decimal = Decimal(string: \"1.10\")!", "note: { type: decimal, default: 1.1 }"),
            ("var note: Date = .now", "note: { type: date, default: now }"),
            ("var note = Foundation.Date()", "note: { type: date, default: now }"),
            ("var note = UUID()", "note: { type: uuid, default: new }"),
            ("var note: [Int] = [1, 2]", "note: { type: [int64], default: [1, 2] }"),
            ("var note = [String]()", "note: { type: [string], default: [] }"),
            ("var note: String\ninit(note: String = \"b\") {}", "note: { type: string, default: b }"),
            ("var note: Int { didSet { } }", "note: int64"),
            ("var note, other: String", "note: string"),
            ("var note = 1, other: String", "note: { type: int64, default: 1 }"),
            ("var note = Set<Int>()", "note: { type: [int64], default: [] }"),
            ("var note: [String: Int] = [:]", "note: { type: json, default: {} }"),
            ("var note: Int? = nil", "note: int64?"),
            ("var note = UUID().uuidString", "note: string"),
            ("var note: Date = Date().startOfDay()", "note: date"),
            ("var note: Date = Date.distantPast", "note: date"),
            ("var note: String = String(localized: \"a\")", "note: string"),
        ])
    func defaults(property: String, line: String) throws {
        let imported = try imported(property)
        #expect(imported.lines.contains(line), "\(imported.text)")
        let isReported = imported.notes(.left).contains { $0.hasPrefix("Trip.note: the default ") }
        let open = ["distantPast", "localized", "uuidString", "startOfDay"]
        #expect(isReported == open.contains(where: property.contains))
    }

    @Test("What is not understood is reported at its line, with its file")
    func leftovers() throws {
        let files = [
            "Models/Trip.swift": """
            @Model class Trip {
                var id: Int
                @Fancy var note: String
                var other = Helper.make().value
                #Fancy<Trip>([\\.note])
            }
            """,
            "Zones/Zone.swift": "\n@Model class Zone { @Attribute(.unique, .allowsCloudEncryption) var code: String }",
        ]
        let report = try importingSwift(files.mapValues { Data($0.utf8) }).report.text("")
        #expect(report.contains("App/Models/Trip.swift:3: Trip.note: the attribute @Fancy\n"))
        #expect(report.contains("App/Models/Trip.swift:4: Trip.other, whose type is not written\n"))
        #expect(report.contains("App/Models/Trip.swift:5: Trip: #Fancy\n"))
        #expect(report.contains("App/Zones/Zone.swift:2: Zone.code: the option .allowsCloudEncryption\n"))
    }

    @Test("An enum is one of the type, of a type around it or of none, and never one of another type")
    func enumNames() throws {
        let nested = "enum Mood: String, Codable { case good }"
        let other = try imported("var mood: Mood", other: nested)
        #expect(other.lines.contains("mood: json"))
        #expect(!other.text.contains("[good]"))
        for type in ["Stop.Mood", "App.Stop.Mood", "[Stop.Mood]", "Feeling"] {
            let imported = try imported("typealias Feeling = Stop.Mood\nvar mood: \(type)", other: nested)
            #expect(imported.lines.contains(type.hasPrefix("[") ? "mood: [Mood]" : "mood: Mood"))
        }
    }

    @Test("A type that a name means is the nearest one around it, also as the parent of a class")
    func parentNames() throws {
        let imported = try importingSwift(
            """
            class Base {}
            enum Store { class Base: Object {} }
            class Hound: Store.Base { @Persisted(primaryKey: true) var id: Int }
            class Toy: Base { @Persisted var name: String }
            """)
        #expect(imported.lines.contains("Hound:"))
        #expect(!imported.lines.contains("Toy:"))
    }

    @Test(
        "A type without a counterpart has its name in the report, with the words of Swift",
        arguments: [
            ("var note: Place", "Trip.note, of the type Place, is json", "note: json"),
            ("var note: [String: Double]", "Trip.note, of the type [String: Double], is json", "note: json"),
            (
                "enum Mood: String { case good }\n@Attribute(.codable) var note: Mood",
                "Trip.note, of the type Mood, is json", "note: json"
            ),
            (
                "@Attribute(.transformable(by: Tint.self)) var note: Color",
                "Trip.note, of the type Color with Tint, is data", "note: data"
            ),
        ])
    func types(property: String, note: String, line: String) throws {
        let imported = try imported(property)
        #expect(imported.notes(.decided).contains(note))
        #expect(imported.lines.contains(line))
    }

    @Test(
        "What has no counterpart is reported in the words of Swift",
        arguments: [
            ("@Relationship(maximumModelCount: 4) var stops: [Stop]", "Trip.stops: maximumModelCount 4"),
            ("@Relationship(deleteRule: .other) var stop: Stop?", "Trip.stop: the delete rule 'other'"),
            ("@NotExport var stop: Stop?", "Trip.stop: the attribute @NotExport"),
            ("var note: Int = 1.5", "Trip.note: the default 1.5"),
            (
                "@Attribute(.externalStorage) var note: Data",
                "Trip.note: that large values are stored in files"
            ),
        ])
    func losses(property: String, note: String) throws {
        #expect(try imported(property).notes(.left).contains(note))
    }

    @Test("Modifiers and wrappers that have no counterpart are reported as what they are")
    func wrappers() throws {
        let imported = try imported("lazy var cache: Int = 0\n@Published var note: String")
        #expect(
            imported.notes(.left) == [
                "Trip.cache: the modifier 'lazy'", "Trip.note: the attribute @Published",
            ])
    }

    @Test("Each branch of #if that is not read is reported at its line, in models and around types")
    func branches() throws {
        let report = try importingSwift(
            """
            #if canImport(UIKit)
            import UIKit
            #else
            import AppKit
            #endif
            @Model class Trip {
                var id: Int
                #if os(iOS)
                var note: String
                #elseif os(macOS)
                var other: String
                #else
                var third: String
                #endif
            }
            class View {
                #if DEBUG
                var a: Int
                #else
                var b: Int
                #endif
            }
            #if DEBUG
            #else
            enum Mood { case good }
            #endif
            """
        ).report
        let notes = report.notes.filter { $0.text == "A branch of #if that was not read" }
        #expect(notes.compactMap(\.location) == ["App/App.swift:10", "App/App.swift:12", "App/App.swift:24"])
        #expect(notes.first?.help == "The branch `#if os(iOS)` was read.")
    }

    @Test("A model that extends another one extends its entity")
    func inheritance() throws {
        let imported = try importingSwift(
            """
            @Model class Trip { @Attribute(.unique) var id: Int }
            @available(iOS 26, *) @Model class BusinessTrip: Trip { var purpose: String = "" }
            """)
        #expect(imported.lines.contains("BusinessTrip:") && imported.lines.contains("extends: TripBase"))
    }

    /// Parts of structures, which are JSON, and of a model that is left out; constants; what another line says, too.
    private static let silent = [
        "var latitude", "var longitude", "var text: String", "static let preview", "@Syncable", "public init",
    ]

    @Test("Each line of a fixture that declares something has an effect", arguments: SwiftFixture.all)
    func nothingIsLost(_ fixture: SwiftFixture) throws {
        let files = try fixture.contents
        let original = try importingSwift(files, hasVersions: true)
        var count = 0
        for (name, contents) in files {
            let lines = String(decoding: contents, as: UTF8.self).components(separatedBy: "\n")
            for (index, line) in lines.enumerated() {
                let text = line.trimmingCharacters(in: .whitespaces)
                let starts = ["@", "#U", "#I", "public ", "static let ", "var ", "case ", "func ", "override "]
                let isDeclaration = starts.contains(where: text.hasPrefix)
                guard isDeclaration, !Self.silent.contains(where: text.hasPrefix) else { continue }
                count += 1
                var others = (files, lines)
                others.1[index] = ""
                others.0[name] = Data(others.1.joined(separator: "\n").utf8)
                let result = Result { try importingSwift(others.0, hasVersions: true) }
                guard case .success(let other) = result else { continue }
                let isSame =
                    other.text == original.text && other.report == original.report
                    && other.history == original.history
                #expect(!isSame, "\(name):\(index + 1): \(line)")
            }
        }
        #expect(count > 10)
    }

    @Test("A type with a path is what the path leads to: a library's type, a model of the program, or none")
    func modulePaths() throws {
        let imported = try importingSwift(
            """
            @Model class Data { var id: Int; var image: Foundation.Data?; var name: Swift.String }
            @Model class Pet { var id: Int; var owner: App.Owner?; var files: [App.Data] }
            @Model class Owner { var id: Int }
            enum Other { @Model class Vet { var id: Int } }
            @Model class Visit { var id: Int; var vet: App.Vet?; var keeper: App.Clinic.Owner? }
            """)
        #expect(imported.lines.contains { $0.hasPrefix("image: data?") })
        #expect(imported.lines.contains("name: string"))
        #expect(imported.lines.contains { $0 == "owner: Owner?" })
        #expect(imported.lines.contains { $0.hasPrefix("files: { to: [Data]") })
        #expect(!imported.text.contains("vet: {"))
        // Only the first name can be that of a module.
        #expect(!imported.text.contains("keeper: Owner?") && !imported.text.contains("keeper: {"))
    }

    @Test("The options of @Attribute are read and reported of a relationship, too")
    func attributesOfRelationships() throws {
        let imported = try importingSwift(
            """
            @Model class Pet {
                var id: Int
                @Attribute(.unique, originalName: "keeper") var owner: Owner?
            }
            @Model class Owner { var id: Int }
            """)
        #expect(imported.notes(.left).contains("Pet.owner: the option .unique"))
        #expect(imported.notes(.left).contains("Pet.owner: the renaming identifier 'keeper'"))
    }

    @Test("An argument of an attribute that is not read is reported at its line")
    func otherArguments() throws {
        let imported = try importingSwift(
            """
            @Model class Pet {
                @Attribute(.unique, hashModifier: "a") var id: Int
                @Relationship(deleteRule: .nullify, hashModifier: "b")
                @Attribute(hashModifier: "c")
                var owner: Owner?
            }
            @Model class Owner { var id: Int }
            """)
        #expect(
            imported.report.notes.filter { $0.text.contains("hashModifier") }.map { "\($0.location ?? ""): \($0.text)" }
                == [
                    "App/App.swift:2: Pet.id: hashModifier \"a\"", "App/App.swift:3: Pet.owner: hashModifier \"b\"",
                    "App/App.swift:4: Pet.owner: hashModifier \"c\"",
                ])
    }
}
