import Dispatch
import LockstepSchema

/// Prints the Swift files of a schema.
enum SwiftEmitter {
    /// One file to be printed, by its name and what prints it.
    struct Job: Sendable {
        var name: String
        var print: @Sendable () -> Code
    }

    /// The files in the order of the schema: entities with their representations, then enums, protocols, the schema.
    static func jobs(for schema: Schema, access: AccessLevel) -> [Job] {
        let scope = SwiftScope(schema: schema, access: access)
        var jobs: [Job] = []
        for entity in schema.entities {
            jobs.append(
                Job(name: entity.swiftName) { ModelTemplate.file(for: EntityShape(entity, in: scope)) })
            jobs.append(
                Job(name: entity.representationName) {
                    RepresentationTemplate.file(for: EntityShape(entity, in: scope))
                })
        }
        for enumeration in schema.enumerations {
            jobs.append(
                Job(name: enumeration.swiftName.unescaped) {
                    EnumerationTemplate.file(for: enumeration, in: scope)
                })
        }
        for entity in schema.abstractEntities {
            jobs.append(Job(name: entity.swiftName) { ProtocolTemplate.file(for: entity, in: scope) })
        }
        jobs.append(Job(name: schema.swiftName) { SchemaTemplate.file(in: scope) })
        return jobs
    }
}
