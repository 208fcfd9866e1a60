import Foundation
import GRDB
@_spi(Generated) import LockstepStore

extension IdentityList {
    /// The identities as the model's type.
    func identities<Object: Model>(of type: Object.Type) -> [Object.Identity] {
        var identities: [Object.Identity] = []
        identities.reserveCapacity(count)
        append(integers, of: type, to: &identities)
        append(uuids, of: type, to: &identities)
        identities.append(contentsOf: others.map { $0.identity(of: type) })
        return identities
    }

    private func append<Object: Model>(
        _ integers: [Int64], of type: Object.Type, to identities: inout [Object.Identity]
    ) {
        // A fast path for the usual type: creating a row for each of a million identities would be noticeable.
        if Object.Identity.self == Int.self {
            for integer in integers { if let value = Int(integer) as? Object.Identity { identities.append(value) } }
        } else {
            identities.append(contentsOf: integers.map { RecordKey($0).identity(of: type) })
        }
    }

    private func append<Object: Model>(
        _ uuids: [UUIDWords], of type: Object.Type, to identities: inout [Object.Identity]
    ) {
        for words in uuids {
            let key = RecordKey(uuidWords: (words.first, words.second))
            identities.append(key.uuid as? Object.Identity ?? key.identity(of: type))
        }
    }
}

extension RecordKey {
    /// The identity with these values, read like a row.
    func identity<Object: Model>(of type: Object.Type) -> Object.Identity {
        let values = Dictionary(
            zip(Object.entity.plan.keyColumns, values), uniquingKeysWith: { first, _ in first })
        let row = ValueRow(values)
        return Object.identity(in: row.reader)
    }
}
