/// Finds the cycles of links between entities.
///
/// It does not use recursion: a chain of links may be as long as a file permits. It follows links by name, so that the
/// same cycles are found in any order of the entities.
struct LinkCycles {
    /// Each cycle as its links in order, beginning with the one that was declared first.
    private(set) var cycles: [[Link]] = []
    private var finished: Set<Int> = []
    private let follows: (Link) -> Bool

    /// - Parameter follows: Whether a link is followed.
    init(in entities: [DraftEntity], following follows: @escaping (Link) -> Bool) {
        self.follows = follows
        let starts = entities.filter { $0.links.contains(where: follows) }.sorted { $0.name < $1.name }
        for entity in starts where !finished.contains(entity.order) { walk(from: entity) }
    }

    private mutating func walk(from start: DraftEntity) {
        var path: [Link] = []
        var positionOnPath = [start.order: 0]
        var waiting = [steps(from: start)]
        while let next = waiting[waiting.count - 1].popLast()
            ?? leave(&path, positionOnPath: &positionOnPath, waiting: &waiting, start: start)
        {
            guard let destination = next.destination else { continue }
            if let position = positionOnPath[destination.order] {
                record(Array(path[position...]) + [next])
            } else if !finished.contains(destination.order) {
                path.append(next)
                positionOnPath[destination.order] = path.count
                waiting.append(steps(from: destination))
            }
        }
    }

    /// Removes completed entities from the path; `nil` once the path is empty.
    private mutating func leave(
        _ path: inout [Link], positionOnPath: inout [Int: Int], waiting: inout [[Link]], start: DraftEntity
    ) -> Link? {
        while let last = path.popLast() {
            waiting.removeLast()
            if let destination = last.destination {
                positionOnPath[destination.order] = nil
                finished.insert(destination.order)
            }
            if let next = waiting[waiting.count - 1].popLast() { return next }
        }
        finished.insert(start.order)
        return nil
    }

    /// The last one first, because they are removed from the end.
    private func steps(from entity: DraftEntity) -> [Link] {
        entity.links.filter { follows($0) && $0.destination != nil }.sorted { $0.name > $1.name }
    }

    private mutating func record(_ cycle: [Link]) {
        let first = cycle.indices.min { cycle[$0].order < cycle[$1].order } ?? 0
        cycles.append(Array(cycle[first...] + cycle[..<first]))
    }
}

extension [Link] {
    /// "Product.owner → User.favourite → Product".
    var pathText: String {
        guard let first else { return "" }
        return map { "\($0.owner.name).\($0.name)" }.joined(separator: " → ") + " → " + first.owner.name
    }
}
