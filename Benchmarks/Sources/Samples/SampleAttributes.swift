/// The mix of attributes that every sample entity has: the same kinds in each, under names that differ.
enum SampleAttributes {
    static func twelve(using random: inout SplitMix64) -> [SampleAttribute] {
        [
            identity(&random), title(&random), reference(&random), note(&random), renamed(&random), count(&random),
            begin(&random), end(&random), measure(&random), flag(&random), choice(&random), link(&random),
        ]
    }

    private static func identity(_ random: inout SplitMix64) -> SampleAttribute {
        SampleAttribute(name: "id", type: isOne(of: 4, &random) ? .int : .uuid)
    }

    private static func title(_ random: inout SplitMix64) -> SampleAttribute {
        SampleAttribute(
            name: pick(["title", "name", "heading", "caption", "subject"], &random), type: .string,
            minimumLength: 1, maximumLength: 200, isIndexed: isOne(of: 3, &random),
            documentation: "What people call it in lists.")
    }

    private static func reference(_ random: inout SplitMix64) -> SampleAttribute {
        SampleAttribute(
            name: pick(["reference", "code", "serialNumber", "slug", "barcode"], &random), type: .string,
            isUnique: isOne(of: 3, &random), documentation: "The sign on the paper, as the archive knows it.")
    }

    private static func note(_ random: inout SplitMix64) -> SampleAttribute {
        SampleAttribute(
            name: pick(["note", "remark", "bodyText", "instructions", "reason"], &random), type: .string,
            isOptional: true, documentation: "Whatever else there is to say.")
    }

    private static func renamed(_ random: inout SplitMix64) -> SampleAttribute {
        let (name, key) = pick([("summary", "description"), ("kindName", "type"), ("ownerName", "user")], &random)
        return SampleAttribute(
            name: name, type: .string, isOptional: isOne(of: 2, &random), key: key,
            documentation: "Called otherwise by the server.")
    }

    private static func count(_ random: inout SplitMix64) -> SampleAttribute {
        SampleAttribute(
            name: pick(["quantity", "rank", "pageCount", "stock", "durationMinutes"], &random), type: .int,
            defaultValue: "0", minimum: 0, maximum: 100_000, documentation: "Never below nothing.")
    }

    private static func begin(_ random: inout SplitMix64) -> SampleAttribute {
        SampleAttribute(
            name: pick(["createdAt", "openedAt", "recordedAt", "receivedAt"], &random), type: .date,
            defaultValue: "now", isIndexed: isOne(of: 4, &random))
    }

    private static func end(_ random: inout SplitMix64) -> SampleAttribute {
        SampleAttribute(
            name: pick(["updatedAt", "closedAt", "dueAt", "archivedAt"], &random), type: .date, isOptional: true,
            documentation: "Unknown until it happens.")
    }

    private static func measure(_ random: inout SplitMix64) -> SampleAttribute {
        if isOne(of: 3, &random) {
            return SampleAttribute(
                name: pick(["weight", "length", "temperature"], &random), type: .double, isOptional: true,
                documentation: "As the instrument showed it.")
        }
        return SampleAttribute(
            name: pick(["price", "amount", "balance", "fee"], &random), type: .decimal, defaultValue: "0", minimum: 0,
            documentation: "In the currency of the office.")
    }

    private static func flag(_ random: inout SplitMix64) -> SampleAttribute {
        SampleAttribute(
            name: pick(["isDone", "isHidden", "isShared", "isFavourite"], &random), type: .bool, defaultValue: "false")
    }

    private static func choice(_ random: inout SplitMix64) -> SampleAttribute {
        let enumeration = pick(SampleEnumeration.all, &random)
        return SampleAttribute(
            name: lowerCamelCase(enumeration.name), type: .enumeration(enumeration.name),
            defaultValue: enumeration.cases[1].name, documentation: enumeration.documentation)
    }

    private static func link(_ random: inout SplitMix64) -> SampleAttribute {
        SampleAttribute(
            name: pick(["link", "imageURL", "website", "thumbnailURL"], &random), type: .url, isOptional: true,
            documentation: "Where more of it is found.")
    }

    private static func pick<Element>(_ elements: [Element], _ random: inout SplitMix64) -> Element {
        elements[Int(random.next() % UInt64(elements.count))]
    }

    private static func isOne(of count: UInt64, _ random: inout SplitMix64) -> Bool {
        random.next() % count == 0
    }
}
