import Foundation
import TestSupport
import Testing

/// Tests that only `make test-packages` runs would otherwise be the first to miss a file that was moved.
@Suite("Paths of the repository")
struct RepositoryPathTests {
    @Test("that tests name exist")
    func paths() throws {
        let tests = RepositoryFolder("Tests")
        var missing: [String] = []
        var count = 0
        for path in try tests.files(below: "") where path.hasSuffix(".swift") {
            for match in try tests.read(path).matches(of: /"(Tests\/[^"\\\n]*)["\\]/) {
                count += 1
                // What follows an interpolation is known only when the test runs.
                let folder = match.1[..<(match.1.lastIndex(of: "/") ?? match.1.endIndex)]
                let known = String(match.0.hasSuffix("\"") ? match.1 : folder)
                let exists = FileManager.default.fileExists(
                    atPath: Documentation.root.appendingPathComponent(known).path)
                if !exists { missing.append("\(path): \(match.1)") }
            }
        }
        #expect(missing.sorted() == [])
        #expect(count > 10)
    }
}
