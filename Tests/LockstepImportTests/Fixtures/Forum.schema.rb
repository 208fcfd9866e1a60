# This file is auto-generated from the current state of the database.

ActiveRecord::Schema[7.1].define(version: 2024_05_01_123000) do
  enable_extension "plpgsql"

  create_enum "topic_state", ["open", "locked", "in_review"]

  create_table "active_storage_blobs", force: :cascade do |t|
    t.string "key", null: false
  end

  create_table "boards", id: :uuid, default: -> { "gen_random_uuid()" }, force: :cascade, comment: "A part of the forum." do |t|
    t.string "title", limit: 80, null: false, comment: "Shown above the topics."
    t.string "slug", null: false
    t.uuid "parent_id"
    t.jsonb "settings", default: {}, null: false
    t.string "colors", default: [], array: true
    t.boolean "archived", default: false, null: false
    t.datetime "created_at", null: false
    t.datetime "updated_at", null: false
    t.index ["parent_id"], name: "index_boards_on_parent_id"
    t.index ["slug"], name: "index_boards_on_slug", unique: true
    t.index "lower((title)::text)", name: "index_boards_on_lower_title"
  end

  create_table "members", force: :cascade do |t|
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

  create_table "profiles", force: :cascade do |t|
    t.references "member", null: false, foreign_key: { on_delete: :cascade }, index: { unique: true }
    t.text "about"
    t.string "website_url"
    t.time "wakes_at"
  end

  create_table "topics", force: :cascade do |t|
    t.uuid "board_id", null: false
    t.bigint "author_id", null: false
    t.bigint "last_editor_id"
    t.string "title", null: false
    t.text "body"
    t.enum "state", default: "open", null: false, enum_type: "topic_state"
    t.integer "posts_count", default: 0, null: false
    t.integer "lock_version", default: 0, null: false
    t.datetime "published_at", precision: nil, default: -> { "CURRENT_TIMESTAMP" }
    t.virtual "search", type: :string, as: "lower(title)", stored: true
    t.timestamps null: false
    t.index ["board_id", "published_at"], name: "index_topics_on_board", order: { published_at: :desc }
    t.index ["published_at"], name: "index_topics_on_published_at"
  end

  create_table "reactions", force: :cascade do |t|
    t.references "reactable", polymorphic: true, null: false
    t.belongs_to "member"
    t.string "type"
    t.bigint "device_id"
  end

  create_table "tags", primary_key: "code", id: :string, force: :cascade do |t|
    t.string "label"
  end

  create_table "tags_topics", id: false, force: :cascade do |t|
    t.string "tag_id", null: false
    t.bigint "topic_id", null: false
  end

  create_join_table "boards", "moderators" do |t|
    t.index ["board_id"]
  end

  create_table "readings", primary_key: ["member_id", "topic_id"], force: :cascade do |t|
    t.bigint "member_id", null: false
    t.bigint "topic_id", null: false
    t.integer "position", default: 0
  end

  create_table "statistics", id: false, force: :cascade do |t|
    t.date "day", null: false
    t.integer "visits"
  end

  create_view "popular_topics", sql_definition: <<-SQL
      SELECT topics.id FROM topics;
  SQL

  execute "SELECT 1" if ENV["RAILS_ENV"]

  add_foreign_key "boards", "boards", column: "parent_id"
  add_foreign_key "members", "members", column: "invited_by_id", on_delete: :nullify
  add_foreign_key "topics", "boards", on_delete: :cascade, deferrable: :deferred
  add_foreign_key "topics", "members", column: "author_id"
  add_foreign_key "topics", "members", column: "last_editor_id"
  add_index "topics", ["title"]
end
