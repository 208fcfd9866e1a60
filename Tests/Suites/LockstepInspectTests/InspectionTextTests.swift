import Foundation
import LockstepInspection
@testable import LockstepStore
import TestSupport
import Testing

/// The text and the JSON of a store with everything are in `Expected`. After a change, read the difference as a user
/// would, and copy the new ones from the failure.
@Suite("Inspections as text and as JSON")
struct InspectionTextTests {
    private func expected(_ name: String) throws -> String {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Expected/\(name)")
        return try String(contentsOf: file, encoding: .utf8)
    }

    private func check(_ text: String, _ name: String) throws {
        let folder = ProcessInfo.processInfo.environment["INSPECTION_OUTPUT"]
        if let folder { try Data(text.utf8).write(to: URL(fileURLWithPath: folder).appendingPathComponent(name)) }
        #expect(text == (try? expected(name)))
    }

    @Test("Text", arguments: [false, true])
    func text(includesValues: Bool) async throws {
        try await withTemporaryFolder { folder in
            let report = try await InspectionStage.make(in: folder).stableReport(includesValues: includesValues)
            try check(InspectionText(report).text, includesValues ? "values.txt" : "text.txt")
        }
    }

    @Test("JSON")
    func json() async throws {
        try await withTemporaryFolder { folder in
            let report = try await InspectionStage.make(in: folder).stableReport(includesValues: true)
            let json = try report.json()
            try check(String(decoding: json, as: UTF8.self) + "\n", "report.json")
        }
    }

    @Test("Numbers, sizes and dates")
    func numbers() {
        #expect(
            [0, 999, 1000, 1_234_567, -1234].map(InspectionText.number) == ["0", "999", "1,000", "1,234,567", "-1,234"])
        #expect(
            [1, 812, 1000, 1_250_000, 999_960_000, 3_000_000_000].map(InspectionText.size) == [
                "1 byte", "812 bytes", "1 KB", "1.3 MB", "1 GB", "3 GB",
            ])
        #expect(InspectionText.date(Date(timeIntervalSince1970: 0.9)) == "1970-01-01 00:00:00Z")
    }
}
