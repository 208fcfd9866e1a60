import LockstepStore
import LockstepSync

extension World {
    /// After a device has synced: what it has read, and what of its own the server has confirmed.
    ///
    /// - Parameter isTold: Whether a stream has told it, which may tell old changes again.
    func noteReadings(_ device: Device, _ before: Snapshot, _ after: Snapshot, isTold: Bool) {
        let (count, own) = (server.changes.count, Set(device.promises))
        for entity in domain.entities {
            for (key, row) in after.rows[entity.table] ?? [:] where after.pending(entity, key) == nil {
                guard let record = serverKey(entity, row) else { continue }
                for field in textFields(of: entity) {
                    let value = row[field.name] ?? .null
                    let json = entity.json(value, field)
                    let promise = Promise(
                        table: entity.table, path: entity.path, record: key, column: field.name, key: field.key,
                        value: value, json: json)
                    let isOwn = own.contains(promise) && !after.isPending(promise, domain)
                    guard isOwn || !isTold && before.rows[entity.table]?[key]?[field.name] != value else { continue }
                    device.session.readings.append(
                        Session.Reading(
                            step: stepNumber,
                            place: Session.Place(path: entity.path, record: record, key: field.key), value: json,
                            changeCount: count, isOwn: isOwn))
                }
            }
        }
    }

    /// After a device has edited: what it had read of these records before. Of those inside of others, the server's
    /// changes do not say who they were when they were made.
    func noteWrites(_ device: Device, _ before: Snapshot, _ after: Snapshot) {
        for entity in domain.followed {
            for (key, row) in after.rows[entity.table] ?? [:] {
                guard let old = before.rows[entity.table]?[key], old != row, let record = serverKey(entity, old) else {
                    continue
                }
                func place(_ field: DomainEntity.Field) -> Session.Place {
                    Session.Place(path: entity.path, record: record, key: field.key)
                }
                let known = before.pending(entity, key)?.base ?? old
                let seen = textFields(of: entity).filter { !isOwn(known[$0.name], device) }.map {
                    (place: place($0), value: entity.json(known[$0.name] ?? .null, $0))
                }
                for field in textFields(of: entity) where old[field.name] != row[field.name] {
                    device.session.writes.append(
                        Session.Write(
                            step: stepNumber, place: place(field), value: entity.json(row[field.name] ?? .null, field),
                            seen: seen))
                }
            }
        }
    }

    private func textFields(of entity: DomainEntity) -> [DomainEntity.Field] {
        entity.fields.filter { $0.kind == .text }
    }

    private func serverKey(_ entity: DomainEntity, _ row: Snapshot.Record) -> String? {
        let identity = row[entity.plan.columns[entity.plan.serverKeyColumns[0]].name] ?? .null
        return identity.isNull ? nil : identity.keyText
    }

    private func isOwn(_ value: DatabaseValue?, _ device: Device) -> Bool {
        value?.keyText.hasPrefix(device.name.prefix(1).lowercased()) ?? true
    }

    // MARK: In the end

    func checkSessions() throws {
        let order = ServerOrder(server)
        for device in devices {
            try checkReadings(device, order)
            try checkWrites(device, order)
        }
    }

    /// Read your writes: once the server has confirmed a device's value, it reads no value that is older there.
    private func checkReadings(_ device: Device, _ order: ServerOrder) throws {
        var confirmed: [Session.Place: JSONValue] = [:]
        for reading in device.session.readings {
            if reading.isOwn {
                confirmed[reading.place] = reading.value
                continue
            }
            guard let own = confirmed[reading.place], let written = order.first(own, at: reading.place),
                let read = order.last(reading.value, at: reading.place, of: reading.changeCount), read < written
            else { continue }
            throw Violation(
                rule: 3,
                what: """
                    read your writes: in step \(reading.step), \(device.name) reads \(reading.value.plain) of \
                    \(reading.place), which is older than its own \(own.plain)
                    """)
        }
    }

    /// Writes follow reads: what a device writes to a record after it has read others' values of it comes after them
    /// in the server's order, and is accepted for no older version (C4).
    private func checkWrites(_ device: Device, _ order: ServerOrder) throws {
        for write in device.session.writes {
            guard let own = order.first(write.value, at: write.place),
                let seen = write.seen.compactMap({ order.first($0.value, at: $0.place) }).max()
            else { continue }
            let version = device.responses.version(
                WrittenValue(path: write.place.path, key: write.place.key, value: write.value))
            // The number of a change is the version of the record that it made, less one.
            guard seen < own, version ?? .max > seen || !countsVersions(at: write.place.path) else {
                throw Violation(
                    rule: 3,
                    what: """
                        writes follow reads: in step \(write.step), \(device.name) writes \(write.value.plain) to \
                        \(write.place) for version \(version ?? 0), and had read change \(seen + 1); it is \(own + 1)
                        """)
            }
        }
    }
}

extension World {
    /// Whether the version of a record is the number of the change that made it, of all changes. Rails tells none of
    /// a record that it shows with others.
    private func countsVersions(at path: String) -> Bool {
        switch scenario.server {
        case .memoryWithVersions, .memoryThatEmbeds: true
        case .railsWithVersions: domain.entity(at: path).map { Domain.embedded(in: $0, domain).isEmpty } ?? false
        default: false
        }
    }
}

extension Session.Place: CustomStringConvertible {
    var description: String { "\(path)/\(record) \(key)" }
}
