-- The first format. Everything is kept per space: each key and each index begins with its number, so the
-- same tables can be spread over servers by that column. Inside, records refer to each other by numbers
-- that count up within their space; the ids that the product knows are mapped to them once, here.

CREATE TABLE spaces (
  space     INTEGER PRIMARY KEY,
  name      TEXT NOT NULL UNIQUE,
  sequence  INTEGER NOT NULL,        -- the last operation, its time, and the last one that declared something
  at        INTEGER NOT NULL,
  schema    INTEGER NOT NULL,
  links     INTEGER NOT NULL,        -- the last operation that recorded on what a claim rests
  entities  INTEGER NOT NULL,        -- the last number given out in each table
  sources   INTEGER NOT NULL,
  evidence  INTEGER NOT NULL,
  slots     INTEGER NOT NULL,
  claims    INTEGER NOT NULL,
  documents INTEGER NOT NULL,
  texts     INTEGER NOT NULL,        -- how many documents are indexed, and how many terms they have together
  terms     INTEGER NOT NULL,
  dropped_evidence  INTEGER NOT NULL,  -- of the numbers given out, those of rows that were dropped for good
  dropped_claims    INTEGER NOT NULL,
  dropped_documents INTEGER NOT NULL,
  dropped_entities  INTEGER NOT NULL,
  dropped_sources   INTEGER NOT NULL,
  dropped_slots     INTEGER NOT NULL,
  vectors   INTEGER NOT NULL,
  guards    INTEGER NOT NULL         -- the last operation that recorded what not everybody may read
) STRICT;


-- The log -----------------------------------------------------------------------------------------

-- With rowids: what an operation told may be long, and where rows are sorted by their key, finding one reads
-- whole rows on the way.
CREATE TABLE operations (
  space      INTEGER NOT NULL,
  sequence   INTEGER NOT NULL,
  at         INTEGER NOT NULL,
  decided_at INTEGER NOT NULL,
  act        TEXT NOT NULL,
  author     TEXT,
  reason     TEXT,
  policy     TEXT,
  key        TEXT,
  request    TEXT NOT NULL,
  outcome    TEXT,                   -- JSON
  access     TEXT NOT NULL DEFAULT '',  -- who owns a record and who may read it, JSON; empty: everybody
  PRIMARY KEY (space, sequence)
) STRICT;

CREATE UNIQUE INDEX operations_by_key ON operations (space, key) WHERE key IS NOT NULL;

CREATE INDEX operations_guarded ON operations (space, sequence, access) WHERE substr(access, 1, 1) IN ('[', 'f');

CREATE TABLE declarations (          -- of attributes, rules and what else is declared; the latest of a key is in force
  space     INTEGER NOT NULL,
  kind      TEXT NOT NULL,
  key       TEXT NOT NULL,
  operation INTEGER NOT NULL,
  body      TEXT NOT NULL,           -- JSON
  PRIMARY KEY (space, kind, key, operation)
) STRICT, WITHOUT ROWID;

