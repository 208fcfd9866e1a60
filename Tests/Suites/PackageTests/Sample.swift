/// The initial contents of the user's package.
enum Sample {
    static let journalPath = "Sources/App/Journal.lockstep.yaml"
    static let mainPath = "Sources/App/main.swift"
    static let configurationPath = "Sources/Models/lockstep.yaml"

    static func manifest(library: String) -> String {
        """
        // swift-tools-version: 6.1
        import PackageDescription

        let package = Package(
            name: "notes-app",
            platforms: [.macOS(.v14)],
            dependencies: [.package(url: "\(library)", from: "1.0.0")],
            targets: [
                .target(
                    name: "Models",
                    dependencies: [.product(name: "LockstepStore", package: "lockstep")],
                    plugins: [.plugin(name: "LockstepBuildPlugin", package: "lockstep")]),
                .executableTarget(
                    name: "App",
                    dependencies: ["Models", .product(name: "LockstepStore", package: "lockstep")],
                    plugins: [.plugin(name: "LockstepBuildPlugin", package: "lockstep")]),
            ])

        """
    }

    static let sources = [
        "Schemas/Recipes.yaml": recipes, configurationPath: configuration, "Sources/Models/Models.swift": models,
        journalPath: journal, mainPath: main,
    ]

    static let recipes = """
        lockstep: 1
        schema: Recipes
        entities:
          Recipe:
            attributes: { id: uuid, title: string }

        """

    static let configuration = """
        schemas: ../../Schemas
        access: public

        """

    static let models = """
        extension Recipe {
            public var heading: String { "Recipe: " + title }
        }

        """

    static let journal = """
        lockstep: 1
        schema: Journal
        enums:
          Mood: [sad, neutral, happy]
        entities:
          Entry:
            attributes:
              id: uuid
              title: string
              mood: { type: Mood, default: neutral }
          Tag:
            attributes: { id: int, name: string }

        """

    static let main = """
        import LockstepStore
        import Models

        let store = try Store(JournalSchema.self, at: .inMemory)
        let entry = Entry(title: "Hello", mood: .happy, context: store.mainContext)
        try store.mainContext.save()
        let recipes = try Store(RecipesSchema.self, at: .inMemory)
        let recipe = Recipe(title: "Soup", context: recipes.mainContext)
        print(entry.title, entry.mood, recipe.heading)

        """
}
