/// An element of an XML file, with its line. Reading an attribute notes that it was read, so that nothing of a file is
/// passed over in silence.
final class XMLNode {
    /// An element has few attributes, so they are searched one by one.
    private struct Attribute {
        let name: String
        let value: String
        var isRead = false
    }

    let name: String
    /// From 1.
    let line: Int
    private(set) var children: [XMLNode] = []
    private var attributes: [Attribute]
    /// Whether it was reported as a whole.
    private(set) var isSkipped = false

    init(name: String, attributes: [String: String], line: Int) {
        self.name = name
        self.line = line
        self.attributes = attributes.map { Attribute(name: $0.key, value: $0.value) }
    }

    func append(_ child: XMLNode) { children.append(child) }

    /// The value of an attribute, which counts as read.
    subscript(_ attribute: String) -> String? {
        guard let index = attributes.firstIndex(where: { $0.name == attribute }) else { return nil }
        attributes[index].isRead = true
        return attributes[index].value
    }

    /// The value of an attribute, which does not count as read.
    func unnoted(_ attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

    /// The attributes that nothing has read, sorted by name.
    var unread: [(name: String, value: String)] {
        guard attributes.contains(where: { !$0.isRead }) else { return [] }
        return attributes.filter { !$0.isRead }.map { ($0.name, $0.value) }.sorted { $0.name < $1.name }
    }

    /// Whether an attribute is `YES`.
    func isYes(_ attribute: String) -> Bool {
        guard let value = self[attribute] else { return false }
        return value == "YES" || value.uppercased() == "YES"
    }

    /// Counts it as read with everything in it, because it is reported as a whole.
    func skip() {
        for index in attributes.indices { attributes[index].isRead = true }
        children.forEach { $0.skip() }
        isSkipped = true
    }

    func all(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }
}
