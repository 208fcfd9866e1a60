import CFloorBase

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The outbox of a database that is measured with: its triggers are part of what writing costs.
public enum DatabaseOutbox {
    /// Ends the process unless two databases have the same triggers, those of the outbox among them, and as many
    /// records that wait: both contestants did the work of the same triggers.
    ///
    /// - Parameters:
    ///   - table: A table whose rows the outbox notes.
    ///   - pending: How many records both must have noted: none where a merge wrote them.
    public static func expectSame(_ one: String, _ other: String, table: String, pending: Int) {
        let triggers = [one, other].map(self.triggers)
        guard triggers[0] == triggers[1] else {
            fatalError("other triggers in \(one) than in \(other):\n\(triggers[0])\n\n\(triggers[1])")
        }
        guard triggers[0].contains("lockstep_outbox_\(table)_insert ON \(table): CREATE TRIGGER") else {
            fatalError("\(one) has no triggers that note changes of \(table):\n\(triggers[0])")
        }
        for path in [one, other] {
            let count = floor_pending_count(path)
            guard count == pending else { fatalError("\(count) records wait in \(path), not \(pending)") }
        }
    }

    /// Drops its triggers from a database: what those have today who write without Lockstep.
    public static func remove(from path: String) { floor_drop_outbox(path) }

    private static func triggers(_ path: String) -> String {
        guard let text = floor_triggers(path) else { return "" }
        defer { free(text) }
        return String(cString: text)
    }
}
