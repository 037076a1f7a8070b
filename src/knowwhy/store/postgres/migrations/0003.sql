-- The third format: of what was erased, how many numbers of entities, sources and slots are free.

ALTER TABLE spaces ADD COLUMN dropped_entities bigint NOT NULL DEFAULT 0;
ALTER TABLE spaces ADD COLUMN dropped_sources bigint NOT NULL DEFAULT 0;
ALTER TABLE spaces ADD COLUMN dropped_slots bigint NOT NULL DEFAULT 0;
