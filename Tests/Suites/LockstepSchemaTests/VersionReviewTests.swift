import LockstepEvolution
import LockstepReview
import Testing

@testable import LockstepSchema

/// Compares `text`, with its markers, with a former schema.
@discardableResult
private func expectReview(
    of text: String, since former: String, sourceLocation: SourceLocation = #_sourceLocation,
    hints: (inout ReviewHints) -> Void = { _ in }
) throws -> ChangeReview {
    let schema = try #require(
        readVersions([VersionedSource(schema: SchemaSource(text))], checking: .history).schemas.first,
        sourceLocation: sourceLocation)
    let old = try #require(readSchemas([SchemaSource(former)]).schemas.first, sourceLocation: sourceLocation)
    var given = ReviewHints()
    hints(&given)
    let review = try schema.review(from: SchemaTree(old.structure), hints: given)
    #expect(review.problems == [], sourceLocation: sourceLocation)
    let findings = review.findings.filter { $0.level != .note }
    expect(
        schema.diagnostics(of: findings, command: "lockstep migrate"), areThosePointedAtIn: text,
        sourceLocation: sourceLocation)
    return review
}

@Suite("The review of changes")
struct VersionReviewTests {
    private static func shop(_ attributes: String, _ rest: String = "") -> String {
        """
        lockstep: 1
        schema: Shop
        enums:
          Size: { closed: true, cases: [small, large] }
          Kind: [plain, fancy]
        entities:
          Product:
            attributes: { id: int, \(attributes) }
        \(rest)
        """
    }

    private static func change(_ former: String, _ new: String) throws -> ChangeReview {
        try change(to: shop(new), from: shop(former))
    }

