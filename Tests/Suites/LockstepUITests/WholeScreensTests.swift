import TestSupport
import Testing

@Suite("The page of whole screens")
struct WholeScreensTests {
    @Test("has a list that is no longer than the same one of SwiftData or sqlite-data, and counts their lines")
    func lengths() throws {
        let page = try Documentation.page("WholeScreens")
        let lists = Documentation.code("swift", in: page).prefix(1) + Documentation.code("text", in: page)
        let counts = lists.map { $0.split(separator: "\n", omittingEmptySubsequences: false).count }
        #expect(counts.count == 3)
        #expect(counts.allSatisfy { $0 >= counts[0] })
        for (name, count) in zip(["Lockstep", "SwiftData", "sqlite-data"], counts) {
            #expect(page.contains("| \(name) | \(count) |"), "\(name)")
        }
    }
}
