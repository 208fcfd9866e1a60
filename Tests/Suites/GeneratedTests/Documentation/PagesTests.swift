import TestSupport
import Testing

/// The Swift on a page equals a block between `// snippet` and `// end` in a `Documentation` folder of the tests,
/// where it is compiled and run. Neither changes without the other. Package manifests belong to no target, and are
/// not included.
@Suite("The Swift on the pages")
struct PagesTests {
    @Test("is compiled completely", arguments: Documentation.pages)
    func pagesAgree(_ page: String) throws {
        let compiled = try Documentation.compiled()
        for block in Documentation.code("swift", in: try Documentation.text(of: page))
        where !block.contains("dependencies:") {
            let isCompiled = compiled.contains(block)
            #expect(isCompiled, "\(block)")
        }
    }

    @Test("is found by this test")
    func pagesAreFound() {
        #expect(Documentation.pages.contains("Sources/LockstepStore/LockstepStore.docc/Contexts.md"))
        #expect(Documentation.pages.count > 20)
    }
}
