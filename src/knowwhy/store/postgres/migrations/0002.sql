-- The second format: vectors beside the text index, and what was said side by side in one context.

ALTER TABLE spaces ADD COLUMN vectors bigint NOT NULL DEFAULT 0;  -- the last number given out

CREATE TABLE vectors (
  space    bigint NOT NULL,
  number   bigint NOT NULL,              -- a vector that replaces another has a new one
  document text COLLATE "C" NOT NULL,
  model    text COLLATE "C" NOT NULL,
  numbers  bytea NOT NULL,               -- 32-bit floats, the lowest byte first
  PRIMARY KEY (space, number)
);

CREATE UNIQUE INDEX vectors_by_document ON vectors (space, document, model);

-- A context may be longer than an index can hold, so the index has its fingerprint.
CREATE INDEX evidence_in_context ON evidence (space, md5(context), effective_at, id) WHERE context IS NOT NULL;

ALTER TABLE vectors ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY one_space ON vectors USING (space = nullif(current_setting('knowwhy.space', true), '')::bigint);
