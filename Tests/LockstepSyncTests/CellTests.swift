import Testing

@testable import LockstepMerge

@Suite("Cells")
struct CellTests {
    @Test("A cell is sixteen bytes, so that a record is a few cache lines")
    func size() { #expect(MemoryLayout<Cell>.stride == 16) }
}
