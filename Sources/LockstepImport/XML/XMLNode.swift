/// An element of an XML file, with its place. Reading an attribute notes that it was read, so that nothing of a file is
/// passed over in silence.
final class XMLNode {
    let name: String
    /// From 1.
    let line: Int
    private(set) var children: [XMLNode] = []
    private(set) var attributes: [String: String]
    private(set) var unread: Set<String>
    /// Whether it was reported as a whole.
    private(set) var isSkipped = false

    init(name: String, attributes: [String: String], line: Int) {
        self.name = name
        self.line = line
        self.attributes = attributes
        unread = Set(attributes.keys)
    }

    func append(_ child: XMLNode) { children.append(child) }

    /// The value of an attribute, which counts as read.
    subscript(_ attribute: String) -> String? {
        unread.remove(attribute)
        return attributes[attribute]
    }

    /// Whether an attribute is `YES`.
    func isYes(_ attribute: String) -> Bool { self[attribute]?.uppercased() == "YES" }

    /// Counts it as read with everything in it, because it is reported as a whole.
    func skip() {
        unread = []
        children.forEach { $0.skip() }
        isSkipped = true
    }

    func all(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }
}
