package import Foundation
import LockstepJSON

extension InspectionReport {
    /// The report as JSON with sorted keys. Times are ISO 8601 strings in UTC. Keys without a value are omitted.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        // The encoder's own indentation depends on the system.
        return try JSONValue(json: encoder.encode(self)).json(isPretty: true)
    }
}
