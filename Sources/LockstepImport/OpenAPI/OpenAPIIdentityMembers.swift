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

    /// - Parameter base: The schema of the entity that it extends.
    func add(
        _ property: OpenAPIProperty?, remote: OpenAPIPaths.Remote?, base: OpenAPINode?,
        to sketch: inout EntitySketch, members: OpenAPIMembers
    ) {
        guard let property else {
            addLocal(remote, to: &sketch, members: members)
            return
        }
        let isInherited =
            base.map { base in
                context.properties.all(of: base).contains { $0.key == property.key }
            } ?? false
        let isMadeByServer = isMadeByServer(property, remote: remote)
        if isInherited {
            let name = context.memberName(property.key)
            context.notes.decided(
                property.node.line,
                text: "\(entity): its identity is '\(name)' of the entity that it extends, by its name")
            sketch.identity = IdentitySketch([name])
        } else if isMadeByServer {
            addRemote(property, to: &sketch, members: members)
        } else {
            addPlain(property, to: &sketch, members: members)
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

    /// Whether the server makes the identity of a new record: it is read-only, or not sent with a new record.
    private func isMadeByServer(_ property: OpenAPIProperty, remote: OpenAPIPaths.Remote?) -> Bool {
        let isReadOnly = OpenAPIValue(property.node, in: context.document)["readOnly"]?.bool == true
        guard context.paths.hasPaths else { return isReadOnly }
        guard let remote, remote.writes.contains("create") else { return false }
        if isReadOnly { return true }
        guard let created = remote.created else { return false }
        let sent = context.properties.all(of: created)
        return !sent.isEmpty && !sent.contains { $0.key == property.key }
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

    private func addPlain(_ property: OpenAPIProperty, to sketch: inout EntitySketch, members: OpenAPIMembers) {
        let name = members.free(context.memberName(property.key))
        members.addIdentity(property, named: name, isOptional: false)
        sketch.identity = IdentitySketch([name])
        let value = OpenAPIValue(property.node, in: context.document)
        let isReadOnly = value["readOnly"]?.bool == true
        let reasons = [
            isReadOnly ? "which is read-only" : nil,
            !property.isRequired || value.isNullable ? "which is required here" : nil,
        ].compactMap(\.self)
        context.notes.decided(
            property.node.line,
            text: (["\(entity): its identity is '\(name)', by its name"] + reasons).joined(separator: ", "))
    }
}
