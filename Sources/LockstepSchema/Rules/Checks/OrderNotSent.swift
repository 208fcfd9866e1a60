/// Whoever declares an order expects it on each device. It is sent as the order of a list: of identities or of records.
enum OrderNotSent: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        for link in draft.links where link.isOrdered && link.isSynced {
            guard case .none = link.wire, let declaration = link.declaration, declaration.wire == nil,
                let ordered = declaration.isOrdered
            else { continue }
            let wire = link.destination?.identity.keyAttributes.count == 1 ? "ids" : "embedded"
            report.add(
                Diagnostic(
                    .orderNotSent, at: ordered.range,
                    message: "The order of '\(link.name)' stays on the device: the list is not in JSON",
                    remedy: "Write 'wire: \(wire)' if the server has the list in this order. "
                        + "If each device has its own order, write 'wire: none'.",
                    severity: .warning))
        }
    }

    static let entry = CatalogueEntry(
        code: .orderNotSent,
        title: "Order is not sent",
        explanation: """
            A relationship with `ordered: true` is synced in its order if its list is in JSON: `wire: ids`, or \
            `wire: embedded`. Otherwise, the order stays on the device, and other devices have another one. Write \
            `wire: none` if that is intended. There is nothing to sync if one of the two entities has `remote: none`.
            """,
        wrong: """
            lockstep: 1
            schema: Shopping
            entities:
              List:
                attributes: { id: uuid }
                relationships: { items: { to: [Item], inverse: list, ordered: true } }
              Item:
                attributes: { id: uuid }
                relationships: { list: { to: List?, inverse: items } }
            """,
        right: """
            lockstep: 1
            schema: Shopping
            entities:
              List:
                attributes: { id: uuid }
                relationships: { items: { to: [Item], inverse: list, ordered: true, wire: ids } }
              Item:
                attributes: { id: uuid }
                relationships: { list: { to: List?, inverse: items } }
            """)
}

extension DiagnosticCode {
    /// An order that no other device gets.
    package static let orderNotSent = DiagnosticCode(rawValue: "order-not-sent")
}
