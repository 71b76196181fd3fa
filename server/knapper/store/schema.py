"""The tables of an index, and the views a person with any SQLite browser may ask.

Tables are named in the singular, views in the plural. The version stands in the file's name: an index
is never migrated, another version of the program simply makes its own. Raise VERSION whenever the
tables, the chunks or the folding change. Must not know how rows are made.

- `file`: every file of the vault, and what it looked like when it was last read.
- `note`: a note (or canvas). `server` is `''` for what is on disk, else the id of the server whose
  editor holds the unsaved text of this row; a server sees its own unsaved row instead of the saved one.
- `alias`, `heading`, `block`, `tag`, `link`, `property`: what the note holds, in the order of the text.
  Places are a line, a UTF-16 column, an end line and an end column, all from 0. Unsaved notes have
  aliases, tags and properties (a search filters by them), and no links, headings or blocks.
- `chunk`: a note's text in pieces for searching. `text` and `above` (the headings above the chunk, one a
  line, outermost first) are as written; `title`, `aliases`, `tags`, `headings` and `body` are folded
  (`text.fold.search_fold`) and are what `chunk_search` indexes. `start` and `stop` are code-point
  offsets, `line` and `character` say where that is, from 0.
- `chunk_search`: full text over chunks, stemmed; kept equal to `chunk` by triggers.
- `name_search`: titles, aliases and headings of each note, folded and not stemmed, for search as one
  types; its rowid is the note's id.
- `chunk_term`, `name_term`: the words in these two, with how many rows hold each.
- `embedding`: the vectors of chunks, one or more (`window`) for each chunk that has been embedded, as
  float16, little-endian. No vector: the chunk says nothing of its own, or `problem` says why there is none.
  `hash` is that of the text that was embedded. Sets of several models (`fingerprint`) may lie side by
  side; `meta` says which one serves.
- `embedding_gone`: chunks that lost their vectors, for readers that catch up; only the latest are kept.
- `gone`: files that were there, and when they went, for readers that catch up.
- `problem`: files that could not be read or not wholly, and why, in words.
- `meta`: `root` and, if the index was moved with its vault, `moved_from` (the root before),
  `seq` (the state, one more with every commit that readers must see), `horizon` (readers
  of an earlier state must load anew), `bulk` (1 while the first build runs: no secondary indexes yet),
  `passed` and `touched` (the last whole pass), `serving` and `building` (fingerprints: the vectors to be
  used, and the set that is being made), `boilerplate` (a JSON list of lines that are not embedded), `models`
  (JSON: what the owner's process knows of its models).
- `asked`: files and folders that servers which do not own the index want looked at; the owner looks
  and deletes the row.
"""

from __future__ import annotations

