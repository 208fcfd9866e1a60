package import Foundation
import LockstepJSON

extension InspectionReport {
    /// The report as JSON with sorted keys. Times are texts in UTC (ISO 8601); what is missing has no key.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        // The encoder's own indentation depends on the system.
        return try JSONValue(json: encoder.encode(self)).json(isPretty: true)
    }
}
