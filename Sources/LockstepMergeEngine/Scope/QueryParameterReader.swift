import Foundation
import GRDB
import LockstepEvolution
import LockstepTables

/// Reads query parameters as a filter (Rules.md, M8).
struct QueryParameterReader {
    let resolver: ScopeResolver
    let completeness: MergeOptions.Completeness
    private var values: [Int: DatabaseValue] = [:]

    init(resolver: ScopeResolver, completeness: MergeOptions.Completeness) {
        self.resolver = resolver
        self.completeness = completeness
    }

    mutating func read(_ parameters: [URLQueryItem], into scope: inout ResolvedScope) throws {
        let names = ParameterNames(of: scope.plan)
        for parameter in parameters {
            guard let column = names.column(of: parameter.name) else {
                reportUnknown(parameter.name, scope: &scope)
                continue
            }
            try read(parameter, column: column, into: &scope)
        }
        resolver.add(values, to: &scope)
    }

    private func reportUnknown(_ name: String, scope: inout ResolvedScope) {
        guard completeness == .automatic else { return }
        scope.add(
            .incompletePayload,
            text: """
                the parameter “\(name)” is not an attribute or foreign key and may leave records out, so nothing was \
                deleted; set `completeness` to `.complete` if it does not
                """)
    }

    private mutating func read(_ parameter: URLQueryItem, column: Int, into scope: inout ResolvedScope) throws {
        guard let text = parameter.value, let value = try value(text, column: column, scope: &scope) else {
            return scope.add(
                .unresolvedScope,
                text: "the value of the parameter “\(parameter.name)” cannot be read, so nothing was deleted")
        }
        if let other = values[column], !other.isIdentical(to: value) {
            return scope.add(
                .unresolvedScope, text: "the parameter “\(parameter.name)” has two values, so nothing was deleted")
        }
        values[column] = value
    }

    /// The value as the column stores it.
    private func value(_ text: String, column: Int, scope: inout ResolvedScope) throws -> DatabaseValue? {
        let description = scope.plan.columns[column]
        guard case .foreignKey(let name) = description.content,
            let relationship = scope.plan.relationships.first(where: { $0.name == name })
        else { return ParameterValue.read(text, as: description) }
        let destination = relationship.destination
        guard let remote = destination.remoteColumn else { return ParameterValue.read(text, as: description) }
        // The server's identity of the record differs from the local one.
        guard let index = resolver.plans.firstIndex(where: { $0 === destination }),
            let identity = ParameterValue.read(text, as: destination.columns[remote])
        else { return nil }
        return try resolver.find([identity], of: index)?.key.values.first
    }
}

/// Which column a query parameter names.
struct ParameterNames {
    private var exact: [String: Int] = [:]
    /// Columns by what all spellings of a name have in common (Rules.md, N1); several if the name is ambiguous.
    private var bySpelling: [String: Set<Int>] = [:]

    init(of plan: EntityPlan) {
        // The server's own names come first, since an attribute may have the name of another one's key.
        for (column, description) in plan.columns.enumerated() {
            if let path = description.wire?.path {
                add(path.joined(separator: "."), column: column)
                add(path[0] + path.dropFirst().map { "[\($0)]" }.joined(), column: column)
            }
        }
        for (relationship, columns) in plan.foreignKeys.enumerated() {
            guard case .id(let paths, _) = plan.relationships[relationship].wire else { continue }
            for (column, path) in zip(columns, paths) { add(path.joined(separator: "."), column: column) }
        }
        for (column, description) in plan.columns.enumerated() {
            switch description.content {
            case .attribute(let name): add(name, column: column)
            case .foreignKey(let name):
                if plan.columns.filter({ $0.memberName == name }).count == 1 { add(name, column: column) }
            case .position, .surrogateKey: continue
            }
            add(description.name, column: column)
        }
    }

    private mutating func add(_ name: String, column: Int) {
        if exact[name] == nil { exact[name] = column }
        bySpelling[Self.spelling(name), default: []].insert(column)
    }

    func column(of name: String) -> Int? {
        if let column = exact[name] { return column }
        guard let columns = bySpelling[Self.spelling(name)], columns.count == 1 else { return nil }
        return columns.first
    }

    /// Returns the part that all spellings of a name have in common: its letters and digits, in lower case.
    private static func spelling(_ name: String) -> String {
        String(String.UnicodeScalarView(name.lowercased().unicodeScalars.filter(\.properties.isAlphanumeric)))
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isAlphanumeric: Bool { isAlphabetic || numericType != nil }
}
