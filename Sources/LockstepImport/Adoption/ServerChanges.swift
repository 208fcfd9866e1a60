/// Descriptions of what the SQL of a server changes in a database with existing tables.
struct ServerChanges {
    let lines: [String]

    init(to names: [String], in catalogue: PostgreSQLCatalogue) {
        let isThere = catalogue.tables.contains { $0.isOfServer }
        var lines = [
            isThere
                ? "Replaces the server that is there, and keeps what it has recorded."
                : "Creates tables and functions whose names begin with lockstep_, and records the rows that are there.",
            "Does not rename or change a column, and changes no row.",
            "Lets authenticated read and write these tables, and anon read them, as far as policies permit.",
        ]
        for name in names {
            guard let table = catalogue.table(name) else { continue }
            lines.append("\(name):")
            let isNew = !table.triggers.contains { $0.hasPrefix("lockstep_") }
            lines.append(
                isNew
                    ? "  adds triggers that record changes, and policies of row-level security"
                    : "  replaces its triggers and policies")
            lines.append(
                table.hasRowSecurity
                    ? "  row-level security is on already"
                    : "  switches on row-level security: all but the owner need a policy from now on")
            lines += table.ownPolicies.map { policy in
                let effect =
                    policy.isPermissive ? "permits in addition to the new ones" : "restricts the new ones, too"
                return "  keeps the policy '\(policy.name)' (\(policy.command)), which \(effect)"
            }
        }
        self.lines = lines
    }
}
