/// The models that a version lists: `[Trip.self]`, `SchemaV1.models`, or several of these with `+` between them.
struct SwiftVersionModels {
    /// In the order of their declarations.
    let models: [SwiftDeclaration]
    /// What is neither a list of models nor that of another version.
    let unread: [SwiftUnread]

    init(_ version: SwiftDeclaration, in program: SwiftProgram) {
        var reader = Reader(program: program)
        reader.read(version)
        models = program.models.filter { reader.paths.contains($0.path) }
        unread = reader.unread
    }

    private struct Reader {
        let program: SwiftProgram
        private(set) var paths: Set<[String]> = []
        private(set) var unread: [SwiftUnread] = []

        /// The versions whose lists are read for one of them.
        private static let limit = 1000

        init(program: SwiftProgram) { self.program = program }

        mutating func read(_ version: SwiftDeclaration) {
            var (known, open): (Set<[String]>, [SwiftDeclaration]) = ([version.path], [version])
            while let next = open.popLast() {
                for other in readList(of: next) where known.insert(other.path).inserted {
                    if known.count <= Self.limit {
                        open.append(other)
                    } else {
                        report("\(other.name).models", of: next, line: next.line)
                    }
                }
            }
        }

        /// Reads the list of a version.
        ///
        /// - Returns: The versions whose models it has, too.
        private mutating func readList(of version: SwiftDeclaration) -> [SwiftDeclaration] {
            let property = version.properties.first { $0.name == "models" }
            guard let value = property?.value ?? property?.result else {
                paths.formUnion(program.models.map(\.path).filter { $0.starts(with: version.path) })
                if let property { report("what its code returns", of: version, line: property.line) }
                return []
            }
            let parts: [SwiftValue] = if case .sum(let parts) = value { parts } else { [value] }
            return parts.compactMap { read($0, of: version, line: property?.line) }
        }

        /// - Returns: The version whose list a part of a list is.
        private mutating func read(_ part: SwiftValue, of version: SwiftDeclaration, line: Int?) -> SwiftDeclaration? {
            if case .emptyCollection = part { return nil }
            if case .list(let elements) = part {
                for element in elements {
                    if let model = element.typeNames.flatMap({ program.model(at: $0, near: version.path) }) {
                        paths.insert(model.path)
                    } else {
                        report(element.shown, of: version, line: line)
                    }
                }
                return nil
            }
            if case .member(let names) = part, names.last == "models",
                let other = program.declaration(at: names.dropLast(), inside: version.path)
            {
                return other
            }
            report(part.shown, of: version, line: line)
            return nil
        }

        private mutating func report(_ text: String, of version: SwiftDeclaration, line: Int?) {
            unread.append(
                SwiftUnread(
                    owner: version.path, line: line, text: "\(version.name).models: \(text)",
                    help: "Write a list of the types, such as `[Trip.self]`, and import the files of all of them."))
        }
    }
}