    private static func change(to text: String, from former: String) throws -> ChangeReview {
        let schema = try #require(
            readVersions([VersionedSource(schema: SchemaSource(text))], checking: .history).schemas.first)
        let old = try #require(readSchemas([SchemaSource(former)]).schemas.first)
        return try schema.review(from: SchemaTree(old.structure), hints: ReviewHints())
    }

    @Test(
        "Types that have every value of the former one need no answer",
        arguments: [
            ("int16", "int32"), ("int32", "int"), ("int", "int64"), ("int64", "int"), ("int", "double"),
            ("int32", "decimal"), ("bool", "int"), ("float", "double"), ("uuid", "string"), ("url", "string"),
            ("decimal", "string"), ("Kind", "string"), ("string", "Kind"), ("Size", "string"), ("string", "string?"),
        ])
    func wider(former: String, new: String) throws {
        #expect(try Self.change("a: \(former)", "a: \(new)").isComplete)
    }

    @Test(
        "Types that have not are narrower",
        arguments: [
            ("int", "int16"), ("double", "int"), ("double", "float"), ("string", "int"), ("string", "date"),
            ("string", "uuid"), ("string", "Size"), ("Kind", "Size"), ("data", "string"), ("json", "string"),
            ("\"[string]\"", "string"), ("int", "bool"), ("date", "string"),
        ])
    func narrower(former: String, new: String) throws {
        let review = try Self.change("a: \(former)", "a: \(new)")
        #expect(review.findings.filter { $0.level == .error }.map(\.code) == [.narrowsType])
    }

    @Test(
        "V10 An identity keeps its type, unless the values of both are stored in the same way",
        arguments: [
            ("int16", "int", true), ("uuid", "string", true), ("int", "string", false), ("int", "uuid", false),
        ])
    func identity(former: String, new: String, isAllowed: Bool) throws {
        let texts = [former, new].map { Self.shop("a: int").replacing("id: int", with: "id: \($0)") }
        let review = try Self.change(to: texts[1], from: texts[0])
        let codes = review.findings.filter { $0.level == .error }.map(\.code)
        #expect(codes == (isAllowed ? [] : [.changesIdentity]))
    }

    @Test("Limits: only what excludes more values needs an answer")
    func limits() throws {
        let free = ["a: { type: int, min: 1, max: 9 }", "a: { type: int, min: 0, max: 9 }"]
        #expect(try Self.change(free[0], free[1]).isComplete)
        #expect(try Self.change(free[0], "a: int").isComplete)
        for (former, new) in [
            (free[1], free[0]), ("a: int", free[0]),
            ("a: { type: string, maxLength: 9 }", "a: { type: string, maxLength: 8 }"),
            ("a: string", "a: { type: string, minLength: 1 }"),
        ] {
            let review = try Self.change(former, new)
            #expect(review.findings.filter { $0.level == .error }.map(\.code) == [.tightensLimit])
        }
    }

    @Test("A default answers what is added or becomes required; a value that all records share is not unique")
    func defaults() throws {
        #expect(try Self.change("b: int", "b: int, a: { type: string, default: x }").isComplete)
        #expect(try Self.change("b: int", "b: int, a: { type: date, default: now }").isComplete)
        #expect(try Self.change("b: int", "b: int, a: { type: uuid, default: new, unique: true }").isComplete)
        let required = try Self.change("a: string?", "a: { type: string, default: x }")
        #expect(required.isComplete)
        #expect(required.changes.first?.answers.fill == ReviewHints.value("x"))
        let unique = try Self.change("b: int", "b: int, a: { type: string, default: x, unique: true }")
        #expect(unique.findings.filter { $0.level == .error }.map(\.code) == [.becomesUnique])
    }

    @Test("An enum that becomes closed, one that opens, and raw values that change")
    func enums() throws {
        let former = Self.shop("size: Size, kind: Kind")
        try expectReview(of: former.replacing("closed: true, ", with: ""), since: former)
        let closed = """
            lockstep: 1
            schema: Shop
            enums:
              Size: { closed: true, cases: [small, large] }
              Kind: { closed: true, cases: [plain] }
            # ^ removes-case: 'Kind' becomes closed
            # ^ removes-case: The case 'Kind.fancy' of a closed enum is removed
            entities:
              Product:
                attributes: { id: int, size: Size, kind: Kind }
            """
        try expectReview(of: closed, since: former)
        let review = try expectReview(
            of: former.replacing("[plain, fancy]", with: "{ plain: P, fancy: F }"), since: former)
        #expect(review.changes.map(\.answers.cases) == [["plain": "plain", "fancy": "fancy"]])
    }

    @Test("A relationship that is stored in another way, and one that becomes required")
    func relationships() throws {
        let former = """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                relationships: { maker: Maker?, owner: { to: Maker?, inverse: products } }
              Maker:
                attributes: { id: int }
                relationships: { products: { to: [Product], inverse: owner } }
            """
        let new = """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int }
                relationships: { maker: Maker, owner: { to: [Maker], inverse: products } }
                #                ^ becomes-required: 'Product.maker' becomes required
                #                              ^ narrows-type: from Maker? to [Maker]
              Maker:
                attributes: { id: int }
                relationships: { products: { to: [Product], inverse: owner } }
            """
        try expectReview(of: new, since: former)
        let plain = new.split(separator: "\n").filter { !$0.contains("^") }.joined(separator: "\n")
        let review = try expectReview(of: plain, since: former) { hints in
            hints.refetched = ["Product"]
            hints.removals = [MemberPath("Product", member: "owner")]
        }
        #expect(review.isComplete)
    }

    @Test("A relationship that is its own inverse, and becomes to-one: several links of a record cannot stay")
    func symmetric() throws {
        let former = """
            lockstep: 1
            schema: Shop
            entities:
              Person:
                attributes: { id: int }
                relationships: { friend: { to: [Person], inverse: friend } }
            """
        let new = """
            lockstep: 1
            schema: Shop
            entities:
              Person:
                attributes: { id: int }
                relationships: { friend: { to: Person?, inverse: friend } }
                #                ^ narrows-type: from [Person] to Person?; the links of existing records are lost
            """
        try expectReview(of: new, since: former)
    }

    @Test("A unique index over members that were unique already needs no answer")
    func indexes() throws {
        let former = """
            lockstep: 1
            schema: Shop
            entities:
              Product:
                attributes: { id: int, a: int, b: { type: int, unique: true } }
            """
        try expectReview(of: former + "\n    indexes: [{ on: [a, b], unique: true }]", since: former)
        let indexed = """
            lockstep: 1
            schema: Shop
            entities:
              Product:
            # ^ becomes-unique: An index of 'Product'
                attributes: { id: int, a: int, b: { type: int, unique: true } }
                indexes: [{ on: [a], unique: true }]
            """
        try expectReview(of: indexed, since: former)
    }

    @Test("What has the same name and is something else is removed and added")
    func replaced() throws {
        let review = try expectReview(of: Self.shop("a: int?"), since: Self.shop("a: string?")) {
            $0.removals = [MemberPath("Product", member: "a")]
        }
        #expect(review.changes.map(\.text) == ["- Product.a: string?", "+ Product.a: int?"])
        #expect(review.isComplete)
    }

    @Test("Names that change places are renamed, and keep their values")
    func swapped() throws {
        let review = try expectReview(
            of: Self.shop("a: { type: int, key: b }, b: { type: string, key: a }"),
            since: Self.shop("a: string, b: int")
        ) {
            $0.renames = [MemberPath("Product", member: "a"): "b", MemberPath("Product", member: "b"): "a"]
        }
        #expect(review.isComplete)
        #expect(
            ReviewHints(recordedIn: review.changes).renames == [
                MemberPath("Product", member: "a"): "b", MemberPath("Product", member: "b"): "a",
            ])
    }
}
