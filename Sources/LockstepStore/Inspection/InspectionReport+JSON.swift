package import Foundation

extension InspectionReport {
    /// The report as JSON with sorted keys. Times are texts in UTC (ISO 8601); what is missing has no key.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return try encoder.encode(self)
    }

    package init(json: Data) throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        self = try decoder.decode(InspectionReport.self, from: json)
    }
}
