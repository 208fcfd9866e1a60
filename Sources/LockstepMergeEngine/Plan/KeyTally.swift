import LockstepTables

/// Counts the keys of a payload, for a merge that is traced (Rules.md, M13).
final class KeyTally {
    /// How often a key occurred.
    struct Count {
        /// With a value that was read.
        var read = 0
        /// Without a meaning in the schema.
        var ignored = 0
    }

    private(set) var counts: [ObjectIdentifier: [Int: Count]] = [:]
    /// The keys of the record that is being read. If the record is incomplete, it is read again later.
    private var pending: [(table: ObjectIdentifier, entry: Int, isRead: Bool)] = []

    func record(_ table: KeyTable, entry: Int, isRead: Bool) {
        pending.append((ObjectIdentifier(table), entry, isRead))
    }

    /// Counts the keys of a record that was read to its end.
    func commit() {
        for (table, entry, isRead) in pending {
            if isRead {
                counts[table, default: [:]][entry, default: Count()].read += 1
            } else {
                counts[table, default: [:]][entry, default: Count()].ignored += 1
            }
        }
        discard()
    }

    /// Discards the keys of a record that will be read again.
    func discard() { pending.removeAll(keepingCapacity: true) }
}

extension MergeEntity {
    /// The attributes that are strings in the schema, and came as numbers or Bools.
    var convertedStrings: [MergeTrace.ConvertedString] {
        plan.columns.indices.filter { reader($0).takeUnretainedValue().isConverting }.map {
            MergeTrace.ConvertedString(entity: plan.name, member: plan.columns[$0].memberName)
        }
    }

    /// Returns the routes of the payload's keys, and the keys without a meaning.
    func routes(_ tally: KeyTally) -> (routes: [MergeTrace.KeyRoute], unknown: [MergeTrace.UnknownKey]) {
        var found: (routes: [MergeTrace.KeyRoute], unknown: [MergeTrace.UnknownKey]) = ([], [])
        collect(keys, tally: tally, into: &found)
        return found
    }

    private func collect(
        _ keys: KeyTable, tally: KeyTally,
        into found: inout (routes: [MergeTrace.KeyRoute], unknown: [MergeTrace.UnknownKey])
    ) {
        for (entry, count) in (tally.counts[ObjectIdentifier(keys)] ?? [:]).sorted(by: { $0.key < $1.key }) {
            let path = keys.paths[entry].joined(separator: ".")
            if count.read > 0, let (member, column) = destination(of: keys[entry], keys: keys) {
                found.routes.append(
                    MergeTrace.KeyRoute(entity: plan.name, keyPath: path, member: member, column: column))
            }
            if count.ignored > 0 {
                found.unknown.append(
                    MergeTrace.UnknownKey(entity: plan.name, keyPath: path, count: count.ignored))
            }
        }
        for table in keys.inner { collect(table, tally: tally, into: &found) }
    }

    private func destination(of entry: KeyTable.Entry, keys: KeyTable) -> (member: String, column: String?)? {
        switch entry.meaning {
        case .column, .version, .former: return (plan.columns[entry.index].memberName, plan.columns[entry.index].name)
        case .foreignKey:
            let columns = relationships[entry.index].foreignKey
            return (plan.relationships[entry.index].name, columns.map { plan.columns[$0[entry.part]].name })
        case .identities, .embeddedOne, .embeddedMany, .members: return (plan.relationships[entry.index].name, nil)
        case .spelling: return destination(of: keys[entry.index], keys: keys)
        case .object, .unknown, .unread: return nil
        }
    }
}
