-- The first format. Everything is kept per space: each key, each index and each reference begins with its
-- number, so the same tables can be spread over servers by that column, and nothing central is asked for the
-- next number of anything. A space's own number is made of its name; inside, records refer to each other by
-- numbers that count up within their space; the ids that the product knows are mapped to them once, here.
--
-- Texts are compared by their characters' numbers, as everywhere in the product. Where one may be longer than
-- an index can hold, the column has it cut short, with a fingerprint, and `..._whole` as it is (NULL: not cut).

CREATE TABLE spaces (
  space     bigint PRIMARY KEY,
  name      text COLLATE "C" NOT NULL,
  sequence  bigint NOT NULL DEFAULT 0,   -- the last operation, its time, and the last one that declared something
  at        bigint NOT NULL DEFAULT 0,
  schema    bigint NOT NULL DEFAULT 0,
  links     bigint NOT NULL DEFAULT 0,   -- the last operation that recorded on what a claim rests
  rebuilds  bigint NOT NULL DEFAULT 0,   -- how often all views were replaced
  entities  bigint NOT NULL DEFAULT 0,   -- the last number given out in each table
  sources   bigint NOT NULL DEFAULT 0,
  evidence  bigint NOT NULL DEFAULT 0,
  slots     bigint NOT NULL DEFAULT 0,
  claims    bigint NOT NULL DEFAULT 0,
  documents bigint NOT NULL DEFAULT 0,
  texts     bigint NOT NULL DEFAULT 0,   -- how many documents are indexed, and how many terms they have together
  terms     bigint NOT NULL DEFAULT 0,
  dropped_evidence  bigint NOT NULL DEFAULT 0,  -- of the numbers given out, those of rows that were dropped for good
  dropped_claims    bigint NOT NULL DEFAULT 0,
  dropped_documents bigint NOT NULL DEFAULT 0,
  dropped_entities  bigint NOT NULL DEFAULT 0,
  dropped_sources   bigint NOT NULL DEFAULT 0,
  dropped_slots     bigint NOT NULL DEFAULT 0,
  vectors   bigint NOT NULL DEFAULT 0,
  guards    bigint NOT NULL DEFAULT 0    -- the last operation that recorded what not everybody may read
) WITH (fillfactor = 50);                -- written by every operation, so room for the next version beside it


-- The log -----------------------------------------------------------------------------------------

CREATE TABLE operations (
  space      bigint NOT NULL,
  sequence   bigint NOT NULL,
  at         bigint NOT NULL,
  decided_at bigint NOT NULL,
  act        text COLLATE "C" NOT NULL,
  author     text,
  reason     text,
  policy     text,
  key        text COLLATE "C",
  key_whole  text,
  request    text NOT NULL,
  outcome    jsonb,
  mark       bigint NOT NULL,            -- drawn by chance: by it a writer knows its own operation again
  access     text NOT NULL DEFAULT '',   -- who owns a record and who may read it, JSON; empty: everybody
  PRIMARY KEY (space, sequence)
);

CREATE UNIQUE INDEX operations_by_key ON operations (space, key) WHERE key IS NOT NULL;

CREATE INDEX operations_guarded ON operations (space, sequence) WHERE substr(access, 1, 1) IN ('[', 'f');

CREATE TABLE declarations (              -- of attributes, rules and what else is declared; the latest of a key is in force
  space     bigint NOT NULL,
  kind      text COLLATE "C" NOT NULL,
  key       text COLLATE "C" NOT NULL,
  operation bigint NOT NULL,
  key_whole text,
  body      jsonb NOT NULL,
  PRIMARY KEY (space, kind, key, operation)
);

CREATE TABLE entities (
  space     bigint NOT NULL,
  number    bigint NOT NULL,
  id        text COLLATE "C" NOT NULL,
  id_whole  text,
  name      text NOT NULL,
  type      text,
  operation bigint NOT NULL,
  access    text NOT NULL DEFAULT '',
  PRIMARY KEY (space, number)
);

CREATE UNIQUE INDEX entities_by_id ON entities (space, id) INCLUDE (number);
CREATE INDEX entities_guarded ON entities (space, id) WHERE substr(access, 1, 1) IN ('[', 'f');

CREATE TABLE names (                     -- what entities are called: their own names, and every giving of an alias
  space        bigint NOT NULL,
  key          text COLLATE "C" NOT NULL,
  entity       text COLLATE "C" NOT NULL,  -- an id: an alias may stand for an entity that comes later
  is_alias     boolean NOT NULL,
  operation    bigint NOT NULL,
  name         text NOT NULL,
  target       text COLLATE "C",         -- what a retraction of the alias names
  key_whole    text,
  entity_whole text,
  access       text NOT NULL DEFAULT '',
  PRIMARY KEY (space, key, entity, is_alias, operation)
);

