import LockstepEvolution
import LockstepSchema

/// What the records of an entity belong to on a server, and who reads and writes them.
struct AccessFacts {
    let schema: Schema

    /// How the server knows users; none if no entity has a scope.
    var facts: [Fact] {
        guard schema.server != nil || schema.entities.contains(where: { $0.scope != nil }) else { return [] }
        let options = schema.server ?? ServerOptions()
        let custom: Cell = options.hasCustomAccess ? "; functions of the server say who reads and writes" : ""
        return [Fact("Users", value: .text("the claim ") + .code(options.userClaim) + .text(" of a token") + custom)]
    }

    func facts(of entity: Entity) -> [Fact] {
        guard let scope = entity.scope else { return [] }
        let destination = destination(of: scope, in: entity)
        let facts = [
            Fact("Scope", value: text(of: scope, destination: destination)),
            Fact("Read by", value: destination.map { .text("who reads ") + $0 } ?? users(entity.readers)),
            Fact("Written by", value: writers(of: entity, destination: destination)),
        ]
        return facts.filter { !$0.value.spans.isEmpty }
    }

    private func destination(of scope: RecordScope, in entity: Entity) -> Cell? {
        guard case .relationship(let name) = scope else { return nil }
        let relationship = entity.relationships.first { $0.name == name }
        return relationship.map { [.link($0.destination, .entity($0.destination))] }
    }

    private func text(of scope: RecordScope, destination: Cell?) -> Cell {
        switch scope {
        case .own: "each record is one"
        case .everyone: "public"
        case .attribute(let name): .text("the user in ") + .code(name)
        case .relationship(let name): .text("that of ") + .code(name) + (destination.map { .text(", ") + $0 } ?? [])
        }
    }

    private func writers(of entity: Entity, destination: Cell?) -> Cell {
        let users = users(entity.writers)
        guard let destination else { return users }
        let scope = .text("who writes ") + destination
        return users.spans.isEmpty ? scope : scope + .text("; of these: ") + users
    }

    private func users(_ rule: AccessRule?) -> Cell {
        switch rule {
        case .nobody: "nobody"
        case .everyone: "everybody"
        case .users(let paths): paths.map { Cell.code($0.text) }.joined(separator: ", ")
        case nil: ""
        }
    }
}
