/// Options that contradict the attribute's type or each other: a unique list, an attachment that is not data, a key for
/// an attribute that is not in JSON.
enum OptionDoesNotFit: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        checkIdentities(draft, into: &report)
        checkReadOnly(draft, into: &report)
        for attribute in draft.attributes {
            if attribute.isTransient {
                check(transient: attribute, into: &report)
            } else {
                if attribute.isAttachment { check(attachment: attribute, into: &report) }
                if attribute.wire == nil, let key = attribute.declaration.key {
                    report.add(message("key", at: key.range, reason: "'\(attribute.name)' is not sent ('wire: none')"))
                }
                if attribute.wire == nil, let keys = attribute.declaration.formerKeys {
                    report.add(
                        message("formerKeys", at: keys.range, reason: "'\(attribute.name)' is not sent ('wire: none')"))
                }
            }
            if attribute.type != nil, attribute.isList || attribute.isJSON, !attribute.isTransient {
                let reason = "'\(attribute.name)' is '\(attribute.typeText)', whose contents SQL cannot compare"
                if let range = setRange(attribute.declaration.isUnique) {
                    report.add(message("unique", at: range, reason: reason))
                }
                if let range = setRange(attribute.declaration.isIndexed) {
                    report.add(message("indexed", at: range, reason: reason))
                }
            }
        }
    }

    /// Records are found by their identity, also in generated code.
    private static func checkIdentities(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities {
            for attribute in entity.identity.keyAttributes where attribute.declaration.deprecation != nil {
                report.add(
                    Diagnostic(
                        .optionDoesNotFit, at: attribute.declaration.name.range,
                        message:
                            "'deprecated' is not allowed here: '\(attribute.name)' is the identity of '\(entity.name)'",
                        remedy: "Remove 'deprecated:', or set another attribute with 'identity:'."))
            }
        }
    }

    /// An attribute that is never sent cannot identify a record on the server, and is not needed without a server.
    private static func checkReadOnly(_ draft: Draft, into report: inout Report) {
        for entity in draft.entities {
            for attribute in entity.identity.keyAttributes {
                guard let range = setRange(attribute.declaration.isReadOnly) else { continue }
                report.add(
                    message("readOnly", at: range, reason: "'\(attribute.name)' is the identity of '\(entity.name)'"))
            }
        }
        for attribute in draft.attributes where attribute.wire == nil && !attribute.isTransient {
            guard let range = setRange(attribute.declaration.isReadOnly) else { continue }
            report.add(message("readOnly", at: range, reason: "'\(attribute.name)' is not in JSON ('wire: none')"))
        }
    }

    /// An attribute that is neither in SQL nor in JSON has no name or rule there.
    private static func check(transient attribute: DraftAttribute, into report: inout Report) {
        let declaration = attribute.declaration
        let reason = "'\(attribute.name)' is transient, and is stored neither in SQL nor in JSON"
        let options: [(String, TextRange?)] = [
            ("key", declaration.key?.range), ("formerKeys", declaration.formerKeys?.range),
            ("wire", declaration.wire?.range), ("column", declaration.column?.range),
            ("renamedFrom", declaration.renamedFrom?.range), ("unique", setRange(declaration.isUnique)),
            ("indexed", setRange(declaration.isIndexed)), ("attachment", setRange(declaration.isAttachment)),
            ("readOnly", setRange(declaration.isReadOnly)),
        ]
        for case (let name, let range?) in options { report.add(message(name, at: range, reason: reason)) }
    }

    private static func check(attachment attribute: DraftAttribute, into report: inout Report) {
        let declaration = attribute.declaration
        if attribute.type != nil, attribute.isList || attribute.storedScalar != .data,
            let option = declaration.isAttachment
        {
            let reason = "'\(attribute.name)' is '\(attribute.typeText)', but an attachment must be data"
            let data = attribute.isOptional ? "data?" : "data"
            report.add(
                message(
                    "attachment", at: option.range, reason: reason,
                    remedy: "Write 'type: \(data)', or remove 'attachment:'."))
            return
        }
        let reason = "'\(attribute.name)' is an attachment, which is stored as a file"
        let options: [(String, TextRange?)] = [
            ("default", declaration.defaultValue?.range), ("unique", setRange(declaration.isUnique)),
            ("indexed", setRange(declaration.isIndexed)),
        ]
        for case (let name, let range?) in options { report.add(message(name, at: range, reason: reason)) }
    }

    private static func setRange(_ option: Located<Bool>?) -> TextRange? {
        option.flatMap { $0.value ? $0.range : nil }
    }

    private static func message(
        _ option: String, at range: TextRange, reason: String, remedy: String? = nil
    ) -> Diagnostic {
        .notAllowed(
            option, code: .optionDoesNotFit, at: range, because: reason, remedy: remedy ?? "Remove '\(option):'.")
    }

    static let entry = CatalogueEntry(
        code: .optionDoesNotFit,
        title: "Option does not apply to the attribute",
        explanation: """
            A transient attribute is in memory only: it has no key, column or index. An attachment is `data` that is \
            stored as a file: it has no default, and cannot be unique or indexed. Lists and `json` cannot be unique or \
            indexed. An attribute with `wire: none` has no key.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, tags: { type: [string], unique: true } }
            """,
        right: """
            lockstep: 1
            schema: Journal
            entities:
              Entry:
                attributes: { id: uuid, tags: [string] }
            """)
}

extension DiagnosticCode {
    /// An option that contradicts the attribute's type or another option.
    package static let optionDoesNotFit = DiagnosticCode(rawValue: "option-does-not-fit")
}
