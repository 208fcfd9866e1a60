import Foundation
import LockstepStore
import LockstepSync
import LockstepTesting
import TestSupport

/// Some devices, a server, and what has happened to them. One task at a time uses it.
final class World {
    let scenario: Scenario
    let clock = WorldClock()
    let server: SimulatedServer
    let trace = Trace()
    var devices: [Device] = []
    /// Every value that somebody has written, so that each value can be explained: path, key and value.
    var written: Set<WrittenValue> = []
    /// The number of the step that is done.
    /// What the server has and had inside of others.
    var members = MemberNames()
    var stepNumber = 0
    private var lastToken = 0
    private var othersRecords = 0
    let folder: URL

    var domain: Domain { scenario.domain }

    struct WrittenValue: Hashable {
        let path: String
        let key: String
        let value: JSONValue
    }

    init(_ scenario: Scenario, in folder: URL) throws {
        self.scenario = scenario
        self.folder = folder
        server = SimulatedServer(scenario, clock: clock)
        for number in 0..<scenario.deviceCount {
            devices.append(try Device(number, scenario, server, clock, trace, in: folder))
        }
    }

    func close() {
        for device in devices { device.close() }
    }

    // MARK: Values

    /// A number that nobody has written.
    func makeToken() -> Int {
        lastToken += 1
        return lastToken
    }

    /// A value that nobody has written: of a text it tells who did, and the mark behind it what the server makes of it.
    func makeValue(
        _ field: DomainEntity.Field, of entity: DomainEntity, by author: String, at date: Date, mark: String = ""
    )
        -> DatabaseValue
    {
        let token = makeToken()
        let value: DatabaseValue =
            switch field.kind {
            case .text: "\(author)\(token)\(mark)".databaseValue
            case .number: token.databaseValue
            // Whole seconds, and never the same ones.
            case .date: (date.timeIntervalSince1970.rounded(.down) + Double(token)).databaseValue
            }
        written.insert(WrittenValue(path: entity.path, key: field.key, value: entity.json(value, field)))
        return value
    }

    /// The key of a record that others make on the server.
    func makeOthersKey(for entity: DomainEntity) -> DatabaseValue {
        othersRecords += 1
        // Beyond what the server makes in between.
        let number = 9_000 + othersRecords * (entity.isServerMade ? 500 : 1)
        let column = entity.plan.remoteColumn ?? entity.plan.keyColumns[0]
        guard entity.plan.columns[column].type == .uuid else { return number.databaseValue }
        return scenario.othersAreUppercase ? .uppercaseUUID(number) : .madeUUID(number)
    }
}

/// A local edit that must take effect on the server, unless something explains why not.
struct Promise: Hashable {
    let table: String
    let path: String
    var record: String
    let column: String
    let key: String
    let value: DatabaseValue
    let json: JSONValue
}
