import TestSupport
import Testing

@testable import upkeep

struct FolderArrowsTests {
    private func arrows(_ files: [String: String]) -> FolderArrows {
        FolderArrows(
            SourceModule(
                name: "Shop",
                files: files.sorted { $0.key < $1.key }.map { SourceModule.SourceFile(path: $0.key, text: $0.value) }))
    }

    @Test func foldersAreInOrderOfLayers() {
        let arrows = arrows([
            "Shop.swift": "struct Shop { let sale: Sale }\n",
            "Goods/Deep/Item.swift": "struct Item {}\n",
            "Sales/Sale.swift": "struct Sale { let item: Item; let price: Price }\n",
            "Money/Price.swift": "struct Price {}\n",
        ])
        #expect(!arrows.hasCycle)
        #expect(
            ArrowReport(arrows: arrows).text == """
                Shop: 4 folders, no cycle
                  Goods  1 file, 1 line; uses none
                  Money  1 file, 1 line; uses none
                  Sales  1 file, 1 line; uses Goods (1), Money (1)
                  .      1 file, 1 line; uses Sales (1)

                """)
    }

    @Test func aCycleIsShownWithTheNamesThatMakeIt() {
        let arrows = arrows([
            "Goods/Item.swift": "struct Item { let sales: [Sale] }\n",
            "Goods/Goods.swift": "struct Goods { let first: Sale }\n",
            "Sales/Sale.swift": "struct Sale { let item: Item; let all: Goods }\n",
        ])
        #expect(arrows.hasCycle)
        #expect(
            ArrowReport(arrows: arrows).text == """
                Shop: 2 folders
                  Goods  2 files, 2 lines; uses Sales (1)
                  Sales  1 file, 1 line; uses Goods (2)
                  cycle of Goods, Sales:
                    Goods -> Sales: Sale in Goods.swift and 1 more
                    Sales -> Goods: Goods in Sale.swift; Item in Sale.swift

                """)
    }

    @Test func aCycleThroughAThirdFolderIsFound() {
        let arrows = arrows([
            "A/A.swift": "struct A { let b: B }", "B/B.swift": "struct B { let c: C }",
            "C/C.swift": "struct C { let a: A }", "D/D.swift": "struct D { let a: A }",
        ])
        #expect(arrows.cycles == [["A", "B", "C"], ["D"]])
    }

    @Test func aFolderUsesNothingOutsideOfFolders() {
        let arrows = arrows(["Shop.swift": "struct Shop {}", "Sales/Sale.swift": "struct Sale { let shop: Shop }"])
        #expect(arrows.hasCycle)
        #expect(ArrowReport(arrows: arrows).text.contains("no folder may use:\n    Sales -> .: Shop in Sale.swift\n"))
    }

    @Test func aTypeOfTwoFoldersIsReported() {
        let arrows = arrows([
            "A/A.swift": "#if os(Linux)\nstruct Lock {}\n#endif", "B/B.swift": "#if !os(Linux)\nstruct Lock {}\n#endif",
            "C/C.swift": "let lock = Lock()",
        ])
        #expect(arrows.uses.isEmpty)
        #expect(ArrowReport(arrows: arrows).text.contains("more than one folder declares it: Lock (A, B)"))
    }

    /// The purpose of the modules' folders: the left side of an arrow can be understood without the right side.
    @Test func theModulesHaveNoCycle() throws {
        let check = try FolderCheck([], of: Documentation.root)
        #expect(check.text.contains("LockstepSync: ") && check.text.contains("lockstep: "))
        #expect(check.modulesWithCycles == [], "\(check.text)")
    }
}
