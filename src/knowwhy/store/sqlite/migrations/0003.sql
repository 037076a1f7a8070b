-- The third format: of what was erased, how many numbers of entities, sources and slots are free.

ALTER TABLE spaces ADD COLUMN dropped_entities INTEGER NOT NULL DEFAULT 0;
ALTER TABLE spaces ADD COLUMN dropped_sources INTEGER NOT NULL DEFAULT 0;
ALTER TABLE spaces ADD COLUMN dropped_slots INTEGER NOT NULL DEFAULT 0;