CREATE INDEX aliases ON names (space, key, entity, operation) WHERE is_alias;

CREATE TABLE sources (                   -- a source is known by its first standing; evidence keeps the one it came with
  space       bigint NOT NULL,
  number      bigint NOT NULL,
  name        text COLLATE "C" NOT NULL,
  type        text COLLATE "C" NOT NULL,
  authority   bigint NOT NULL,
  reliability double precision NOT NULL,
  operation   bigint NOT NULL,
  name_whole  text,
  access      text COLLATE "C" NOT NULL DEFAULT '',  -- that of the evidence by which it became known
  PRIMARY KEY (space, number)
);

CREATE UNIQUE INDEX sources_by_name ON sources (space, name, type, authority, reliability, md5(access));

CREATE TABLE evidence (
  space        bigint NOT NULL,
  number       bigint NOT NULL,
  id           text COLLATE "C" NOT NULL,
  content      text COLLATE "C" NOT NULL,
  source       bigint NOT NULL,
  groups       jsonb,                    -- NULL: its source's own group alone
  observed_at  bigint NOT NULL,
  effective_at bigint NOT NULL,
  recorded_at  bigint NOT NULL,
  is_pinned    boolean NOT NULL,
  operation    bigint NOT NULL,
  context      text,
  derived_from jsonb,                    -- NULL: from nothing
  metadata     jsonb,                    -- NULL: none
  text         text NOT NULL,
  access       text NOT NULL DEFAULT '',
  PRIMARY KEY (space, number),
  FOREIGN KEY (space, source) REFERENCES sources (space, number)
);

CREATE UNIQUE INDEX evidence_by_id ON evidence (space, id) INCLUDE (number);
CREATE INDEX evidence_guarded ON evidence (space, id) WHERE substr(access, 1, 1) IN ('[', 'f');
CREATE INDEX evidence_by_content ON evidence (space, content);
-- A context may be longer than an index can hold, so the index has its fingerprint.
CREATE INDEX evidence_in_context ON evidence (space, md5(context), effective_at, id) WHERE context IS NOT NULL;

CREATE TABLE slots (
  space           bigint NOT NULL,
  number          bigint NOT NULL,
  id              text COLLATE "C" NOT NULL,
  subject         bigint NOT NULL,
  attribute       text COLLATE "C" NOT NULL,
  attribute_whole text,
  conditions      jsonb,                 -- NULL: none
  PRIMARY KEY (space, number),
  FOREIGN KEY (space, subject) REFERENCES entities (space, number)
);

CREATE UNIQUE INDEX slots_by_id ON slots (space, id) INCLUDE (number);
CREATE INDEX slots_by_subject ON slots (space, subject, attribute);
CREATE INDEX slots_by_attribute ON slots (space, attribute);

CREATE TABLE claims (
  space       bigint NOT NULL,
  number      bigint NOT NULL,
  id          text COLLATE "C" NOT NULL,
  evidence    bigint NOT NULL,
  slot        bigint NOT NULL,
  value_key   text COLLATE "C" NOT NULL,
  value_whole text,
  value_type  text COLLATE "C" NOT NULL,
  value_text  text NOT NULL,
  value_unit  text,
  stance      text COLLATE "C" NOT NULL,
  valid_from  bigint,
  valid_to    bigint NOT NULL,
  modality    text COLLATE "C" NOT NULL,
  weight      double precision NOT NULL,
  quote       text,
  quote_match text,
  is_forced   boolean NOT NULL,
  derivation  jsonb,                     -- NULL: not inferred
  depends_on  jsonb,                     -- NULL: on nothing
  operation   bigint NOT NULL,
  source      bigint NOT NULL,           -- that of the evidence, to find what one source says of a value
  PRIMARY KEY (space, number),
  FOREIGN KEY (space, evidence) REFERENCES evidence (space, number),
  FOREIGN KEY (space, slot) REFERENCES slots (space, number)
);

CREATE UNIQUE INDEX claims_by_id ON claims (space, id) INCLUDE (number);
CREATE INDEX claims_by_slot ON claims (space, slot, value_key, source);
CREATE INDEX claims_by_evidence ON claims (space, evidence) INCLUDE (slot, value_key);

CREATE TABLE links (                     -- from what claims rest on, a belief or a slot, to the values they speak of
  space     bigint NOT NULL,
  premise   text COLLATE "C" NOT NULL,
  slot      bigint NOT NULL,
  value_key text COLLATE "C" NOT NULL,
  PRIMARY KEY (space, premise, slot, value_key),
  FOREIGN KEY (space, slot) REFERENCES slots (space, number)
);

