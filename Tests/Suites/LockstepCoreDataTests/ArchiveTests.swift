import Foundation
import GRDB
import LockstepCoreData
import LockstepJSON
import LockstepStore
import Testing

@testable import ImportedModels

@Suite("Archives that mean more than they have bytes")
struct ArchiveTests {
    /// Copies a file in which the first drawing has an archive as its `meta`.
    private func meta(_ archive: Data) async throws -> JSONValue? {
        try await Fixture.with("Transformables", TransformablesSchema.self) { fixture in
            let queue = try DatabaseQueue(path: fixture.url.path)
            try await queue.write {
                try $0.execute(sql: "UPDATE ZDRAWING SET ZMETA = ? WHERE ZID = 'a'", arguments: [archive])
            }
            try queue.close()
            let copy = try await fixture.copy(.transformables)
            let isKeptAside = copy.problems.contains { $0.member == "meta" && $0.firstRow == "Drawing/p1" }
            let value = try await fixture.store.perform { context in try context.find(Drawing.self, "a")?.meta }
            #expect(isKeptAside == (value == nil), "\(copy.problems)")
            return value
        }
    }

    /// An archive of an array of references to one object.
    private func array(of object: [PlistWriter.Object], count: Int) -> Data {
        PlistWriter.archive(
            [
                .dictionary([
                    "$class": .reference(2), "NS.objects": .list(Array(repeating: .reference(3), count: count)),
                ]), .dictionary(["$classname": .text("NSArray")]),
            ] + object)
    }

    @Test("An object that is referred to again is read as often as it is there")
    func shared() async throws {
        let value = try await meta(array(of: [.text("again")], count: 1000))
        #expect(value == .array(Array(repeating: "again", count: 1000)))
    }

    @Test("References to one long text beyond the limit of bytes are kept aside, in little memory")
    func bytes() async throws {
        #expect(try await meta(array(of: [.text(String(repeating: "x", count: 20_000))], count: 400_000)) == nil)
    }

    @Test("References to one object with many members beyond the limit of steps are kept aside")
    func steps() async throws {
        let keys = (0..<3000).map { PlistWriter.Object.text("key \($0)") }
        let members: [String: PlistWriter.Object] = [
            "$class": .reference(4), "NS.keys": .list(keys),
            "NS.objects": .list(Array(repeating: .text("x"), count: 3000)),
        ]
        let object = [PlistWriter.Object.dictionary(members), .dictionary(["$classname": .text("NSDictionary")])]
        #expect(try await meta(array(of: object, count: 3000)) == nil)
    }

    @Test("The members of an object that is referred to again are read once")
    func members() async throws {
        // What a class that is not known to us may have: nothing of it is a value, and all of it has to be looked at.
        var members = ["$class": PlistWriter.Object.reference(4), "NS.string": .text("again")]
        for number in 0..<3000 { members["key \(number)"] = .text("") }
        let object = [PlistWriter.Object.dictionary(members), .dictionary(["$classname": .text("NSString")])]
        let value = try await meta(array(of: object, count: 3000))
        #expect(value == .array(Array(repeating: "again", count: 3000)))
    }
}

/// Writes binary property lists in which several objects can refer to one.
struct PlistWriter {
    indirect enum Object {
        case text(String)
        case reference(Int)
        case list([Object])
        case dictionary([String: Object])
    }

    private var objects: [Data] = []

    /// A keyed archive. Its root is the first of these objects, which has the number 1.
    static func archive(_ objects: [Object]) -> Data {
        var writer = PlistWriter()
        return writer.file(
            .dictionary(["$top": .dictionary(["root": .reference(1)]), "$objects": .list([.text("$null")] + objects)]))
    }

    private mutating func file(_ root: Object) -> Data {
        let top = add(root)
        var file = Data("bplist00".utf8)
        var offsets = Data()
        for object in objects {
            offsets += Self.number(file.count)
            file += object
        }
        let table = file.count
        file += offsets + Data(count: 6) + [4, 4]
        for number in [objects.count, top, table] { file += Data(count: 4) + Self.number(number) }
        return file
    }

    private mutating func add(_ object: Object) -> Int {
        let bytes: Data
        switch object {
        case .text(let text): bytes = Self.head(0x50, text.utf8.count) + Data(text.utf8)
        case .reference(let number): bytes = [0x83] + Self.number(number)
        case .list(let elements):
            // References to the same number are the same object, as Foundation writes them.
            var known: [Int: Int] = [:]
            var places = Data()
            for element in elements {
                guard case .reference(let number) = element else {
                    places += Self.number(add(element))
                    continue
                }
                let place = known[number] ?? add(element)
                known[number] = place
                places += Self.number(place)
            }
            bytes = Self.head(0xA0, elements.count) + places
        case .dictionary(let members):
            let keys = members.keys.sorted()
            let places = keys.map { add(.text($0)) } + keys.compactMap { members[$0] }.map { add($0) }
            bytes = Self.head(0xD0, keys.count) + places.map(Self.number).joined()
        }
        objects.append(bytes)
        return objects.count - 1
    }

    private static func head(_ kind: UInt8, _ count: Int) -> Data {
        count < 15 ? Data([kind | UInt8(count)]) : Data([kind | 15, 0x12]) + number(count)
    }

    private static func number(_ number: Int) -> Data {
        withUnsafeBytes(of: UInt32(number).bigEndian) { Data($0) }
    }
}
