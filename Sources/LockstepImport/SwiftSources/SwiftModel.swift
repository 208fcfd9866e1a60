import LockstepJSON
import LockstepSchema

/// Makes a Core Data model of the models of one version, since SwiftData makes one of them, too. What Core Data and
/// Realm call differently has the name that Core Data has for it.
struct SwiftModel {
    private let program: SwiftProgram
    private let models: [SwiftDeclaration]
    let notes: ImportNotes

    /// - Parameter lines: The places in the files, for the report.
    static func model(
        _ models: [SwiftDeclaration], in program: SwiftProgram, lines: FileLines
    ) throws(ImportFailure) -> CoreDataModel {
        var builder = SwiftModel(
            program, models: models, notes: ImportNotes(file: lines.path, location: lines.location))
        return try builder.build(lines)
    }

    private init(_ program: SwiftProgram, models: [SwiftDeclaration], notes: ImportNotes) {
        (self.program, self.models, self.notes) = (program, models, notes)
    }

    private mutating func build(_ lines: FileLines) throws(ImportFailure) -> CoreDataModel {
        var result = CoreDataModel(path: lines.path, location: lines.location)
        let names = Set(models.map(\.name))
        var links = SwiftLinks()
        var enumerations: [[String]] = []
        var (code, realmCode): ([String], [String]) = ([], [])
        try checkNames(lines)
        for model in models {
            var entity = SwiftEntity(model, in: program, entities: names, notes: notes)
            result.entities.append(entity.entity())
            result.isOfSync = result.isOfSync || entity.isOfSync
            links.add(entity.links)
            code += entity.code
            realmCode += entity.realmCode
            enumerations += entity.enumerations
        }
        links.findInverses()
        let members = models.map { ($0.name, Set($0.properties.map(\.name))) }
        links.addOwners(members: Dictionary(members) { first, _ in first }, notes: notes)
        for entity in result.entities { entity.relationships = links.relationships(of: entity.name) }
        var known: Set<[String]> = []
        for path in enumerations where known.insert(path).inserted {
            if let found = program.declaration(at: path) { result.enums.append(sketch(found)) }
        }
        for model in program.unversioned where !program.versions.isEmpty {
            notes.left(
                model.line, text: "\(model.name), which no version lists",
                help: "Name it in `models` of the last version.")
        }
        reportStages()
        for part in program.unread(in: known.union((models + program.versions).map(\.path))) {
            notes.left(part.line, text: part.text, help: part.help)
        }
        if !code.isEmpty {
            notes.ignored(
                "Code, which extensions of the generated classes can have: \(code.joined(separator: ", "))")
        }
        if !realmCode.isEmpty { notes.ignored("Needed only by Realm: \(realmCode.joined(separator: ", "))") }
        result.findings = notes.report.notes
        return result
    }

    private func checkNames(_ lines: FileLines) throws(ImportFailure) {
        var known: [String: Int] = [:]
        for model in models {
            guard let first = known.updateValue(model.line, forKey: model.name) else { continue }
            throw lines.located(
                ImportFailure(
                    lines.path, line: model.line,
                    reason: "There are two models '\(model.name)', the first in \(lines.location(first)). Import the "
                        + "files of one app, or rename one."))
        }
    }

    private func sketch(_ declaration: SwiftDeclaration) -> EnumSketch {
        let found = SwiftEnum(declaration)
        let isInteger = found?.isInteger ?? false
        let cases = (found?.cases ?? []).map { item, name, value -> (name: String, value: JSONValue) in
            let number = isInteger ? Int64(value).map(JSONValue.integer) : nil
            reportName(item, named: name, of: declaration.name)
            return (name, number ?? .string(value))
        }
        return EnumSketch(
            name: declaration.path.joined(separator: "."), isInteger: isInteger, cases: cases, line: declaration.line)
    }

    private func reportName(_ item: SwiftDeclaration.Case, named name: String, of enumeration: String) {
        let subject = "\(enumeration).\(item.name)"
        if name != item.name {
            notes.decided(
                item.line,
                text: "\(subject) is '\(name)': cases have unique names in lowerCamelCase, and 'unknown' stands for "
                    + "any value that is not listed")
        }
        let generated = SwiftName.enumerationCase(name).filter { $0 != "`" }
        if generated != name {
            notes.decided(
                item.line,
                text: "\(subject) is '\(generated)' in generated code, where '\(name)' means something else",
                help: "In the schema, it is '\(name)'.")
        }
    }

    /// A migration that runs code of the app.
    private func reportStages() {
        for plan in program.declarations where plan.inherited.contains("SchemaMigrationPlan") {
            for property in plan.properties {
                let values: [SwiftValue] =
                    switch property.value ?? property.result {
                    case .list(let elements)?: elements
                    case let value?: [value]
                    case nil: []
                    }
                for case .call(let names, let arguments) in values where names.last == "custom" {
                    let ends = arguments.compactMap { $0.value.typeNames?.joined(separator: ".") }
                    notes.left(
                        property.line,
                        text: "The migration stage from \(ends.joined(separator: " to ")), which runs code",
                        help: "Convert values with `lockstep migrate --convert`.")
                }
            }
        }
    }
}

/// An enum that values of attributes can be of.
struct SwiftEnum {
    let isInteger: Bool
    /// Whether its cases have raw values.
    let isRaw: Bool
    /// The cases with their names in the schema and their raw values.
    let cases: [(item: SwiftDeclaration.Case, name: String, value: String)]

    /// - Returns: `nil` if its cases have parameters, or if its raw values are neither texts nor whole numbers.
    init?(_ declaration: SwiftDeclaration) {
        guard declaration.kind == .enumeration, !declaration.cases.isEmpty,
            !declaration.cases.contains(where: \.hasParameters)
        else { return nil }
        isInteger = declaration.inherited.contains { SwiftScalars.types[$0]?.isInteger ?? false }
        isRaw = isInteger || declaration.inherited.contains("String")
        var (cases, next): ([(SwiftDeclaration.Case, String)], Int64) = ([], 0)
        for item in declaration.cases {
            switch item.value {
            case .text(let text)?: cases.append((item, text))
            case .number(let text)?:
                guard let number = Int64(text) else { return nil }
                (next, cases) = (number &+ 1, cases + [(item, text)])
            case nil where isInteger:
                cases.append((item, String(next)))
                next &+= 1
            case nil: cases.append((item, item.name))
            default: return nil
            }
        }
        var names = UniqueCaseNames()
        self.cases = cases.map { item, value in (item, names.name(item.name), value) }
    }
}
