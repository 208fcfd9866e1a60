/// An element of an XML file, with its line. What is read is taken out of it, so that nothing of a file is passed over
/// in silence.
struct XMLNode {
    let name: String
    /// From 1.
    let line: Int
    /// Those that were not taken. An element has few attributes, so they are searched one by one.
    private(set) var attributes: [(name: String, value: String)]
    /// Those that were not taken.
    var children: [XMLNode] = []

    init(name: String, attributes: [(name: String, value: String)], line: Int) {
        (self.name, self.attributes, self.line) = (name, attributes, line)
    }

    /// The value of an attribute that was not taken.
    subscript(_ attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

    /// Takes an attribute out of it.
    mutating func take(_ attribute: String) -> String? {
        let count = attribute.utf8.count
        // Few names have the same length.
        guard let index = attributes.firstIndex(where: { $0.name.utf8.count == count && $0.name == attribute })
        else { return nil }
        return attributes.remove(at: index).value
    }

    /// Takes an attribute that is `YES` if it is set.
    mutating func takeFlag(_ attribute: String) -> Bool {
        guard let value = take(attribute) else { return false }
        return value == "YES" || value.uppercased() == "YES"
    }

    /// Takes the elements with a name out of it.
    mutating func takeAll(_ name: String) -> [XMLNode] {
        guard children.contains(where: { $0.name == name }) else { return [] }
        let taken = children.filter { $0.name == name }
        children.removeAll { $0.name == name }
        return taken
    }
}
