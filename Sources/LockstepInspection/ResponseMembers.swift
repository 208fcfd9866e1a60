import Foundation
import LockstepJSON
import LockstepStore

/// Finds the members of an entity that a server's rejection names, in any form: as keys, or in texts that consist of a
/// name or of a path that ends with one. Nothing else of the response is used.
struct ResponseMembers {
    private let names: [String: String]

    init(_ plan: EntityPlan) {
        var names: [String: String] = [:]
        for column in plan.columns {
            let name = column.memberName
            for spelling in [name, column.name] + (column.wire?.path.suffix(1) ?? []) { names[spelling] = name }
        }
        for relationship in plan.relationships { names[relationship.name] = relationship.name }
        self.names = names
    }

    /// The names in the schema, sorted.
    func names(in body: Data) -> [String] {
        guard let value = try? JSONValue(json: body) else { return [] }
        var found: Set<String> = []
        collect(value, into: &found)
        return found.sorted()
    }

    private func collect(_ value: JSONValue, into found: inout Set<String>) {
        switch value {
        case .array(let elements): for element in elements { collect(element, into: &found) }
        case .object(let members):
            for (key, member) in members {
                note(key, into: &found)
                collect(member, into: &found)
            }
        case .string(let text): note(text, into: &found)
        default: break
        }
    }

    private func note(_ text: String, into found: inout Set<String>) {
        guard let last = text.split(whereSeparator: { "./[]".contains($0) }).last else { return }
        if let name = names[String(last)] { found.insert(name) }
    }
}
