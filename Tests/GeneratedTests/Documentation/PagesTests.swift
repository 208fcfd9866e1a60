import TestSupport
import Testing

/// A page's Swift is that which stands between `// snippet` and `// end` in the folder Documentation of some tests, where it
/// is compiled and run, so that neither changes without the other. A manifest is no part of a target, and is left out.
@Suite("The Swift on the pages")
struct PagesTests {
    @Test("is compiled, all of it", arguments: Documentation.pages)
    func pagesAgree(_ page: String) throws {
        let compiled = try Documentation.compiled()
        for block in Documentation.code("swift", in: try Documentation.text(of: page))
        where !block.contains("dependencies:") {
            #expect(compiled.contains(block), "\(block)")
        }
    }

    @Test("is found by this test")
    func pagesAreFound() {
        #expect(Documentation.pages.contains("Sources/LockstepStore/LockstepStore.docc/TheStore.md"))
        #expect(Documentation.pages.count > 20)
    }
}
