/// Why a server cannot be tested, and what to do.
package struct ConformanceFailure: Error, CustomStringConvertible {
    package let reason: String
    package let remedy: String

    package init(_ reason: String, remedy: String) {
        self.reason = reason
        self.remedy = remedy
    }

    package var description: String { "\(reason). \(remedy)" }
}
