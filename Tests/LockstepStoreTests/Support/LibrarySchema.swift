import LockstepStore

/// A small library, with every kind of relationship once.
enum LibrarySchema: StoreSchema {
    static let name = "Library"
    static let version = 3
    static let entities: [any Model.Type] = [
        Author.self, Book.self, Chapter.self, Product.self, Tag.self, Node.self, OfflineTask.self, Seat.self,
        Ticket.self, Person.self, Passport.self, Country.self, City.self,
    ]
    static let statements: [String] = tables + indexes + triggers

    private static let tables = [
        #"CREATE TABLE "author" ("id" INTEGER PRIMARY KEY NOT NULL, "name" TEXT NOT NULL)"#,
        #"""
        CREATE TABLE "book" (
            "id" INTEGER PRIMARY KEY NOT NULL, "title" TEXT NOT NULL, "year" INTEGER, "isbn" TEXT UNIQUE,
            "author_id" INTEGER
        )
        """#,
        #"""
        CREATE TABLE "chapter" (
            "lockstep_id" INTEGER PRIMARY KEY NOT NULL, "heading" TEXT NOT NULL, "book_id" INTEGER,
            "chapters_position" INTEGER
        )
        """#,
        #"CREATE TABLE "product" ("id" INTEGER PRIMARY KEY NOT NULL, "name" TEXT NOT NULL)"#,
        #"CREATE TABLE "tag" ("name" TEXT PRIMARY KEY NOT NULL, "weight" TEXT NOT NULL DEFAULT '0')"#,
        #"""
        CREATE TABLE "product_tag" (
            "product_id" INTEGER NOT NULL, "tag_name" TEXT NOT NULL, "tags_position" INTEGER,
            PRIMARY KEY ("product_id", "tag_name")
        )
        """#,
        #"CREATE TABLE "node" ("id" INTEGER PRIMARY KEY NOT NULL, "name" TEXT NOT NULL, "parent_id" INTEGER)"#,
        #"""
        CREATE TABLE "offline_task" (
            "local_id" TEXT PRIMARY KEY NOT NULL, "remote_id" INTEGER UNIQUE, "title" TEXT NOT NULL, "parent_id" TEXT
        )
        """#,
        #"""
        CREATE TABLE "seat" (
            "row" TEXT NOT NULL, "number" INTEGER NOT NULL, "price" REAL NOT NULL, PRIMARY KEY ("row", "number")
        )
        """#,
        #"CREATE TABLE "ticket" ("id" INTEGER PRIMARY KEY NOT NULL, "seat_row" TEXT, "seat_number" INTEGER)"#,
        #"CREATE TABLE "person" ("id" INTEGER PRIMARY KEY NOT NULL, "name" TEXT NOT NULL)"#,
        #"""
        CREATE TABLE "passport" (
            "number" TEXT PRIMARY KEY NOT NULL,
            "person_id" INTEGER UNIQUE REFERENCES "person" ("id") ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
        )
        """#,
        #"CREATE TABLE "country" ("code" TEXT PRIMARY KEY NOT NULL, "name" TEXT NOT NULL)"#,
        #"CREATE TABLE "city" ("id" INTEGER PRIMARY KEY NOT NULL, "name" TEXT NOT NULL, "country_code" TEXT NOT NULL)"#,
    ]

    private static let indexes = [
        #"CREATE INDEX "book_author_id" ON "book" ("author_id")"#,
        #"CREATE INDEX "chapter_book_id" ON "chapter" ("book_id")"#,
    ]

    private static let triggers = [
        #"""
        CREATE TRIGGER "author_delete" AFTER DELETE ON "author" BEGIN
            UPDATE "book" SET "author_id" = NULL WHERE "author_id" = OLD."id";
        END
        """#,
        #"""
        CREATE TRIGGER "book_delete" AFTER DELETE ON "book" BEGIN
            DELETE FROM "chapter" WHERE "book_id" = OLD."id";
        END
        """#,
        #"""
        CREATE TRIGGER "product_delete" AFTER DELETE ON "product" BEGIN
            DELETE FROM "product_tag" WHERE "product_id" = OLD."id";
        END
        """#,
        #"""
        CREATE TRIGGER "tag_delete" AFTER DELETE ON "tag" BEGIN
            DELETE FROM "product_tag" WHERE "tag_name" = OLD."name";
        END
        """#,
        #"""
        CREATE TRIGGER "node_delete" AFTER DELETE ON "node" BEGIN
            DELETE FROM "node" WHERE "parent_id" = OLD."id";
        END
        """#,
        #"""
        CREATE TRIGGER "country_delete" BEFORE DELETE ON "country" BEGIN
            SELECT RAISE(ABORT, 'Country.cities denies it') WHERE EXISTS (
                SELECT 1 FROM "city" WHERE "country_code" = OLD."code");
        END
        """#,
    ]
}