CREATE TABLE decisions (                 -- contests that an operation decided because of others
  space       bigint NOT NULL,
  slot        text COLLATE "C" NOT NULL,  -- the id; the value is empty where all values of the slot compete
  value_key   text COLLATE "C" NOT NULL,
  operation   bigint NOT NULL,
  value_whole text,
  PRIMARY KEY (space, slot, value_key)
);

CREATE TABLE retractions (
  space     bigint NOT NULL,
  target    text COLLATE "C" NOT NULL,   -- the id of evidence, a claim or a retraction (which that lifts), or alias:key:entity
  id        text COLLATE "C" NOT NULL,
  operation bigint NOT NULL,
  reason    text,
  target_whole text,
  PRIMARY KEY (space, target, id)
);


-- The views: computed from the log, and replaced whole by a rebuild ---------------------------------

CREATE TABLE beliefs (
  space        bigint NOT NULL,
  id           text COLLATE "C" NOT NULL,
  slot         bigint NOT NULL,
  value_key    text COLLATE "C" NOT NULL,
  value_whole  text,
  value_type   text COLLATE "C" NOT NULL,
  value_text   text NOT NULL,
  value_unit   text,
  status       text COLLATE "C" NOT NULL,
  rule         text COLLATE "C" NOT NULL,
  against      text,
  since        bigint NOT NULL,
  until        bigint NOT NULL,
  observed_at  bigint NOT NULL,
  authority    bigint NOT NULL,
  sources      bigint NOT NULL,
  evidence     bigint NOT NULL,
  version      bigint NOT NULL,
  settled_at   bigint NOT NULL,
  stable_until bigint NOT NULL,
  stale_from   bigint NOT NULL,
  tally        text NOT NULL,            -- JSON: the masses from which a reader computes the confidence
  doubts       jsonb,                    -- NULL: none
  derivations  jsonb,                    -- NULL: not inferred
  is_additive  boolean NOT NULL,
  labels       jsonb,                    -- what it was settled from that not everybody may read; NULL: nothing
  PRIMARY KEY (space, id),
  FOREIGN KEY (space, slot) REFERENCES slots (space, number)
) WITH (fillfactor = 85);

CREATE INDEX beliefs_by_slot ON beliefs (space, slot, value_key);
CREATE INDEX beliefs_in_question ON beliefs (space, status) WHERE status IN ('contested', 'challenger');
CREATE INDEX beliefs_labelled ON beliefs (space, id) WHERE labels IS NOT NULL;
CREATE INDEX beliefs_by_value ON beliefs (space, value_key, slot);

CREATE TABLE documents (
  space    bigint NOT NULL,
  number   bigint NOT NULL,
  document text COLLATE "C" NOT NULL,
  terms    text,                         -- in order, one on each line, as often as it is there; NULL: none
  PRIMARY KEY (space, number)
);

CREATE UNIQUE INDEX documents_by_id ON documents (space, document) INCLUDE (number);

CREATE TABLE postings (                  -- each term of each document once: the key is all there is to it
  space    bigint NOT NULL,
  term     text COLLATE "C" NOT NULL,
  document bigint NOT NULL,
  PRIMARY KEY (space, term, document)
);

CREATE TABLE vectors (                   -- what documents say as models see it
  space    bigint NOT NULL,
  number   bigint NOT NULL,              -- a vector that replaces another has a new one
  document text COLLATE "C" NOT NULL,
  model    text COLLATE "C" NOT NULL,
  numbers  bytea NOT NULL,               -- 32-bit floats, the lowest byte first
  PRIMARY KEY (space, number)
);

CREATE UNIQUE INDEX vectors_by_document ON vectors (space, document, model);


CREATE TABLE audits (                    -- records of answers, by nothing of which anything is decided
  space     bigint NOT NULL,
  number    bigint NOT NULL,
  id        text COLLATE "C" NOT NULL,
  at        bigint NOT NULL,
  principal text,                        -- to whom; NULL: to the owner
  body      text NOT NULL,               -- JSON
  PRIMARY KEY (space, number)
);

CREATE UNIQUE INDEX audits_by_id ON audits (space, id);
CREATE INDEX audits_by_time ON audits (space, at);


-- What the planner should think -------------------------------------------------------------------

-- Without figures PostgreSQL believes that few rows share a space, and reads all of it; with those of many small
-- spaces it would read all of a large one. So of each table it is told that one space holds all its rows, for
-- good; and the first figures are of tables filled for a moment with what memories look like.
DO $$
DECLARE
  kept text;
