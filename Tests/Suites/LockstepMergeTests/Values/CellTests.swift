import Testing

@testable import LockstepMerge
@testable import LockstepMergeEngine

@Suite("Cells")
struct CellTests {
    @Test("A cell has 16 bytes, so that a record fits in a few cache lines")
    func size() { #expect(MemoryLayout<Cell>.stride == 16) }
}
