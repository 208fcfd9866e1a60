extension Noun {
    /// The plural of one lowercase word. A word that is recognized as a plural is unchanged.
    static func pluralOfWord(_ word: String) -> String {
        if uncountable.contains(word) || irregularSingulars[word] != nil { return word }
        if let plural = irregularPlurals[word] { return plural }
        let end = WordEnd(word)
        if end.has("men"), !plainMen.contains(word) { return word }
        if let plural = pluralOfLatin(end) ?? pluralOfHiss(end) { return plural }
        if end.has("y"), end.hasConsonant(beforeEnd: 1) || end.has("quy") { return end.dropping(1, adding: "ies") }
        if end.has("man"), !plainMan.contains(word) { return end.dropping(2, adding: "en") }
        if end.has("lf") && word != "gulf" && word != "golf" { return end.dropping(1, adding: "ves") }
        return word + "s"
    }

    /// `analysis`, `matrix`, `vertex`.
    private static func pluralOfLatin(_ end: WordEnd) -> String? {
        if end.has("sis") { return end.dropping(2, adding: "es") }
        if end.has("matrix") || end.has("appendix") { return end.dropping(1, adding: "ces") }
        if end.has("vertex") || end.word == "index" { return end.dropping(2, adding: "ices") }
        return nil
    }

    /// Words that end in a sibilant take `es`; those in a single `s` that are no known singular are plurals already.
    private static func pluralOfHiss(_ end: WordEnd) -> String? {
        if end.has("quiz") { return end.dropping(0, adding: "zes") }
        if end.has("ss") || end.has("x") || end.has("ch") || end.has("sh") || end.has("zz") || end.has("tz") {
            return hardCh.contains(end.word) ? nil : end.word + "es"
        }
        guard end.has("s") else { return nil }
        let isSingular = end.has("us") || end.has("is") || singularsInS.contains(end.word)
        return isSingular && !pluralsInUsOrIs.contains(end.word) ? end.word + "es" : end.word
    }

    /// The singulars in a single `s` other than those in `-us` and `-is`.
    static let singularsInS: Set<String> = [
        "alias", "atlas", "bias", "canvas", "gas", "lens", "pancreas", "christmas", "texas", "cosmos", "chaos", "ethos",
        "rhinoceros", "yes", "gps", "sms", "dns", "css", "os", "ios", "https", "tls", "pos", "sos",
    ]
    /// Plurals that look like singulars in `-us` or `-is`.
    static let pluralsInUsOrIs: Set<String> = [
        "menus", "submenus", "gurus", "emus", "gnus", "cpus", "gpus", "apis", "uris", "emojis", "wikis", "taxis",
        "skis",
        "kiwis", "pois", "kpis", "bikinis", "graffitis", "safaris", "rabbis",
    ]
    /// Words in `-ch` that is pronounced like `-k`.
    private static let hardCh: Set<String> = ["stomach", "monarch", "patriarch", "matriarch", "epoch", "loch", "tech"]
    /// Words in `-man` with a plain `s`.
    static let plainMan: Set<String> = [
        "human", "german", "roman", "norman", "ottoman", "shaman", "talisman", "caiman", "cayman", "superhuman",
    ]
}
