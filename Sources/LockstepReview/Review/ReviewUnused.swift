import LockstepEvolution
import LockstepJSON

extension ChangeReview {
    /// Reports hints that name something that does not exist, or that is not changed in this way.
    mutating func reportUnused() {
        check(hints.fills, flag: "--fill") { "=\(Self.text($0))" }
        check(hints.conversions, flag: "--convert") { "=\($0)" }
        check(hints.otherwise, flag: "--otherwise") { "=\(Self.text($0))" }
        check(hints.duplicates, flag: "--duplicates") { "=\($0)" }
        check(hints.cases, flag: "--case") { "=\($0)" }
        check(hints.firsts, flag: "--first") { "=\($0)" }
        for entity in hints.refetched.sorted() {
            let path = MemberPath(entity)
            guard !used.contains(HintUse("--refetch", path: path)) else { continue }
            problems.append(
                HintProblem("--refetch \(entity)", reason: reason(path), use: HintUse("--refetch", path: path)))
        }
    }

    private mutating func check<Value>(_ hints: [MemberPath: Value], flag: String, suffix: (Value) -> String) {
        for (path, value) in hints.sorted(by: { $0.key.description < $1.key.description })
        where !used.contains(HintUse(flag, path: path)) {
            problems.append(
                HintProblem("\(flag) \(path)\(suffix(value))", reason: reason(path), use: HintUse(flag, path: path)))
        }
    }

    private func reason(_ path: MemberPath) -> String {
        if let enumeration = scope.new.enumeration(path.type) {
            guard path.member == nil || enumeration.cases.contains(where: { $0.name == path.member }) else {
                let former = scope.renamed.enumeration(path.type)?.cases.map(\.name) ?? []
                let names = Set(enumeration.cases.map(\.name) + former).sorted()
                guard !names.contains(path.member ?? "") else { return "No change of '\(path)' needs it" }
                return "There is no case '\(path)'; '\(path.type)' has \(names.joined(separator: ", "))"
            }
            return "No change of '\(path)' needs it"
        }
        guard let entity = scope.new.entity(path.type) else {
            let names = scope.new.entities.map(\.name) + scope.new.enumerations.map(\.name)
            return "There is no '\(path.type)' in the schema, which has \(names.sorted().joined(separator: ", "))"
        }
        let members = (entity.attributes.map(\.name) + entity.relationships.map(\.name)).sorted()
        guard path.member.map(members.contains) ?? true else {
            return "There is no '\(path)'; '\(path.type)' has \(members.joined(separator: ", "))"
        }
        return "No change of '\(path)' needs it"
    }

    static func text(_ value: JSONValue) -> String {
        if case .string(let text) = value { return text }
        var writer = JSONWriter()
        try? writer.write(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
