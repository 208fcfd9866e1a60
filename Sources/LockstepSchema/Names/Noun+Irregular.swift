extension Noun {
    /// Words with the same singular and plural.
    static let uncountable: Set<String> = [
        "series", "species", "news", "equipment", "information", "money", "fish", "sheep", "deer", "moose", "salmon",
        "trout", "shrimp", "swine", "bison", "aircraft", "spacecraft", "hovercraft", "offspring", "rice", "police",
        "jeans", "trousers", "scissors", "software", "hardware", "firmware", "furniture", "luggage", "feedback",
        "metadata", "homework", "music", "traffic", "weather", "chassis", "headquarters", "means", "mathematics",
        "physics", "economics", "politics", "analytics", "statistics", "logistics", "athletics",
    ]

    /// Irregular plurals, by their singulars.
    static let irregularPlurals: [String: String] = [
        "person": "people", "child": "children", "grandchild": "grandchildren", "ox": "oxen", "foot": "feet",
        "tooth": "teeth", "goose": "geese", "mouse": "mice", "louse": "lice", "die": "dice",
        "criterion": "criteria", "phenomenon": "phenomena", "datum": "data", "medium": "media",
        "bacterium": "bacteria", "curriculum": "curricula", "memorandum": "memoranda", "erratum": "errata",
        "millennium": "millennia", "octopus": "octopuses", "cactus": "cacti", "fungus": "fungi", "nucleus": "nuclei",
        "stimulus": "stimuli", "alumnus": "alumni", "radius": "radii", "syllabus": "syllabi", "larva": "larvae",
        "formula": "formulas", "antenna": "antennas", "genus": "genera", "corpus": "corpora", "opus": "opera",
        "axis": "axes", "testis": "testes", "hero": "heroes", "superhero": "superheroes", "potato": "potatoes",
        "tomato": "tomatoes", "echo": "echoes", "veto": "vetoes", "torpedo": "torpedoes", "buffalo": "buffaloes",
        "mosquito": "mosquitoes", "volcano": "volcanoes", "tornado": "tornadoes", "cargo": "cargoes",
        "embargo": "embargoes", "domino": "dominoes", "mango": "mangoes", "leaf": "leaves", "loaf": "loaves",
        "thief": "thieves", "sheaf": "sheaves", "hoof": "hooves", "scarf": "scarves", "dwarf": "dwarves",
        "wharf": "wharves", "knife": "knives", "life": "lives", "afterlife": "afterlives", "wife": "wives",
        "midwife": "midwives", "housewife": "housewives", "codex": "codices", "quiz": "quizzes",
        "passerby": "passersby", "bus": "buses", "basis": "bases",
    ]

    /// The same in reverse, and plurals that would be mistaken for something else.
    static let irregularSingulars: [String: String] = {
        var singulars = Dictionary(irregularPlurals.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
        // In an app, `bases` is more often the plural of base than of basis.
        singulars["bases"] = "base"
        singulars["lives"] = "life"
        return singulars
    }()
}
