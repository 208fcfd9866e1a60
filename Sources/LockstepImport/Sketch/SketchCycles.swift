/// Cycles of to-one relationships.
struct SketchCycles {
    private let sketch: SchemaSketch
    private let indices: [String: Int]

    init(_ sketch: SchemaSketch) {
        self.sketch = sketch
        indices = Dictionary(sketch.entities.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    /// The relationships without which the others that fulfil a condition form no cycle.
    func closing(where isIncluded: (MemberSketch) -> Bool) -> [(entity: Int, relationship: Int)] {
        enum State { case new, open, done }
        var states = [State](repeating: .new, count: sketch.entities.count)
        var closing: [(entity: Int, relationship: Int)] = []
        for start in sketch.entities.indices where states[start] == .new {
            // A stack of its own: a chain of entities can be longer than the program's stack.
            var path = [(entity: start, next: 0)]
            states[start] = .open
            while let (entity, next) = path.last {
                guard next < sketch.entities[entity].relationships.count else {
                    states[entity] = .done
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let relationship = sketch.entities[entity].relationships[next]
                guard !relationship.type.isList, isIncluded(relationship),
                    let target = indices[relationship.type.name]
                else { continue }
                switch states[target] {
                case .new:
                    states[target] = .open
                    path.append((target, 0))
                case .open: closing.append((entity, next))
                case .done: break
                }
            }
        }
        return closing
    }
}

extension SchemaSketch {
    /// Makes a relationship of each cycle of required ones optional, and notes it.
    mutating func breakRequiredCycles(_ notes: ImportNotes) {
        for link in SketchCycles(self).closing(where: { !$0.isOptional }) {
            entities[link.entity].relationships[link.relationship].isOptional = true
            let relationship = entities[link.entity].relationships[link.relationship]
            notes.decided(
                relationship.line,
                text:
                    "\(entities[link.entity].name).\(relationship.name) is optional: records that require each other "
                    + "could never be created")
        }
    }
}