BEGIN
  FOREACH kept IN ARRAY ARRAY[
    'operations', 'declarations', 'entities', 'names', 'sources', 'evidence', 'slots', 'claims', 'links',
    'decisions', 'retractions', 'beliefs', 'documents', 'postings'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ALTER COLUMN space SET (n_distinct = 1)', kept);
  END LOOP;
END $$;

INSERT INTO operations
  SELECT 0, n, n, n, 'observe', 'author', NULL, NULL, 'key ' || n, NULL, 'request', '{}', n
  FROM generate_series(1, 1000) AS n;
INSERT INTO declarations
  SELECT 0, 'attribute', 'attribute ' || n, n, NULL, '{}' FROM generate_series(1, 100) AS n;
INSERT INTO entities
  SELECT 0, n, 'en_' || md5(n::text), NULL, 'entity ' || n, NULL, n FROM generate_series(1, 1000) AS n;
INSERT INTO names
  SELECT 0, 'entity ' || n, 'en_' || md5(n::text), n % 5 = 0, n, 'Entity ' || n,
         CASE WHEN n % 5 = 0 THEN 'alias:' || n END, NULL, NULL
  FROM generate_series(1, 1200) AS n;
INSERT INTO sources
  SELECT 0, n, 'source ' || n, 'document', 50, 0.8, n, NULL FROM generate_series(1, 200) AS n;
INSERT INTO evidence
  SELECT 0, n, 'ev_' || md5(n::text), 'ct_' || md5(n::text), n % 200 + 1, NULL, n, n, n, false, n / 3 + 1, NULL,
         NULL, NULL, 'what was said, number ' || n
  FROM generate_series(1, 3000) AS n;
INSERT INTO slots
  SELECT 0, n, 'sl_' || md5(n::text), n / 3 + 1, 'attribute ' || n % 100, NULL, NULL
  FROM generate_series(1, 2000) AS n;
INSERT INTO claims
  SELECT 0, n, 'cl_' || md5(n::text), n % 3000 + 1, n % 2000 + 1, 'text:' || n % 1500, NULL, 'text', 'value ' || n,
         NULL, 'supports', NULL, 0, 'asserted', 1.0, NULL, NULL, false, NULL, NULL, n / 3 + 1, n % 200 + 1
  FROM generate_series(1, 4000) AS n;
INSERT INTO links
  SELECT 0, 'sl_' || md5((n / 3)::text), n, 'text:' || n % 1500 FROM generate_series(1, 600) AS n;
INSERT INTO decisions
  SELECT 0, 'sl_' || md5(n::text), '', n, NULL FROM generate_series(1, 600) AS n;
INSERT INTO retractions
  SELECT 0, 'ev_' || md5(n::text), 'rt_' || md5(n::text), n, NULL, NULL FROM generate_series(1, 400) AS n;
INSERT INTO beliefs
  SELECT 0, 'bl_' || md5(n::text), n % 2000 + 1, CASE WHEN n % 9 = 0 THEN 'entity:' ELSE 'text:' END || n % 1500,
         NULL, CASE WHEN n % 9 = 0 THEN 'entity' ELSE 'text' END, 'value ' || n, NULL,
         CASE n % 20 WHEN 0 THEN 'contested' WHEN 1 THEN 'challenger' WHEN 2 THEN 'superseded' ELSE 'accepted' END,
         'alone', NULL, n, n, n, 50, 1, 1, n / 3 + 1, n, n, n, '[]', NULL, NULL, false
  FROM generate_series(1, 3000) AS n;
INSERT INTO documents
  SELECT 0, n, 'ev_' || md5(n::text), 'some' || chr(10) || 'terms' FROM generate_series(1, 6000) AS n;
INSERT INTO postings
  SELECT 0, 'term ' || (n * n) % (n % 300 + 1), n FROM generate_series(1, 6000) AS n;

ANALYZE operations, declarations, entities, names, sources, evidence, slots, claims, links, decisions, retractions,
  beliefs, documents, postings;

-- Apart from the making of the tables, or they would be taken for empty ones: whose size is known, and nothing.
SAVEPOINT figures;
TRUNCATE operations, declarations, entities, names, sources, evidence, slots, claims, links, decisions, retractions,
  beliefs, documents, postings;
RELEASE SAVEPOINT figures;


-- The second wall ---------------------------------------------------------------------------------

-- Each transaction names the space it works in, and sees and writes rows of no other, whatever a statement
-- says; the owner of the tables too. (Superusers, and roles with BYPASSRLS, stand above all policies.)
DO $$
DECLARE
  kept text;
BEGIN
  FOREACH kept IN ARRAY ARRAY[
    'spaces', 'operations', 'declarations', 'entities', 'names', 'sources', 'evidence', 'slots', 'claims',
    'links', 'decisions', 'retractions', 'beliefs', 'documents', 'postings', 'vectors', 'audits'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', kept);
    EXECUTE format(
      'CREATE POLICY one_space ON %I USING (space = nullif(current_setting(%L, true), %L)::bigint)',
      kept, 'knowwhy.space', ''
    );
  END LOOP;
END $$;