VERSION = 3
FILE_NAME = f"index-{VERSION}.db"
APPLICATION_ID = 0x6B6E6170  # "knap"

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE file (
  path TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  digest TEXT,              -- of the bytes that are indexed; NULL: still to do, or no note
  added INTEGER NOT NULL    -- the state that brought the file
) WITHOUT ROWID;
CREATE TABLE note (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  server TEXT NOT NULL DEFAULT '',
  name TEXT NOT NULL,       -- the file name without .md
  title TEXT,               -- NULL: the name is the title
  modified REAL NOT NULL,   -- seconds since 1970
  size INTEGER NOT NULL,
  seq INTEGER NOT NULL,     -- the state that last changed the note
  UNIQUE (path, server)
);
CREATE TABLE alias (note INTEGER, ord INTEGER, alias TEXT NOT NULL, PRIMARY KEY (note, ord)) WITHOUT ROWID;
CREATE TABLE heading (
  note INTEGER, ord INTEGER, level INTEGER, text TEXT,
  line INTEGER, start INTEGER, end_line INTEGER, stop INTEGER, section_end INTEGER,
  PRIMARY KEY (note, ord)
) WITHOUT ROWID;
CREATE TABLE block (
  note INTEGER, ord INTEGER, id TEXT, text TEXT,
  line INTEGER, start INTEGER, end_line INTEGER, stop INTEGER,
  block_line INTEGER, block_start INTEGER, block_end_line INTEGER, block_stop INTEGER,
  PRIMARY KEY (note, ord)
) WITHOUT ROWID;
CREATE TABLE tag (
  note INTEGER, ord INTEGER, tag TEXT,
  tag_key TEXT,             -- the tag as vault.paths.key compares it
  in_properties INTEGER,
  line INTEGER, start INTEGER, end_line INTEGER, stop INTEGER,
  PRIMARY KEY (note, ord)
) WITHOUT ROWID;
CREATE TABLE link (
  note INTEGER, ord INTEGER, kind TEXT, text TEXT, target TEXT, subpath TEXT, display TEXT,
  markdown INTEGER,
  line INTEGER, start INTEGER, end_line INTEGER, stop INTEGER,
  context TEXT,
  bucket TEXT,              -- the target's folded base name: whose coming or going may change `resolved`;
                            -- '' where no file can be meant
  resolved TEXT,            -- the path of the file that is meant; NULL: there is none
  PRIMARY KEY (note, ord)
) WITHOUT ROWID;
CREATE TABLE property (
  note INTEGER, ord INTEGER, name TEXT, kind TEXT,
  "values" TEXT,            -- a JSON list of the scalars as written
  PRIMARY KEY (note, ord)
) WITHOUT ROWID;
CREATE TABLE chunk (
  id INTEGER PRIMARY KEY,
  note INTEGER NOT NULL, ord INTEGER NOT NULL,
  text TEXT NOT NULL, above TEXT NOT NULL,
  start INTEGER NOT NULL, stop INTEGER NOT NULL, line INTEGER NOT NULL, character INTEGER NOT NULL,
  digest TEXT NOT NULL, tokens INTEGER NOT NULL,
  title TEXT NOT NULL, aliases TEXT NOT NULL, tags TEXT NOT NULL, headings TEXT NOT NULL, body TEXT NOT NULL
);
CREATE INDEX chunk_of_note ON chunk (note);
CREATE TABLE embedding (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  chunk INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  window INTEGER NOT NULL,  -- from 0
  hash TEXT NOT NULL,
  vector BLOB,
  problem TEXT,
  UNIQUE (chunk, fingerprint, window)
);
CREATE INDEX embedding_by_set ON embedding (fingerprint, window, problem);
CREATE TABLE embedding_gone (
  id INTEGER PRIMARY KEY AUTOINCREMENT, fingerprint TEXT NOT NULL, chunk INTEGER NOT NULL
);
CREATE TABLE gone (path TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE problem (path TEXT PRIMARY KEY, reason TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE asked (id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL);

CREATE VIRTUAL TABLE chunk_search USING fts5 (
  title, aliases, tags, headings, body,
  content='chunk', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE name_search USING fts5 (
  title, aliases, headings, tokenize='unicode61 remove_diacritics 2', prefix='2 3'
);
CREATE VIRTUAL TABLE chunk_term USING fts5vocab ('chunk_search', 'row');
CREATE VIRTUAL TABLE name_term USING fts5vocab ('name_search', 'row');

CREATE TRIGGER chunk_inserted AFTER INSERT ON chunk BEGIN
  INSERT INTO chunk_search (rowid, title, aliases, tags, headings, body)
  VALUES (new.id, new.title, new.aliases, new.tags, new.headings, new.body);
END;
CREATE TRIGGER chunk_deleted AFTER DELETE ON chunk BEGIN
  INSERT INTO chunk_search (chunk_search, rowid, title, aliases, tags, headings, body)
  VALUES ('delete', old.id, old.title, old.aliases, old.tags, old.headings, old.body);
END;
CREATE TRIGGER chunk_updated AFTER UPDATE ON chunk BEGIN
  INSERT INTO chunk_search (chunk_search, rowid, title, aliases, tags, headings, body)
  VALUES ('delete', old.id, old.title, old.aliases, old.tags, old.headings, old.body);
  INSERT INTO chunk_search (rowid, title, aliases, tags, headings, body)
  VALUES (new.id, new.title, new.aliases, new.tags, new.headings, new.body);
END;
CREATE TRIGGER chunk_not_embedded AFTER DELETE ON chunk BEGIN
  DELETE FROM embedding WHERE chunk = old.id;
END;
CREATE TRIGGER embedding_deleted AFTER DELETE ON embedding WHEN old.window = 0 BEGIN
  INSERT INTO embedding_gone (fingerprint, chunk) VALUES (old.fingerprint, old.chunk);
END;
"""

# What the first build leaves for its end: it is faster to make these once than row by row.
INDEXES = """
CREATE INDEX link_bucket ON link (bucket);
CREATE INDEX link_resolved ON link (resolved);
CREATE INDEX tag_by_key ON tag (tag_key);
CREATE INDEX note_by_seq ON note (seq);
CREATE INDEX file_by_added ON file (added);
"""

VIEWS = """
CREATE VIEW notes AS
  SELECT path, coalesce(title, name) AS title, datetime(modified, 'unixepoch') AS modified, size,
    (SELECT group_concat(alias, ', ') FROM alias WHERE alias.note = note.id) AS aliases,
    (SELECT group_concat(DISTINCT tag) FROM tag WHERE tag.note = note.id) AS tags,
    (SELECT count(*) FROM link WHERE link.note = note.id) AS links,
    (SELECT count(*) FROM link WHERE link.resolved = note.path AND link.note <> note.id) AS backlinks
  FROM note WHERE server = '';
CREATE VIEW links AS
  SELECT note.path AS source, link.line + 1 AS line, kind, link.text, target, subpath, display, resolved
  FROM link JOIN note ON note.id = link.note WHERE note.server = '';
CREATE VIEW backlinks AS
  SELECT resolved AS note, source, line, kind, text FROM links
  WHERE resolved IS NOT NULL AND resolved <> source;
CREATE VIEW unresolved AS
  SELECT target, count(*) AS links, count(DISTINCT note) AS notes, min(note.path) AS first_note
  FROM link JOIN note ON note.id = link.note
  WHERE resolved IS NULL AND bucket <> '' AND server = '' GROUP BY target;
CREATE VIEW tags AS
  SELECT min(tag) AS tag, count(DISTINCT note) AS notes FROM tag
  JOIN note ON note.id = tag.note WHERE note.server = '' GROUP BY tag_key;
CREATE VIEW embeddings AS
  SELECT note.path, made.fingerprint, count(*) AS chunks,
    CASE WHEN count(problem) > 0 THEN 'failed' WHEN count(embedding.id) < count(*) THEN 'pending'
      ELSE 'indexed' END AS status,
    min(problem) AS why
  FROM note JOIN chunk ON chunk.note = note.id
  JOIN (SELECT value AS fingerprint FROM meta WHERE key = 'building') AS made
  LEFT JOIN embedding
    ON embedding.chunk = chunk.id AND embedding.fingerprint = made.fingerprint AND window = 0
  WHERE note.server = '' GROUP BY note.id;
"""

CHILDREN = ("alias", "heading", "block", "tag", "link", "property", "chunk")
"""The tables whose rows belong to a note, by its id in `note`."""
