package import Foundation
import LockstepStore

/// What is in a store's file, in every form in which it is printed.
package struct Inspection {
    private let report: InspectionReport

    /// Reads a file without changing it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - entity: The only entity whose records are included; `nil` for all.
    ///   - includesValues: Whether values of records and texts of servers are included.
    ///   - date: When it is read.
    package init(
        path: String, entity: String? = nil, includesValues: Bool = false, at date: Date
    ) throws(InspectionFailure) {
        let options = InspectionOptions(includesValues: includesValues, entity: entity, at: date)
        do {
            report = try InspectedFile(URL(fileURLWithPath: path)).report(options)
        } catch let error as StoreError {
            throw InspectionFailure(message: "'\(path)': \(error.reason). \(error.remedy)")
        } catch {
            throw InspectionFailure(message: "'\(path)' cannot be inspected: \(error).")
        }
    }

    /// Whether something is wrong that does not become right by itself.
    package var isWrong: Bool { report.findings.contains { $0.severity == .error } }

    package var text: String { InspectionText(report).text }

    package func json() throws -> Data { try report.json() }

    /// One page that needs no network.
    package var page: String { InspectionPage(report).text }
}

/// A file that cannot be inspected, why, and what to do.
package struct InspectionFailure: Error, CustomStringConvertible {
    package let message: String

    package var description: String { message }
}
