import Testing

@testable import LockstepSchema

@Suite("Names in Swift")
struct SwiftNameTests {
    @Test(
        "are escaped if they are keywords",
        arguments: ["default", "class", "in", "Any", "await", "unsafe", "inout", "subscript"])
    func escaped(name: String) {
        #expect(SwiftName.member(name) == "`\(name)`")
        #expect(SwiftName.enumerationCase(name) == "`\(name)`")
    }

    @Test(
        "are kept if Swift allows it",
        arguments: ["type", "description", "hash", "id", "get", "actor", "some_", "any", "value"])
    func kept(name: String) {
        #expect(SwiftName.member(name) == name)
    }

    @Test(
        "are renamed if backticks do not help",
        arguments: ["self", "Self", "init", "Type", "Protocol", "dynamicType", "_", "hashValue"])
    func renamed(name: String) {
        #expect(SwiftName.member(name) == name + "_")
    }

    @Test(
        "of cases avoid the members of enums and optionals",
        arguments: [
            "self", "init", "none", "some", "rawValue", "hashValue", "allCases", "placeholder", "Type", "Protocol",
        ])
    func cases(name: String) {
        #expect(SwiftName.enumerationCase(name) == name + "_")
    }

    @Test(
        "of types avoid those of Swift and of generated classes",
        arguments: [
            "Type", "Protocol", "Self", "Any", "Columns", "CodingKeys", "Identity", "Relationships", "Representation",
            "Object", "WireIdentity", "ID", "RawValue", "DatabaseComponents",
        ])
    func types(name: String) {
        #expect(SwiftName.type(name) == name + "_")
    }

    @Test(
        "of types are kept otherwise, since keywords are not capitalized",
        arguments: ["Entry", "Class", "Default", "Task", "List"])
    func otherTypes(name: String) {
        #expect(SwiftName.type(name) == name)
    }
}
