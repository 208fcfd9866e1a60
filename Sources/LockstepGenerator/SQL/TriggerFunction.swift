extension SQLWriter {
    /// Writes the PL/pgSQL function that a PostgreSQL trigger calls; it has the trigger's name.
    mutating func triggerFunction(_ trigger: DeleteTrigger) {
        var body = SQLWriter(dialect: dialect)
        body.write("\nBEGIN\n")
        body.actions(trigger.actions)
        // What a trigger before the delete returns goes on to be deleted; after it, nobody looks.
        body.write(trigger.timing == .before ? "    RETURN OLD;\n" : "    RETURN NULL;\n")
        body.write("END\n")
        write("CREATE FUNCTION ")
        identifier(trigger.name)
        write("() RETURNS TRIGGER LANGUAGE plpgsql AS ")
        dollarQuoted(String(decoding: body.bytes, as: UTF8.self))
    }

    /// Quotes a function's body with a tag that does not occur in it.
    private mutating func dollarQuoted(_ body: String) {
        var tag = "$lockstep$"
        var number = 2
        while body.contains(tag) {
            tag = "$lockstep\(number)$"
            number += 1
        }
        write(text: tag)
        write(text: body)
        write(text: tag)
    }
}
