import Foundation
import LockstepCoreData
import LockstepStore
import TestSupport
import Testing

@testable import ImportedModels

/// SwiftData's default store is a Core Data file. These files have the layout that Core Data is known to have; none was
/// written by SwiftData.
@Suite("Rows of a SwiftData store")
struct SwiftDataRowsTests {
    /// Classes are entities, in the order of their names. A to-many relationship without an inverse has a column in the
    /// table of its destination, and a list is a property list.
    private static func file() throws -> String {
        """
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Harbor', 0, 1), (2, 'Sailor', 0, 2), (3, 'Voyage', 0, 1);
        CREATE TABLE ZHARBOR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZVOYAGE INTEGER,
            ZCHECKEDIN TIMESTAMP, ZDEPTH FLOAT, ZCODE VARCHAR, ZNOTES VARCHAR);
        INSERT INTO ZHARBOR VALUES (1, 1, 1, 1, NULL, 11.5, 'NOBGO', NULL);
        CREATE TABLE ZSAILOR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZMENTOR INTEGER, Z3CREW INTEGER,
            ZNAME VARCHAR, ZRANK VARCHAR);
        INSERT INTO ZSAILOR VALUES (1, 2, 1, NULL, NULL, 'Ann', 'officer'), (2, 2, 1, 1, 1, 'Bo', 'mate');
        CREATE TABLE ZVOYAGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZRATING INTEGER,
            ZISFAVORITE INTEGER, ZWEATHER INTEGER, ZVIEWCOUNT INTEGER, ZCAPTAIN INTEGER, Z2VOYAGES INTEGER,
            ZDEPARTURE TIMESTAMP, ZARRIVAL TIMESTAMP, ZBUDGET DECIMAL, ZMOODRAW VARCHAR, ZTITLE VARCHAR,
            ZSUMMARY VARCHAR, ZWEBSITE VARCHAR, ZID BLOB, ZTAGS BLOB, ZCOLORS BLOB, ZMEANS BLOB, ZWAYPOINTS BLOB,
            ZEXTRAS BLOB, ZCOVER BLOB, ZTINT BLOB, ZLATITUDE FLOAT, ZLONGITUDE FLOAT);
        INSERT INTO ZVOYAGE VALUES (1, 3, 1, 4, 1, 9, 7, 1, 2, 86400, NULL, 12.5, 'sea-sick', 'North', 'Cold',
            'https://example.com', X'10000000000040008000000000000001', \(try list(["sea", "sun"])), \(try list([])),
            \(try list(["train"])), \(try list([["latitude": 60, "longitude": 5]])), NULL, X'01616263', NULL, 1, 2);
        """
    }

    private static func list(_ value: [Any]) throws -> String {
        let data = try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
        return "X'\(data.map { String(format: "%02X", $0) }.joined())'"
    }

    @Test(
        "The rows become records, with lists, enums, relationships and structures; structures without columns are reported"
    )
    func copy() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("default.store")
            try SQLiteFile.execute(Self.file(), url)
            let store = try Store(VoyagesSchema.self, at: .file(folder.appendingPathComponent("new.sqlite")))
            let copy = try await CoreDataRows(at: url, map: .voyages, as: .received).copy(into: store)
            #expect(copy.copied == 4)
            #expect(copy.problems.isEmpty)
            #expect(
                copy.findings.sorted() == [
                    "Harbor.place is not copied, because the file has no columns for the parts of this composite attribute.",
                    "Sailor.duty is not copied, because the map does not name the parts of this composite attribute.",
                    "Voyage.plan is not copied, because the map does not name the parts of this composite attribute.",
                ])
            try await store.perform { context in
                let voyage = try #require(try context.only(Voyage.all()))
                #expect(voyage.title == "North" && voyage.departure == Date(timeIntervalSinceReferenceDate: 86400))
                #expect(voyage.moodRaw == .seaSick && voyage.weather == .stormy && voyage.means == [.train])
                #expect(voyage.tags == ["sea", "sun"] && voyage.colors == [] && voyage.budget == 12.5)
                #expect(voyage.waypoints == [["latitude": 60, "longitude": 5]] && voyage.extras == [:])
                #expect(voyage.origin == ["latitude": 1, "longitude": 2])
                #expect(try voyage.cover?.data() == Data("abc".utf8))
                #expect(voyage.harbors.map(\.code) == ["NOBGO"] && voyage.captain?.name == "Ann")
                #expect(voyage.crew.map(\.name) == ["Bo"] && voyage.crew.first?.mentor?.rank == .officer)
                #expect(voyage.sailorOfVoyages.map(\.name) == ["Bo"])
            }
        }
    }

    @Test(
        "A structure whose columns another property can have is not copied",
        arguments: [
            ("ALTER TABLE ZVOYAGE ADD COLUMN ZLATITUDE1 FLOAT", true), ("UPDATE ZVOYAGE SET ZLATITUDE = NULL", false),
        ])
    func ambiguous(change: String, isAmbiguous: Bool) async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("default.store")
            try SQLiteFile.execute(Self.file() + change, url)
            let store = try Store(VoyagesSchema.self, at: .file(folder.appendingPathComponent("new.sqlite")))
            let copy = try await CoreDataRows(at: url, map: .voyages, as: .received).copy(into: store)
            #expect(copy.findings.contains { $0.hasPrefix("Voyage.origin is not copied") } == isAmbiguous)
            let origin = try await store.perform { context in try context.only(Voyage.all())?.origin }
            #expect(origin == (isAmbiguous ? nil : ["longitude": 2]))
        }
    }

    @Test("The parts of a structure keep their kinds of values")
    func parts() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("default.store")
            let change = "UPDATE ZVOYAGE SET ZLATITUDE = 86400, ZLONGITUDE = 1"
            try SQLiteFile.execute(
                Self.file().replacing("ZLONGITUDE FLOAT", with: "ZLONGITUDE INTEGER") + change, url)
            var map = CoreDataMap.voyages
            let index = try #require(map.entities[2].attributes.firstIndex { $0.name == "origin" })
            map.entities[2].attributes[index].parts[0].type = .date
            map.entities[2].attributes[index].parts[1].type = .boolean
            let store = try Store(VoyagesSchema.self, at: .file(folder.appendingPathComponent("new.sqlite")))
            _ = try await CoreDataRows(at: url, map: map, as: .received).copy(into: store)
            let origin = try await store.perform { context in try context.only(Voyage.all())?.origin }
            #expect(origin == ["latitude": "2001-01-02T00:00:00Z", "longitude": true])
        }
    }
}