CREATE TABLE entities (
  space     INTEGER NOT NULL,
  number    INTEGER NOT NULL,
  id        TEXT NOT NULL,
  name      TEXT NOT NULL,
  type      TEXT,
  operation INTEGER NOT NULL,
  access    TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (space, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX entities_by_id ON entities (space, id);
CREATE INDEX entities_guarded ON entities (space, id, access) WHERE substr(access, 1, 1) IN ('[', 'f');

CREATE TABLE names (                 -- what entities are called: their own names, and every giving of an alias
  space     INTEGER NOT NULL,
  key       TEXT NOT NULL,
  entity    TEXT NOT NULL,           -- an id: an alias may stand for an entity that comes later
  is_alias  INTEGER NOT NULL,
  operation INTEGER NOT NULL,
  name      TEXT NOT NULL,
  target    TEXT,                    -- what a retraction of the alias names
  access    TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (space, key, entity, is_alias, operation)
) STRICT, WITHOUT ROWID;

CREATE TABLE sources (               -- a source is known by its first standing; evidence keeps the one it came with
  space       INTEGER NOT NULL,
  number      INTEGER NOT NULL,
  name        TEXT NOT NULL,
  type        TEXT NOT NULL,
  authority   INTEGER NOT NULL,
  reliability REAL NOT NULL,
  operation   INTEGER NOT NULL,
  access      TEXT NOT NULL DEFAULT '',  -- that of the evidence by which it became known
  PRIMARY KEY (space, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX sources_by_name ON sources (space, name, type, authority, reliability, access);

CREATE TABLE evidence (
  space        INTEGER NOT NULL,
  number       INTEGER NOT NULL,
  id           TEXT NOT NULL,
  content      TEXT NOT NULL,
  source       INTEGER NOT NULL,
  groups       TEXT,                 -- JSON; NULL: its source's own group alone
  observed_at  INTEGER NOT NULL,
  effective_at INTEGER NOT NULL,
  recorded_at  INTEGER NOT NULL,
  is_pinned    INTEGER NOT NULL,
  operation    INTEGER NOT NULL,
  context      TEXT,
  derived_from TEXT,                 -- JSON; NULL: from nothing
  metadata     TEXT,                 -- JSON; NULL: none
  access       TEXT NOT NULL DEFAULT '',
  text         TEXT NOT NULL,        -- last, so that all else is read without following a long text
  PRIMARY KEY (space, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX evidence_by_id ON evidence (space, id);
CREATE INDEX evidence_by_content ON evidence (space, content);
CREATE INDEX evidence_guarded ON evidence (space, id, access) WHERE substr(access, 1, 1) IN ('[', 'f');
CREATE INDEX evidence_in_context ON evidence (space, context, effective_at, id) WHERE context IS NOT NULL;

CREATE TABLE slots (
  space      INTEGER NOT NULL,
  number     INTEGER NOT NULL,
  id         TEXT NOT NULL,
  subject    INTEGER NOT NULL,
  attribute  TEXT NOT NULL,
  conditions TEXT,                   -- JSON; NULL: none
  PRIMARY KEY (space, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX slots_by_id ON slots (space, id);
CREATE INDEX slots_by_subject ON slots (space, subject, attribute);
CREATE INDEX slots_by_attribute ON slots (space, attribute);

CREATE TABLE claims (
  space       INTEGER NOT NULL,
  number      INTEGER NOT NULL,
  id          TEXT NOT NULL,
  evidence    INTEGER NOT NULL,
  source      INTEGER NOT NULL,      -- that of the evidence, to find what one source says of a value
  slot        INTEGER NOT NULL,
  value_key   TEXT NOT NULL,
  value_type  TEXT NOT NULL,
  value_text  TEXT NOT NULL,
  value_unit  TEXT,
  stance      TEXT NOT NULL,
  valid_from  INTEGER,
  valid_to    INTEGER NOT NULL,
  modality    TEXT NOT NULL,
  weight      REAL NOT NULL,
  quote       TEXT,
  quote_match TEXT,
  is_forced   INTEGER NOT NULL,
  derivation  TEXT,                  -- JSON; NULL: not inferred
  depends_on  TEXT,                  -- JSON; NULL: on nothing
  operation   INTEGER NOT NULL,
  PRIMARY KEY (space, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX claims_by_id ON claims (space, id);
CREATE INDEX claims_by_slot ON claims (space, slot, value_key, source);
CREATE INDEX claims_by_evidence ON claims (space, evidence);

CREATE TABLE links (                 -- from what claims rest on, a belief or a slot, to the values they speak of
  space     INTEGER NOT NULL,
  premise   TEXT NOT NULL,
  slot      INTEGER NOT NULL,
  value_key TEXT NOT NULL,
  PRIMARY KEY (space, premise, slot, value_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE decisions (             -- contests that an operation decided because of others
  space     INTEGER NOT NULL,
  slot      TEXT NOT NULL,           -- the id; the value is empty where all values of the slot compete
  value_key TEXT NOT NULL,
  operation INTEGER NOT NULL,
  PRIMARY KEY (space, slot, value_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE retractions (
  space     INTEGER NOT NULL,
  target    TEXT NOT NULL,           -- the id of evidence, a claim or a retraction (which that lifts), or alias:key:entity
  id        TEXT NOT NULL,
  operation INTEGER NOT NULL,
  reason    TEXT,
  PRIMARY KEY (space, target, id)
) STRICT, WITHOUT ROWID;


-- The views: computed from the log, and replaced whole by a rebuild ---------------------------------

CREATE TABLE beliefs (
  space        INTEGER NOT NULL,
  id           TEXT NOT NULL,
  slot         INTEGER NOT NULL,
  value_key    TEXT NOT NULL,
  value_type   TEXT NOT NULL,
  value_text   TEXT NOT NULL,
  value_unit   TEXT,
  status       TEXT NOT NULL,
  rule         TEXT NOT NULL,
  against      TEXT,
  since        INTEGER NOT NULL,
  until        INTEGER NOT NULL,
  observed_at  INTEGER NOT NULL,
  authority    INTEGER NOT NULL,
  sources      INTEGER NOT NULL,
  evidence     INTEGER NOT NULL,
  version      INTEGER NOT NULL,
  settled_at   INTEGER NOT NULL,
  stable_until INTEGER NOT NULL,
  stale_from   INTEGER NOT NULL,
  tally        TEXT NOT NULL,        -- JSON: the masses from which a reader computes the confidence
  doubts       TEXT,                 -- JSON; NULL: none
  derivations  TEXT,                 -- JSON; NULL: not inferred
  is_additive  INTEGER NOT NULL,
  labels       TEXT,                 -- JSON: what it was settled from that not everybody may read; NULL: nothing
  PRIMARY KEY (space, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX beliefs_by_slot ON beliefs (space, slot, value_key);
CREATE INDEX beliefs_in_question ON beliefs (space, status) WHERE status IN ('contested', 'challenger');
CREATE INDEX beliefs_labelled ON beliefs (space, id) WHERE labels IS NOT NULL;
CREATE INDEX beliefs_by_value ON beliefs (space, value_key, slot);

CREATE TABLE documents (
  space    INTEGER NOT NULL,
  number   INTEGER NOT NULL,
  document TEXT NOT NULL,
  length   INTEGER NOT NULL,         -- how many terms, repeated ones counted
  terms    TEXT NOT NULL,            -- each once, in the spelling of the index: ' apple pear=2 '
  PRIMARY KEY (space, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX documents_by_id ON documents (space, document);

CREATE TABLE vectors (               -- what documents say as models see it
  space     INTEGER NOT NULL,
  number    INTEGER NOT NULL,        -- a vector that replaces another has a new one
  document  TEXT NOT NULL,
  model     TEXT NOT NULL,
  numbers   BLOB NOT NULL,           -- 32-bit floats, the lowest byte first
  PRIMARY KEY (space, number)
) STRICT;

CREATE UNIQUE INDEX vectors_by_document ON vectors (space, document, model);

CREATE TABLE audits (                -- records of answers, by nothing of which anything is decided
  space     INTEGER NOT NULL,
  number    INTEGER NOT NULL,
  id        TEXT NOT NULL,
  at        INTEGER NOT NULL,
  principal TEXT,                    -- to whom; NULL: to the owner
  body      TEXT NOT NULL,           -- JSON
  PRIMARY KEY (space, number)
) STRICT;

CREATE UNIQUE INDEX audits_by_id ON audits (space, id);
CREATE INDEX audits_by_time ON audits (space, at);

-- One posting list for each term of each space; a row's number is the document's, after 2^40 times its space.
CREATE VIRTUAL TABLE postings USING fts5 (
  terms, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (postings, row);


-- What the planner should think -------------------------------------------------------------------

-- Without figures SQLite believes that few rows share a space, and reads all of it. These are of the shape
-- that a well-filled memory has, and the same for each: what was asked fast once stays fast.

ANALYZE;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('operations', 'sqlite_autoindex_operations_1', '100000 100000 1'),
  ('operations', 'operations_by_key', '100000 100000 1'),
  ('declarations', 'declarations', '3000 3000 300 3 1'),
  ('entities', 'entities', '300000 300000 1'),
  ('entities', 'entities_by_id', '300000 300000 1'),
  ('names', 'names', '400000 400000 2 1 1 1'),
  ('sources', 'sources', '10000 10000 1'),
  ('sources', 'sources_by_name', '10000 10000 1 1 1 1 1'),
  ('evidence', 'evidence', '3000000 3000000 1'),
  ('evidence', 'evidence_by_id', '3000000 3000000 1'),
  ('evidence', 'evidence_by_content', '3000000 3000000 1'),
  ('operations', 'operations_guarded', '100000 100000 1 1'),
  ('entities', 'entities_guarded', '10000 10000 1 1'),
  ('evidence', 'evidence_guarded', '100000 100000 1 1'),
  ('beliefs', 'beliefs_labelled', '100000 100000 1'),
  ('evidence', 'evidence_in_context', '3000000 3000000 100 1 1'),
  ('slots', 'slots', '1000000 1000000 1'),
  ('slots', 'slots_by_id', '1000000 1000000 1'),
  ('slots', 'slots_by_subject', '1000000 1000000 5 1'),
  ('slots', 'slots_by_attribute', '1000000 1000000 20000'),
  ('claims', 'claims', '3000000 3000000 1'),
  ('claims', 'claims_by_id', '3000000 3000000 1'),
  ('claims', 'claims_by_slot', '3000000 3000000 4 2 1'),
  ('claims', 'claims_by_evidence', '3000000 3000000 2'),
  ('decisions', 'decisions', '300000 300000 2 1'),
  ('links', 'links', '300000 300000 3 1 1'),
  ('retractions', 'retractions', '10000 10000 1 1'),
  ('beliefs', 'beliefs', '1500000 1500000 1'),
  ('beliefs', 'beliefs_by_slot', '1500000 1500000 2 1'),
  ('beliefs', 'beliefs_in_question', '10000 10000 5000'),
  ('beliefs', 'beliefs_by_value', '1500000 1500000 5 1'),
  ('documents', 'documents', '4500000 4500000 1'),
  ('documents', 'documents_by_id', '4500000 4500000 1'),
  ('vectors', 'sqlite_autoindex_vectors_1', '4500000 4500000 1'),
  ('vectors', 'vectors_by_document', '4500000 4500000 1 1'),
  ('audits', 'sqlite_autoindex_audits_1', '1000000 1000000 1'),
  ('audits', 'audits_by_id', '1000000 1000000 1'),
  ('audits', 'audits_by_time', '1000000 1000000 1');

ANALYZE sqlite_schema;
