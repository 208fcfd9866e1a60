import LockstepStore
import Testing

@Suite("Columns")
struct ColumnDescriptionTests {
    @Test("The column and the key in JSON are the attribute's name unless they are given")
    func ownName() {
        let title = ColumnDescription.attribute("title", .string)
        #expect(title.name == "title")
        #expect(title.wire == "title")
        let text = ColumnDescription.attribute("bodyText", .string, column: "body_text", isOptional: true)
        #expect(text.name == "body_text")
        #expect(text.wire == "bodyText")
        let price = ColumnDescription.attribute("price", .decimal, wire: .path(["price"], format: .text))
        #expect(price.wire == .path(["price"], format: .text))
        #expect(ColumnDescription.attribute("localID", .uuid, wire: nil).wire == nil)
    }
}
