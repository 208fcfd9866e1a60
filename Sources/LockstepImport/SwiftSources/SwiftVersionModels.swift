/// Reads which models a version lists: `[Trip.self]`, `SchemaV1.models`, or several of these with `+` between them.
struct SwiftVersionModels {
    private let program: SwiftProgram
    private let all: [SwiftDeclaration]
    private var paths: Set<[String]> = []
    /// The versions whose lists were read.
    private var known: Set<[String]> = []
    /// What is neither a list of models nor that of another version.
    private(set) var unread: [SwiftUnread] = []

    init(_ version: SwiftDeclaration, in program: SwiftProgram) {
        (self.program, all) = (program, program.models)
        read(version)
    }

    /// The models, in the order of their declarations.
    var models: [SwiftDeclaration] { all.filter { paths.contains($0.path) } }

    private mutating func read(_ version: SwiftDeclaration) {
        guard known.insert(version.path).inserted else { return }
        let property = version.properties.first { $0.name == "models" }
        guard let value = property?.value ?? property?.result else {
            paths.formUnion(all.map(\.path).filter { $0.starts(with: version.path) })
            if let property { report("what its code returns", of: version, line: property.line) }
            return
        }
        let parts: [SwiftValue] = if case .sum(let parts) = value { parts } else { [value] }
        for part in parts { read(part, of: version, line: property?.line) }
    }

    private mutating func read(_ value: SwiftValue, of version: SwiftDeclaration, line: Int?) {
        switch value {
        case .emptyCollection: break
        case .list(let elements):
            for element in elements {
                if let model = element.typeNames.flatMap({ model($0, of: version) }) {
                    paths.insert(model.path)
                } else {
                    report(element.shown, of: version, line: line)
                }
            }
        case .member(let names):
            guard names.last == "models",
                let other = program.declaration(at: names.dropLast(), inside: version.path)
            else { return report(value.shown, of: version, line: line) }
            read(other)
        default: report(value.shown, of: version, line: line)
        }
    }

    /// The model that has a name in a version, or one of another version.
    private func model(_ names: [String], of version: SwiftDeclaration) -> SwiftDeclaration? {
        let nearest = all.filter { $0.path.suffix(names.count).elementsEqual(names) }
            .max { Self.common($0.path, with: version.path) < Self.common($1.path, with: version.path) }
        return nearest ?? program.declaration(at: names, inside: version.path)
    }

    private static func common(_ one: [String], with other: [String]) -> Int {
        zip(one, other).prefix { $0 == $1 }.count
    }

    private mutating func report(_ text: String, of version: SwiftDeclaration, line: Int?) {
        unread.append(
            SwiftUnread(
                owner: version.path, line: line, text: "\(version.name).models: \(text)",
                help: "Write a list of the types, such as `[Trip.self]`, and import the files of all of them."))
    }
}
