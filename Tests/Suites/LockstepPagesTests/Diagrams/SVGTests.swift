import Foundation
import LockstepSchema
import TestSupport
import Testing

@testable import LockstepPages

@Suite("Diagrams as SVG")
struct SVGTests {
    @Test("Every entity and every relationship of a schema is drawn", arguments: PageSamples.paths)
    func everything(_ path: String) throws {
        let schema = try PageSamples.schema(at: path)
        let drawn = try DrawnDiagram(Diagram(schema).svg)
        #expect(Set(drawn.boxes.map(\.entity)) == Set(schema.entities.map(\.name)))
        #expect(drawn.boxes.count == schema.entities.count)
        for entity in schema.entities {
            for relationship in entity.relationships {
                let ends = Set([entity.name, relationship.destination])
                #expect(drawn.lines.contains { Set([$0.from, $0.to]) == ends })
                if relationship.isImplied { continue }
                let isNamed = drawn.labels.contains { label in
                    label.text == relationship.name || label.text.hasPrefix(relationship.name + " · ")
                }
                #expect(isNamed, "\(entity.name).\(relationship.name)")
            }
        }
        #expect(drawn.titles.count == 1 + drawn.boxes.count + drawn.lines.count)
    }

    @Test("Nothing overlaps, and lines run through no box", arguments: PageSamples.paths)
    func noOverlaps(_ path: String) throws {
        expectClear(try DrawnDiagram(Diagram(try PageSamples.schema(at: path)).svg))
        expectClear(try DrawnDiagram(Diagram(try PageSamples.schema(at: path), hasOnlyKeys: true).svg))
    }

    @Test("The scope of records is in the head of their box")
    func scopes() throws {
        let diagram = Diagram(try PageSamples.schema(PageSamples.lists))
        for note in diagram.boxes.compactMap(\.note) { #expect("\(diagram.svg)".contains(">\(note)</text>")) }
        expectClear(try DrawnDiagram(diagram.svg))
    }

    @Test("That is also so with many entities", arguments: [(30, 2), (80, 3), (200, 1)] as [(Int, UInt64)])
    func large(_ count: Int, _ seed: UInt64) throws {
        let schema = try PageSamples.schema(PageSamples.large(entities: count, seed: seed))
        let drawn = try DrawnDiagram(Diagram(schema).svg)
        #expect(drawn.boxes.count == count)
        expectClear(drawn)
        // Neither a strip nor mostly empty.
        #expect((0.5...4).contains(drawn.size.width / drawn.size.height), "\(drawn.size)")
    }

    @Test("Entities that refer to each other in a circle, or to themselves, are drawn")
    func circles() throws {
        let schema = try PageSamples.schema(
            """
            lockstep: 1
            schema: Circle
            entities:
              First:
                attributes: { id: int }
                relationships:
                  second: Second?
                  same: First?
                  all: { to: [First], inverse: all }
              Second: { attributes: { id: int }, relationships: { third: Third?, again: Third? } }
              Third: { attributes: { id: int }, relationships: { first: First? } }

            """)
        let drawn = try DrawnDiagram(Diagram(schema).svg)
        #expect(drawn.lines.count == 6)
        expectClear(drawn)
    }

    @Test("The same schema is always the same file")
    func deterministic() throws {
        let text = PageSamples.large(entities: 60)
        let first = Diagram(try PageSamples.schema(text)).svg
        #expect(try Diagram(PageSamples.schema(text)).svg == first)
    }

    @Test("A schema without relationships, and one without entities, are drawn")
    func small() throws {
        let journal = try DrawnDiagram(Diagram(try PageSamples.schema(at: "Schemas/Journal.yaml")).svg)
        #expect(journal.boxes.count == 1)
        let empty = Diagram(try PageSamples.schema("lockstep: 1\nschema: Empty\nentities: {}\n"))
        #expect(try DrawnDiagram(empty.svg).boxes.isEmpty)
    }

    @Test("Documentation is text, whatever is in it")
    func hostile() throws {
        let text = PageSamples.journal.replacing(
            "doc: One page of the journal.", with: #"doc: "</title><script>alert(1)</script> & \u0007 ]]>""#)
        let svg = Diagram(try PageSamples.schema(text)).svg
        #expect(!svg.contains("<script"))
        let titles = try DrawnDiagram(svg).titles
        #expect(titles.contains("Entry: </title><script>alert(1)</script> & \u{FFFD} ]]>"))
    }

    @Test("The legend says which end a name belongs to, if there are names at lines")
    func legend() throws {
        let explanation = "name above a line: relationship of the box at its left end · below: of that at its right end"
        let drawn = Diagram(try PageSamples.schema(PageSamples.journal)).svg
        #expect(drawn.contains(explanation))
        #expect(!Diagram(try PageSamples.schema(at: "Schemas/Journal.yaml")).svg.contains("name above a line"))
    }

    @Test("The file refers to no other file")
    func alone() throws {
        let svg = Diagram(try PageSamples.schema(at: "Schemas/KitchenSink.yaml")).svg
        for reference in ["href", "url(", "@import", "src="] { #expect(!svg.contains(reference)) }
        #expect(svg.contains("prefers-color-scheme: dark"))
    }

    // MARK: Helpers

    private func expectClear(_ drawn: DrawnDiagram) {
        let whole = CGRect(origin: .zero, size: drawn.size)
        for (index, box) in drawn.boxes.enumerated() {
            #expect(whole.contains(box.frame), "\(box.entity)")
            for other in drawn.boxes[..<index] {
                #expect(!box.frame.intersects(other.frame), "\(box.entity) and \(other.entity)")
            }
        }
        for line in drawn.lines { expectClear(line, drawn.boxes) }
        expectClear(labelsOf: drawn)
    }

    /// A line begins and ends at the edges of its boxes, and is inside of none.
    private func expectClear(_ line: DrawnDiagram.Line, _ boxes: [DrawnDiagram.Box]) {
        for box in boxes {
            let inside = box.frame.insetBy(dx: 0.2, dy: 0.2)
            let isCrossed = line.points.contains { inside.contains($0) }
            #expect(!isCrossed, "\(line.from)–\(line.to) crosses \(box.entity)")
        }
        for (point, entity) in [(line.points.first, [line.from, line.to]), (line.points.last, [line.to, line.from])] {
            let frames = boxes.filter { entity.contains($0.entity) }.map { $0.frame.insetBy(dx: -0.2, dy: -0.2) }
            #expect(point.map { point in frames.contains { $0.contains(point) } } == true, "\(line.from)–\(line.to)")
        }
    }

    private func expectClear(labelsOf drawn: DrawnDiagram) {
        let frames = drawn.labels.map { label -> CGRect in
            let width = TextWidth.of(label.text, size: BoxDrawing.smallSize)
            return CGRect(x: label.isEnd ? label.x - width : label.x, y: label.y - 9, width: width, height: 11)
        }
        for (index, frame) in frames.enumerated() {
            #expect(!drawn.boxes.contains { $0.frame.intersects(frame) }, "\(drawn.labels[index].text)")
            #expect(!frames[..<index].contains { $0.intersects(frame) }, "\(drawn.labels[index].text)")
        }
    }
}
