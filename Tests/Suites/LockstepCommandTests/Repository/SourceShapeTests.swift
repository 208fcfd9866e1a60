import Testing

@testable import upkeep

struct SourceShapeTests {
    @Test func parametersWithoutALabelAreCounted() {
        let shape = SourceShape(
            """
            func one(_ a: Int, b: Int) {}
            func two(_ a: (Int, _ b: Int) -> Void, with b: [Int]) {}
            func three<Value>(_ a: Value, @Body _ b: () -> Value) {}
            static func == (_ left: Self, _ right: Self) -> Bool { true }
            """)
        #expect(shape.functionCount == 4)
        #expect(shape.unlabelledFunctions == ["three", "operator"])
    }

    @Test func publicDeclarationsAreThoseOfNoSPI() {
        let shape = SourceShape(
            """
            public import Foundation
            public struct One { public private(set) var two: Int; @_spi(Generated) public init() {} }
            @MainActor open class Three { open override func four() {} }
            package func five() {}
            """)
        #expect(shape.publicCount == 4)
    }
}
