import TestSupport
import Testing

@testable import LockstepSchema

@Suite("English plurals and singulars")
struct NounTests {
    static let pairs: [(String, String)] = [
        ("person", "people"), ("series", "series"), ("category", "categories"), ("analysis", "analyses"),
        ("matrix", "matrices"), ("mouse", "mice"), ("status", "statuses"), ("child", "children"), ("box", "boxes"),
        ("hero", "heroes"), ("leaf", "leaves"), ("address", "addresses"), ("news", "news"), ("human", "humans"),
        ("woman", "women"), ("quiz", "quizzes"), ("day", "days"), ("bus", "buses"), ("lens", "lenses"),
        ("photo", "photos"), ("shelf", "shelves"), ("house", "houses"), ("phase", "phases"), ("cache", "caches"),
        ("movie", "movies"), ("valve", "valves"), ("archive", "archives"), ("invoice", "invoices"),
        ("index", "indices"),
        ("vertex", "vertices"), ("base", "bases"), ("case", "cases"), ("expense", "expenses"), ("size", "sizes"),
        ("database", "databases"), ("response", "responses"), ("use", "uses"), ("dish", "dishes"), ("class", "classes"),
        ("iris", "irises"), ("campus", "campuses"), ("gas", "gases"), ("alias", "aliases"), ("price", "prices"),
        ("knife", "knives"), ("life", "lives"), ("roof", "roofs"), ("golf", "golfs"), ("key", "keys"),
        ("taxi", "taxis"),
        ("tax", "taxes"), ("axis", "axes"), ("criterion", "criteria"), ("api", "apis"), ("stomach", "stomachs"),
        ("church", "churches"), ("tie", "ties"), ("toe", "toes"), ("shoe", "shoes"), ("tomato", "tomatoes"),
        ("crisis", "crises"), ("hypothesis", "hypotheses"), ("cheese", "cheeses"), ("exercise", "exercises"),
        ("bonus", "bonuses"), ("clause", "clauses"), ("wolf", "wolves"), ("move", "moves"), ("sheep", "sheep"),
        ("sub_task", "sub_tasks"), ("blog_category", "blog_categories"), ("childTask", "childTasks"),
        ("ProductReview", "ProductReviews"), ("userID", "userIDs"), ("SalesPerson", "SalesPeople"),
        ("Child", "Children"),
    ]

    @Test("N2 are converted both ways", arguments: pairs)
    func bothWays(singular: String, plural: String) {
        #expect(Noun.plural(singular) == plural)
        #expect(Noun.singular(plural) == singular)
    }

    @Test("N2 leave names that already have the requested form", arguments: pairs)
    func leave(singular: String, plural: String) {
        #expect(Noun.plural(plural) == plural)
        #expect(Noun.singular(singular) == singular)
    }

    @Test("N2 do not depend on the words before the last one", arguments: Seeds.some(50, of: UInt64(0)...999))
    func compound(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let words = Self.pairs.filter { $0.0.allSatisfy(\.isLowercase) }
        let (singular, plural) = random.element(of: words)
        let others = (0..<Int.random(in: 1...2, using: &random)).map { _ in random.element(of: words).0 }
        let isSnake = random.isOne(in: 2)
        func compound(_ last: String) -> String {
            if isSnake { return (others + [last]).joined(separator: "_") }
            return others[0] + (others.dropFirst() + [last]).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        }
        #expect(Noun.plural(compound(singular)) == compound(plural))
        #expect(Noun.singular(compound(plural)) == compound(singular))
    }

    @Test("leave names without words", arguments: ["", "_", "__"])
    func leaveNothing(name: String) {
        #expect(Noun.plural(name) == name)
        #expect(Noun.singular(name) == name)
    }
}
