-- Big files beside the database: in a bucket, by their hash.

-- Where, if anywhere: a line that the owner writes. Files of more than `above` bytes go there, but for programs of findings; it
-- may be away for `patience` before that is an error; and what no row names is taken away, once it was not put there for `grace`.
CREATE TABLE bucket (
  place TEXT NOT NULL CHECK (place NOT LIKE '%@%'),
  above BIGINT NOT NULL DEFAULT 1048576 CHECK (above >= 0),
  patience INTERVAL NOT NULL DEFAULT '1 minute',
  grace INTERVAL NOT NULL DEFAULT '1 day',
  one BOOLEAN PRIMARY KEY DEFAULT true CHECK (one)
);

-- What may be there. A line is written before the file is put there, and taken away with the file, so that nothing is in the
-- bucket of which no line tells.
CREATE TABLE bucket_file (
  hash TEXT PRIMARY KEY CHECK (hash ~ '^[0-9a-f]{64}$'),
  put TIMESTAMPTZ NOT NULL DEFAULT now()
);
-- Lines are for whoever has the files' bytes: a worker that sees those of others could ask the bucket for their files.
ALTER TABLE bucket_file ENABLE ROW LEVEL SECURITY;
CREATE FUNCTION putting(hashes TEXT[]) RETURNS VOID LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO bucket_file (hash) SELECT DISTINCT own FROM unnest(hashes) AS own ORDER BY own
  ON CONFLICT (hash) DO UPDATE SET put = now()
$$;
REVOKE ALL ON FUNCTION putting FROM PUBLIC;

-- A row has its file's bytes, or the hash under which the bucket has them.
DO $$
DECLARE
  of TEXT;
BEGIN
  FOREACH of IN ARRAY ARRAY['finding_file', 'job_file', 'item_file'] LOOP
    EXECUTE format('ALTER TABLE %I ADD COLUMN hash TEXT REFERENCES bucket_file (hash), '
      'ADD CONSTRAINT here_or_there CHECK (hash IS NULL OR bytes = '''')', of);
    EXECUTE format('CREATE INDEX %I ON %I (hash) WHERE hash IS NOT NULL', of || '_hash', of);
  END LOOP;
END $$;
-- The program of a finding is always here: whoever brings a finding cannot only say that there is one.
ALTER TABLE finding_file ADD CONSTRAINT program_is_here CHECK (hash IS NULL OR name <> 'program.c');
