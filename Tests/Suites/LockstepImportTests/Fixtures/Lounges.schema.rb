# This file is auto-generated from the current state of the database.

ActiveRecord::Schema[7.1].define(version: 2024_05_01_123000) do
  enable_extension "plpgsql"

  create_enum "debate_state", ["open", "locked", "in_review"]

  create_table "active_storage_blobs", force: :cascade do |t|
    t.string "key", null: false
  end

  create_table "lounges", id: :uuid, default: -> { "gen_random_uuid()" }, force: :cascade, comment: "A part of the forum." do |t|
    t.string "title", limit: 80, null: false, comment: "Shown above the debates."
    t.string "slug", null: false
    t.uuid "parent_id"
    t.jsonb "settings", default: {}, null: false
    t.string "colors", default: [], array: true
    t.boolean "archived", default: false, null: false
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.index ["parent_id"], name: "index_lounges_on_parent_id"
    t.index ["slug"], name: "index_lounges_on_slug", unique: true
    t.index "lower((title)::text)", name: "index_lounges_on_lower_title"
  end

  create_table "patrons", force: :cascade do |t|
    t.string "name", default: "", null: false
    t.citext "email", null: false
    t.string "encrypted_password", null: false
    t.decimal "score", precision: 10, scale: 2, default: "0.0", null: false
    t.date "born_on"
    t.inet "last_ip"
    t.bigint "invited_by_id"
    t.binary "avatar"
    t.integer "level", limit: 2, default: 1
    t.float "weight"
    t.timestamps
    t.index ["email"], unique: true, where: "(email IS NOT NULL)"
    t.check_constraint "level > 0", name: "level_is_positive"
  end

  create_table "medals", force: :cascade do |t|
    t.references "patron", null: false, foreign_key: { on_delete: :cascade }, index: { unique: true }
    t.text "about"
    t.string "website_url"
    t.time "wakes_at"
  end

  create_table "debates", force: :cascade do |t|
    t.uuid "lounge_id", null: false
    t.bigint "author_id", null: false
    t.bigint "last_editor_id"
    t.string "title", null: false
    t.text "body"
    t.enum "state", default: "open", null: false, enum_type: "debate_state"
    t.integer "posts_count", default: 0, null: false
    t.integer "lock_version", default: 0, null: false
    t.datetime "published_at", precision: nil, default: -> { "CURRENT_TIMESTAMP" }
    t.virtual "search", type: :string, as: "lower(title)", stored: true
    t.timestamps null: false
    t.index ["lounge_id", "published_at"], name: "index_debates_on_lounge", order: { published_at: :desc }
    t.index ["published_at"], name: "index_debates_on_published_at"
  end

  create_table "cheers", force: :cascade do |t|
    t.references "cheered", polymorphic: true, null: false
    t.belongs_to "patron"
    t.string "type"
    t.bigint "device_id"
  end

  create_table "flairs", primary_key: "code", id: :string, force: :cascade do |t|
    t.string "label"
  end

  create_table "debates_flairs", id: false, force: :cascade do |t|
    t.string "flair_id", null: false
    t.bigint "debate_id", null: false
  end

  create_join_table "lounges", "moderators" do |t|
    t.index ["lounge_id"]
  end

  create_table "debate_visits", primary_key: ["patron_id", "debate_id"], force: :cascade do |t|
    t.bigint "patron_id", null: false
    t.bigint "debate_id", null: false
    t.integer "position", default: 0
  end

  create_table "visit_counts", id: false, force: :cascade do |t|
    t.date "day", null: false
    t.integer "visits"
  end

  create_view "popular_debates", sql_definition: <<-SQL
      SELECT debates.id FROM debates;
  SQL

  execute "SELECT 1" if ENV["RAILS_ENV"]

  add_foreign_key "lounges", "lounges", column: "parent_id"
  add_foreign_key "patrons", "patrons", column: "invited_by_id", on_delete: :nullify
  add_foreign_key "debates", "lounges", on_delete: :cascade, deferrable: :deferred
  add_foreign_key "debates", "patrons", column: "author_id"
  add_foreign_key "debates", "patrons", column: "last_editor_id"
  add_index "debates", ["title"]
end
