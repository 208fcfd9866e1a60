import LockstepJSON
import LockstepSchema

/// Adds the attributes that identify the records of an entity.
struct OpenAPIIdentityMembers {
    private let context: OpenAPIContext
    private let entity: String
    private let node: OpenAPINode

    init(_ context: OpenAPIContext, entity: String, node: OpenAPINode) {
        (self.context, self.entity, self.node) = (context, entity, node)
    }

    /// - Parameter isInherited: Whether the entity that it extends has the property.
    func add(
        _ property: OpenAPIProperty?, remote: OpenAPIPaths.Remote?, isInherited: Bool,
        to sketch: inout EntitySketch, members: OpenAPIMembers
    ) {
        guard let property else {
            addLocal(remote, to: &sketch, members: members)
            return
        }
        if context.isMadeByServer(property, remote: remote) {
            addRemote(property, to: &sketch, members: members)
        } else {
            addPlain(property, isInherited: isInherited, to: &sketch, members: members)
        }
    }

    /// A record without an identity cannot be matched with one that was received earlier, so it is not synced.
    private func addLocal(_ remote: OpenAPIPaths.Remote?, to sketch: inout EntitySketch, members: OpenAPIMembers) {
        let name = members.free("localID")
        members.insert(.unsentKey(named: name, because: "the schema has no identity"))
        sketch.identity = .attributes([name])
        sketch.remote = .absent
        context.notes.decided(
            node.line, text: "\(entity): \(MemberSketch.unsentKeyReason(name))", help: MemberSketch.unsentKeyHelp(name))
        guard let remote else { return }
        context.notes.left(
            remote.line, text: "\(remote.path), because records of \(entity) cannot be pulled without an identity",
            help: "Request them yourself, and create each with `\(entity)(representation:context:)`.")
    }

    private func addRemote(_ property: OpenAPIProperty, to sketch: inout EntitySketch, members: OpenAPIMembers) {
        let (local, remote) = (members.free("localID"), members.free("remoteID"))
        members.insert(.newKey(named: local))
        members.addIdentity(property, named: remote, isOptional: true)
        sketch.identity = .local(local, remote: remote)
        context.notes.decided(
            property.node.line,
            text: "\(entity): the server makes '\(property.key)', so the identity is '\(local)' on the device and "
                + "'\(remote)' on the server",
            help: "If a new record is sent with an id of the device, write 'identity:' with one attribute.")
    }

    private func addPlain(
        _ property: OpenAPIProperty, isInherited: Bool, to sketch: inout EntitySketch, members: OpenAPIMembers
    ) {
        let wanted = context.memberName(property.key)
        let name = isInherited ? wanted : members.free(wanted)
        if !isInherited { members.addIdentity(property, named: name, isOptional: false) }
        sketch.identity = IdentitySketch([name])
        let value = OpenAPIValue(property.node, in: context.document)
        let isReadOnly = value["readOnly"]?.bool == true
        let reasons = [
            "by its name", isReadOnly ? "which is read-only" : nil,
            !property.isRequired || value.isNullable ? "which is required here" : nil,
        ].compactMap(\.self)
        context.notes.decided(
            property.node.line,
            text: "\(entity): its identity is '\(name)'\(isInherited ? " of the entity that it extends" : ""), "
                + reasons.joined(separator: ", "))
    }
}
