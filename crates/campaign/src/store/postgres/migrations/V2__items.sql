-- Items beside programs, what workers have, and less to check for every program.

-- What a hunt writes most is not compared with other tables row by row: a commit holds the row of its lease, or of its
-- campaign where there is no lease, and whoever takes a campaign away takes these first.
ALTER TABLE program DROP CONSTRAINT program_campaign_fkey;
ALTER TABLE result DROP CONSTRAINT result_campaign_seed_fkey, DROP CONSTRAINT result_campaign_configuration_fkey;

-- As before, but with one look for each finding: of those with the same signature all are read only where another than
-- before comes to be the first.
CREATE OR REPLACE FUNCTION finding_has_program() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  leader TEXT;
BEGIN
  IF NEW.signature = '' THEN
    leader := NEW.id;
  ELSE
    SELECT id INTO leader FROM finding
      WHERE campaign = NEW.campaign AND kind = NEW.kind AND md5(signature) = md5(NEW.signature)
      ORDER BY bare, seed, ordinal LIMIT 1;
    IF leader = NEW.id THEN
      DELETE FROM finding_file WHERE campaign = NEW.campaign AND finding IN (
        SELECT id FROM finding WHERE campaign = NEW.campaign AND kind = NEW.kind
          AND md5(signature) = md5(NEW.signature) AND id <> leader);
    ELSE
      DELETE FROM finding_file WHERE campaign = NEW.campaign AND finding = NEW.id;
    END IF;
  END IF;
  IF NOT EXISTS (SELECT 1 FROM finding_file WHERE campaign = NEW.campaign AND finding = leader AND name = 'program.c')
  THEN
    RAISE EXCEPTION 'finding % has no program', leader USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;

-- What a campaign's workers must have: the processor, as Rust names it, and bytes of memory.
ALTER TABLE campaign ADD COLUMN architecture TEXT NOT NULL DEFAULT '', ADD COLUMN memory BIGINT NOT NULL DEFAULT 0;

-- A set of items: pure functions of what is stored here, worked on by whoever comes first.
CREATE TABLE job (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- A hash of all that its results depend on.
  key TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  -- Of the plumb that began it: another may come to something else.
  version TEXT NOT NULL,
  title TEXT NOT NULL,
  -- What its items have in common, as JSON.
  spec TEXT NOT NULL,
  architecture TEXT NOT NULL,
  memory BIGINT NOT NULL,
  begun TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE TABLE job_file (
  job BIGINT NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  executable BOOLEAN NOT NULL,
  bytes BYTEA NOT NULL,
  PRIMARY KEY (job, name)
);

-- As a range of a hunt: free where `expires` has passed; `epoch` counts how often it was handed out.
CREATE TABLE item (
  job BIGINT NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  number BIGINT NOT NULL,
  input TEXT NOT NULL,
  epoch BIGINT NOT NULL DEFAULT 0,
  -- How often it was handed out and not given back.
  tries BIGINT NOT NULL DEFAULT 0,
  holder TEXT NOT NULL DEFAULT '',
  expires TIMESTAMPTZ NOT NULL DEFAULT '-infinity',
  done BOOLEAN NOT NULL DEFAULT false,
  PRIMARY KEY (job, number)
) WITH (fillfactor = 70);
-- By number before job: jobs that wait at the same time go forward side by side.
CREATE INDEX item_open ON item (expires, number, job) WHERE NOT done;

-- What an item came to: written once, in the transaction that says that it is done.
CREATE TABLE item_file (
  job BIGINT NOT NULL,
  number BIGINT NOT NULL,
  name TEXT NOT NULL,
  executable BOOLEAN NOT NULL,
  bytes BYTEA NOT NULL,
  PRIMARY KEY (job, number, name),
  FOREIGN KEY (job, number) REFERENCES item (job, number) ON DELETE CASCADE
);

-- Who works, or worked: what they have, when they were last heard of, and how they ended.
CREATE TABLE worker (
  id TEXT PRIMARY KEY,
  role TEXT NOT NULL DEFAULT session_user,
  host TEXT NOT NULL,
  architecture TEXT NOT NULL,
  memory BIGINT NOT NULL,
  jobs BIGINT NOT NULL,
  version TEXT NOT NULL,
  begun TIMESTAMPTZ NOT NULL DEFAULT now(),
  seen TIMESTAMPTZ NOT NULL DEFAULT now(),
  doing TEXT NOT NULL DEFAULT '',
  -- Its last words; NULL while it works, and of one that was killed.
  words TEXT
);

-- Lines of `access` with `jobs` let a role see items, and no campaign.
ALTER TABLE access ADD COLUMN jobs BOOLEAN NOT NULL DEFAULT false;
CREATE OR REPLACE FUNCTION visible() RETURNS SETOF BIGINT LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT id FROM campaign WHERE EXISTS (
    SELECT FROM access JOIN pg_roles ON rolname = access.role
    WHERE NOT access.jobs AND (access.campaign IS NULL OR access.campaign = campaign.id)
      AND pg_has_role(session_user, oid, 'MEMBER'))
$$;
CREATE FUNCTION sees_jobs() RETURNS BOOLEAN LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM access JOIN pg_roles ON rolname = access.role
    WHERE access.jobs AND pg_has_role(session_user, oid, 'MEMBER'))
$$;
CREATE FUNCTION sees_all() RETURNS BOOLEAN LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM access JOIN pg_roles ON rolname = access.role
    WHERE NOT access.jobs AND access.campaign IS NULL AND pg_has_role(session_user, oid, 'MEMBER'))
$$;
DO $$
DECLARE
  of TEXT;
BEGIN
  FOREACH of IN ARRAY ARRAY['job', 'job_file', 'item', 'item_file'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', of);
    EXECUTE format('CREATE POLICY seen ON %I USING ((SELECT sees_jobs()))', of);
  END LOOP;
  ALTER TABLE worker ENABLE ROW LEVEL SECURITY;
  CREATE POLICY own ON worker USING (role = session_user);
  CREATE POLICY seen ON worker FOR SELECT USING ((SELECT sees_all()));
END $$;
