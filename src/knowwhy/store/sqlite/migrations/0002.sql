-- The second format: vectors beside the text index, and what was said side by side in one context.

ALTER TABLE spaces ADD COLUMN vectors INTEGER NOT NULL DEFAULT 0;  -- the last number given out

CREATE TABLE vectors (
  space     INTEGER NOT NULL,
  number    INTEGER NOT NULL,        -- a vector that replaces another has a new one
  document  TEXT NOT NULL,
  model     TEXT NOT NULL,
  numbers   BLOB NOT NULL,           -- 32-bit floats, the lowest byte first
  PRIMARY KEY (space, number)
) STRICT;

CREATE UNIQUE INDEX vectors_by_document ON vectors (space, document, model);

CREATE INDEX evidence_in_context ON evidence (space, context, effective_at, id) WHERE context IS NOT NULL;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('vectors', 'sqlite_autoindex_vectors_1', '4500000 4500000 1'),
  ('vectors', 'vectors_by_document', '4500000 4500000 1 1'),
  ('evidence', 'evidence_in_context', '3000000 3000000 100 1 1');

ANALYZE sqlite_schema;
