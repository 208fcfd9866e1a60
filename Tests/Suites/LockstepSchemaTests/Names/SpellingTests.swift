import Testing

@testable import LockstepSchema

@Suite("Spelling of names")
struct SpellingTests {
    @Test(
        "N1 keeps acronyms whole",
        arguments: [
            ("userID", "user_id", "userId"), ("imageURL", "image_url", "imageUrl"),
            ("HTMLTidy", "html_tidy", "htmlTidy"),
            ("JobSheet", "job_sheet", "jobSheet"), ("tagIDs", "tag_ids", "tagIds"),
            ("URLsByName", "urls_by_name", "urlsByName"), ("body_text", "body_text", "bodyText"),
            ("bodyText", "body_text", "bodyText"), ("BodyText", "body_text", "bodyText"), ("_id", "_id", "_id"),
            ("__typeName", "__type_name", "__typeName"), ("name_", "name_", "name_"), ("a__b", "a_b", "aB"),
            ("model3D", "model3d", "model3d"), ("is3DView", "is3d_view", "is3dView"),
            ("line1ID", "line1_id", "line1Id"),
            ("utf8String", "utf8_string", "utf8String"), ("UTF8String", "utf8_string", "utf8String"),
            ("sha256", "sha256", "sha256"), ("ÜberName", "über_name", "überName"),
            ("größeÄrmel", "größe_ärmel", "größeÄrmel"),
            ("x", "x", "x"), ("_", "_", "_"), ("X", "x", "x"), ("", "", ""),
        ])
    func spells(name: String, snakeCase: String, camelCase: String) {
        #expect(NameSpelling.snake_case.spell(name) == snakeCase)
        #expect(NameSpelling.camelCase.spell(name) == camelCase)
        #expect(NameSpelling.asWritten.spell(name) == name)
    }

    @Test("joins names so that they stay separate words")
    func joins() {
        #expect(NameSpelling.snake_case.spell("baseURL", "ID") == "base_url_id")
        #expect(NameSpelling.camelCase.spell("baseURL", "ID") == "baseUrlId")
        #expect(NameSpelling.asWritten.spell("baseURL", "ID") == "baseURLID")
        #expect(NameSpelling.asWritten.spell("images", "position") == "imagesPosition")
    }

    @Test(
        "creates a member name from a type name",
        arguments: [("ProductReview", "productReview"), ("HTMLPage", "htmlPage"), ("URL", "url"), ("A", "a")])
    func lowers(name: String, expected: String) {
        #expect(NameWords(name).lowerCamelCase == expected)
    }
}

@Suite("Identifiers")
struct IdentifierTests {
    @Test(
        "are letters, digits and underscores",
        arguments: ["a", "_", "_1", "bodyText", "größe", "名前", "e\u{301}te", "ก็", "Ω2"])
    func valid(name: String) {
        #expect(Identifier.isValid(name))
    }

    @Test(
        "contain nothing else",
        arguments: ["", "1a", "a b", "a-b", "a.b", "`a`", "a\"b", "it's", "🙂", "\u{301}", "a\u{200B}", "$0", "a\0"])
    func invalid(name: String) {
        #expect(!Identifier.isValid(name))
    }

    @Test(
        "are corrected for a remedy",
        arguments: [("body-text", "body_text"), ("1st", "_1st"), ("a b ", "a_b"), ("🙂", nil), ("it's", "it_s")])
    func corrected(name: String, expected: String?) {
        #expect(Identifier.corrected(name) == expected)
    }

    @Test(
        "of types begin with a capital letter",
        arguments: [
            ("Entry", true), ("entry", false), ("_Entry", false), ("Ärmel", true), ("ärmel", false), ("名前", true),
        ])
    func types(name: String, isType: Bool) {
        #expect(Identifier.startsLikeType(name) == isType)
    }
}
