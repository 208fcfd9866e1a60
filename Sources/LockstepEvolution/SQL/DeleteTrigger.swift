/// The effects of a delete in a table on other tables, as a value: first all denials, before the row is deleted; then
/// the actions, after that.
package struct DeleteTrigger: Hashable, Sendable {
    package var name: String
    package var table: String
    var timing: Timing
    var actions: [DeleteAction]

    enum Timing: Hashable, Sendable { case before, after }
}

/// One statement in a trigger on delete.
enum DeleteAction: Hashable, Sendable {
    /// Denies the delete while there is such a row.
    case deny(RowMatch, message: String)
    case delete(RowMatch)
    case clear(columns: [String], RowMatch)
}

extension SQLWriter {
    /// Writes a trigger in the syntax of the dialect; for PostgreSQL, preceded by its function.
    mutating func trigger(_ trigger: DeleteTrigger) {
        write("CREATE TRIGGER ")
        identifier(trigger.name)
        write(trigger.timing == .before ? " BEFORE DELETE ON " : " AFTER DELETE ON ")
        identifier(trigger.table)
        switch dialect {
        case .sqlite:
            write("\nBEGIN\n")
            actions(trigger.actions)
            write("END")
        case .postgresql:
            write("\n    FOR EACH ROW EXECUTE FUNCTION ")
            identifier(trigger.name)
            write("()")
        }
    }

    /// Writes the actions, one or two lines each.
    mutating func actions(_ actions: [DeleteAction]) {
        for action in actions {
            write("    ")
            self.action(action)
            write(";\n")
        }
    }

    private mutating func action(_ action: DeleteAction) {
        switch action {
        case .deny(let match, let message): deny(match, message: message)
        case .delete(let match):
            write("DELETE FROM ")
            source(of: match)
            space()
            write("WHERE ")
            condition(of: match)
        case .clear(let columns, let match):
            write("UPDATE ")
            source(of: match)
            write(" SET ")
            joined(columns) { writer, column in
                writer.identifier(column)
                writer.write(" = NULL")
            }
            space()
            write("WHERE ")
            condition(of: match)
        }
    }

    private mutating func deny(_ match: RowMatch, message: String) {
        switch dialect {
        case .sqlite:
            write("SELECT RAISE(ABORT, ")
            string(message)
            write(")\n        WHERE ")
            exists(match)
        case .postgresql:
            write("IF ")
            exists(match)
            write(" THEN\n        RAISE EXCEPTION USING ERRCODE = 'restrict_violation', MESSAGE = ")
            string(message)
            write(";\n    END IF")
        }
    }

    private mutating func exists(_ match: RowMatch) {
        write("EXISTS (SELECT 1 FROM ")
        source(of: match)
        space()
        write("WHERE ")
        condition(of: match)
        write(")")
    }
}
