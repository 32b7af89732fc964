// SPDX-License-Identifier: Apache-2.0

/// The singular of an English word in lower case; the word itself if it is none.
enum Singular {
    private static let irregular: [String: String] = [
        "people": "person", "children": "child", "men": "man", "women": "woman", "feet": "foot", "teeth": "tooth", "geese": "goose",
        "mice": "mouse", "data": "datum", "media": "medium", "criteria": "criterion", "phenomena": "phenomenon", "indices": "index",
        "vertices": "vertex", "matrices": "matrix", "appendices": "appendix", "oxen": "ox", "dice": "die", "axes": "axis",
        "quizzes": "quiz", "crises": "crisis", "analyses": "analysis", "bases": "base", "theses": "thesis",
        "diagnoses": "diagnosis", "hypotheses": "hypothesis", "parentheses": "parenthesis", "movies": "movie", "cookies": "cookie",
        "ties": "tie", "pies": "pie", "lies": "lie", "zombies": "zombie", "calories": "calorie", "selfies": "selfie",
        "brownies": "brownie", "hobbies": "hobby", "caches": "cache", "niches": "niche", "aches": "ache", "headaches": "headache",
        "moustaches": "moustache", "avalanches": "avalanche", "buses": "bus", "statuses": "status", "bonuses": "bonus",
        "viruses": "virus", "gases": "gas", "lenses": "lens", "campuses": "campus", "focuses": "focus", "aliases": "alias",
        "atlases": "atlas", "biases": "bias", "canvases": "canvas", "choruses": "chorus", "circuses": "circus",
        "corpuses": "corpus", "censuses": "census", "minuses": "minus", "pluses": "plus", "surpluses": "surplus", "uses": "use",
        "yes": "yes", "knives": "knife", "lives": "life", "wives": "wife", "shelves": "shelf", "leaves": "leaf", "wolves": "wolf",
        "halves": "half", "calves": "calf", "thieves": "thief", "loaves": "loaf", "selves": "self", "scarves": "scarf",
        "elves": "elf", "shoes": "shoe", "heroes": "hero", "potatoes": "potato", "tomatoes": "tomato", "echoes": "echo",
        "vetoes": "veto", "torpedoes": "torpedo", "gloves": "glove", "menus": "menu", "emus": "emu", "gurus": "guru",
        "taxis": "taxi", "skis": "ski", "kiwis": "kiwi", "apis": "api", "ids": "id", "gigs": "gig", "urls": "url", "uris": "uri",
        "skus": "sku", "cpus": "cpu", "gpus": "gpu",
    ]

    private static let unchanging: Set<String> = [
        "news", "series", "species", "status", "address", "analysis", "gas", "bus", "basis", "crisis", "axis", "chassis", "means",
        "sheep", "fish", "deer", "aircraft", "lens", "alias", "atlas", "bias", "canvas", "physics", "mathematics", "economics",
        "politics", "athletics", "always", "christmas", "diabetes", "tennis", "this", "us", "is", "as", "was", "has", "sms", "gps",
        "https", "css", "dns", "os", "ios", "macos", "aws", "ms", "rss", "tls", "pos", "sos",
    ]

    static func of(_ word: String) -> String {
        if let known = irregular[word] { return known }
        if unchanging.contains(word) || word.count < 3 { return word }
        if word.hasSuffix("ies") { return word.dropLast(3) + "y" }
        for ending in ["sses", "xes", "ches", "shes"] where word.hasSuffix(ending) { return String(word.dropLast(2)) }
        guard word.hasSuffix("s"), let before = word.dropLast().last, !["s", "u", "i"].contains(before) else { return word }
        return String(word.dropLast())
    }

    /// Of a name of several words the last one.
    static func of(_ words: [String]) -> [String] {
        guard let last = words.last else { return words }
        return words.dropLast() + [of(last)]
    }
}
