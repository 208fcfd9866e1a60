extension SQLDialect {
    /// PostgreSQL truncates longer names (`NAMEDATALEN`), so two long names could silently become the same.
    private static let postgresqlNameBytes = 63

    /// Columns that every PostgreSQL table has already. Other columns cannot have these names, quoted or not.
    private static let postgresqlSystemColumns: Set<String> = ["ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"]

    /// A name that this dialect accepts: for PostgreSQL, long names are shortened, with a hash that keeps them unique.
    package func accepted(_ name: String) -> String {
        guard self == .postgresql else { return name }
        if name.utf8.count > Self.postgresqlNameBytes { return shortened(name) }
        return Self.postgresqlSystemColumns.contains(name) ? name + "_" : name
    }

    private func shortened(_ name: String) -> String {
        let suffix = "_" + ContentHash(Array(name.utf8)).digits
        var prefix = ""
        for scalar in name.unicodeScalars {
            guard prefix.utf8.count + scalar.utf8.count + suffix.utf8.count <= Self.postgresqlNameBytes else { break }
            prefix.unicodeScalars.append(scalar)
        }
        return prefix + suffix
    }
}

extension SQLWriter {
    /// Writes a name. All names are converted to SQL here: always quoted, with quotes doubled, so that a name may be a
    /// keyword or contain any character.
    package mutating func identifier(_ name: String) {
        write("\"")
        escaping(quote: UInt8(ascii: "\""), in: dialect.accepted(name))
        write("\"")
    }

    /// Writes names in parentheses: `("a", "b")`.
    mutating func identifiers(_ names: [String]) {
        write("(")
        joined(names) { writer, name in writer.identifier(name) }
        write(")")
    }
}
