/// A connected part of a graph.
struct Component {
    /// In the order of the graph.
    var nodes: [Int] = []
    var edges: [Int] = []
}

extension LayoutGraph {
    /// The connected parts, in the order of their first nodes.
    func components() -> [Component] {
        var parents = Array(nodes.indices)
        func root(_ node: Int) -> Int {
            var node = node
            while parents[node] != node {
                parents[node] = parents[parents[node]]
                node = parents[node]
            }
            return node
        }
        for edge in edges {
            let (source, target) = (root(edge.source), root(edge.target))
            parents[max(source, target)] = min(source, target)
        }
        var parts: [Int: Component] = [:]
        for node in nodes.indices { parts[root(node), default: Component()].nodes.append(node) }
        for (index, edge) in edges.enumerated() { parts[root(edge.source)]?.edges.append(index) }
        return parts.keys.sorted().compactMap { parts[$0] }
    }
}
