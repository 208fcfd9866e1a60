extension SQLWriter {
    /// Writes the PL/pgSQL function that a PostgreSQL trigger calls. It has the trigger's name.
    mutating func triggerFunction(_ trigger: DeleteTrigger) {
        var body = SQLWriter(dialect: dialect)
        body.write("\nBEGIN\n")
        body.actions(trigger.actions)
        // A trigger before the delete must return the row to be deleted; after it, the result is ignored.
        body.write(trigger.timing == .before ? "    RETURN OLD;\n" : "    RETURN NULL;\n")
        body.write("END\n")
        write("CREATE FUNCTION ")
        identifier(trigger.name)
        write("() RETURNS TRIGGER LANGUAGE plpgsql AS ")
        dollarQuoted(String(decoding: body.bytes, as: UTF8.self))
    }

    /// Quotes a function's body with a tag that the body does not contain.
    private mutating func dollarQuoted(_ body: String) {
        let tag = Self.dollarTag(for: body)
        write(text: tag)
        write(text: body)
        write(text: tag)
    }

    /// A tag that a body does not contain, whatever names and texts are in it.
    package static func dollarTag(for body: String) -> String {
        var tag = "$lockstep$"
        var number = 2
        while body.contains(tag) {
            tag = "$lockstep\(number)$"
            number += 1
        }
        return tag
    }
}
