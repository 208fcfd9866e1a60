extension Noun {
    /// The singular of one lowercase word. A word that is recognized as a singular is unchanged.
    static func singularOfWord(_ word: String) -> String {
        if uncountable.contains(word) || singularsInS.contains(word) { return word }
        if let singular = irregularSingulars[word] { return singular }
        let end = WordEnd(word)
        if end.has("men"), !plainMen.contains(word) { return end.dropping(2, adding: "an") }
        guard end.has("s"), end.bytes.count > 2, !end.has("ss") else { return word }
        if end.has("is") || end.has("us") { return pluralsInUsOrIs.contains(word) ? end.dropping(1) : word }
        return singularOfLatin(end) ?? singularOfHiss(end) ?? singularOfVowel(end) ?? end.dropping(1)
    }

    /// `analyses`, `matrices`, `vertices`.
    private static func singularOfLatin(_ end: WordEnd) -> String? {
        let isGreek = end.has("lyses") || end.has("eses") || end.has("gnoses") || end.has("crises") || end.has("opses")
        if isGreek, !end.has("eeses"), !end.has("ceses") { return end.dropping(2, adding: "is") }
        if end.has("matrices") || end.has("appendices") { return end.dropping(3, adding: "x") }
        if end.has("vertices") || end.word == "indices" { return end.dropping(4, adding: "ex") }
        return nil
    }

    /// `statuses`, `boxes`, `dishes`, but `houses`, `phases`, `caches`.
    private static func singularOfHiss(_ end: WordEnd) -> String? {
        if end.has("quizzes") { return end.dropping(3) }
        if end.has("sses") || end.has("xes") || end.has("shes") || end.has("zzes") || end.has("tzes") {
            return end.dropping(2)
        }
        if end.has("ches") { return singularsInChe.contains(end.dropping(1)) ? end.dropping(1) : end.dropping(2) }
        if end.has("uses") {
            let keepsE = end.has("ouses") || end.has("auses") || singularsInUse.contains(end.dropping(1))
            return end.dropping(keepsE ? 1 : 2)
        }
        if end.has("ses"), singularsInS.contains(end.dropping(2)) || end.has("irises") { return end.dropping(2) }
        return nil
    }

    /// `categories`, `heroes`, `leaves`, but `movies`, `shoes`, `archives`.
    private static func singularOfVowel(_ end: WordEnd) -> String? {
        if end.has("ies") {
            let keepsE = end.bytes.count <= 4 || singularsInIe.contains(end.dropping(1))
            return keepsE ? end.dropping(1) : end.dropping(3, adding: "y")
        }
        if end.has("oes") {
            let keepsE = singularsInOe.contains(end.dropping(1)) || end.has("shoes")
            return keepsE ? end.dropping(1) : end.dropping(2)
        }
        if end.has("lves"), !singularsInLve.contains(end.dropping(1)) { return end.dropping(3, adding: "f") }
        return nil
    }

    static let plainMen: Set<String> = ["specimen", "regimen", "abdomen", "omen", "stamen", "semen", "amen"]
    private static let singularsInChe: Set<String> = [
        "cache", "ache", "headache", "toothache", "niche", "avalanche", "quiche", "moustache", "psyche", "creche",
        "pastiche", "cliche",
    ]
    private static let singularsInUse: Set<String> = [
        "use", "reuse", "fuse", "abuse", "excuse", "muse", "ruse", "refuse", "recluse",
    ]
    private static let singularsInIe: Set<String> = [
        "movie", "cookie", "zombie", "selfie", "brownie", "calorie", "genie", "rookie", "smoothie", "hoodie", "birdie",
        "prairie", "auntie", "collie", "eerie", "pixie", "foodie", "indie", "necktie", "talkie", "veggie", "walkie",
        "bookie", "goalie", "newbie", "sortie", "budgie", "caddie", "freebie", "lingerie", "magpie", "untie",
    ]
    private static let singularsInOe: Set<String> = ["toe", "canoe", "oboe", "foe", "hoe", "floe", "doe", "roe", "woe"]
    private static let singularsInLve: Set<String> = ["valve", "solve", "resolve", "involve", "evolve", "revolve"]
}
