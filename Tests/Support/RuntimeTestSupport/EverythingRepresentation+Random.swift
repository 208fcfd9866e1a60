package import KitchenSink
import LockstepStore
import SampleTypes
package import TestSupport

extension EverythingRepresentation {
    /// One with a value of each type of attribute, as ``ValueMaker`` makes them.
    package static func random(_ random: inout SeededRandom) -> EverythingRepresentation {
        var values = ValueMaker(random: random)
        defer { random = values.random }
        return EverythingRepresentation(
            createdAt: values.date(), updatedAt: values.optional { $0.date() }, name: values.text(1...200),
            id: values.integer(Int.self), flag: values.flag(), small: values.integer(in: -100...100),
            medium: values.integer(Int32.self), large: values.integer(Int64.self), ratio: values.float(),
            precise: values.double(), exact: values.decimal(), day: values.midnight(), birthday: values.day(),
            token: values.uuid(),
            link: values.url(), blob: values.data(), extra: values.json(), mood: values.mood(),
            priority: values.priority(), state: values.element([.draft, .live, .default]),
            price: Money(stored: values.decimal()), slug: Slug(stored: values.text(0...20)),
            words: values.list { $0.text(0...9) }, moods: values.list { $0.mood() }, days: values.list { $0.date() },
            holidays: values.list { $0.day() },
            optionalFlag: values.optional { $0.flag() }, optionalSmall: values.optional { $0.integer(Int16.self) },
            optionalMedium: values.optional { $0.integer(Int32.self) },
            optionalLarge: values.optional { $0.integer(Int64.self) },
            optionalInt: values.optional { $0.integer(Int.self) }, optionalRatio: values.optional { $0.float() },
            optionalPrecise: values.optional { $0.double() }, optionalExact: values.optional { $0.decimal() },
            optionalDay: values.optional { $0.milliseconds() }, optionalSeconds: values.optional { $0.seconds() },
            optionalBirthday: values.optional { $0.day() }, optionalToken: values.optional { $0.uuid() },
            optionalLink: values.optional { $0.url() },
            optionalBlob: values.optional { $0.data() }, optionalExtra: values.optional { $0.nonNullJSON() },
            optionalMood: values.optional { $0.mood() }, optionalPriority: values.optional { $0.priority() },
            optionalState: values.optional { $0.element([.draft, .live]) },
            optionalPrice: values.optional { Money(stored: $0.decimal()) },
            optionalWords: values.optional { $0.list { $0.text(0...5) } },
            optionalNumbers: values.optional { $0.list { $0.integer(Int.self) } },
            note: values.optional { $0.text(0...50) }, summary: values.text(0...200),
            sku: values.optional { $0.text(0...9) }, oldSku: values.optional { $0.text(0...9) },
            ownerID: Person.Identity(country: values.text(0...5), number: values.integer(Int.self)),
            parts: [], labelIDs: [], cover: nil, scraps: [])
    }
}
