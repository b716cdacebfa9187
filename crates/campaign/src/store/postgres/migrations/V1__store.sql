-- The store of campaigns that many machines work on. Rows are never changed but for leases, triage and the files of
-- findings; what a program came to is committed at once.

CREATE TABLE campaign (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Everything its results depend on, and what its compilers' executables consist of.
  key TEXT NOT NULL,
  build TEXT NOT NULL,
  title TEXT NOT NULL,
  -- The command line of its hunt, as a JSON array; empty where no other machine can work on it.
  words TEXT NOT NULL,
  begun TIMESTAMPTZ NOT NULL DEFAULT now(),
  -- The first program number that no lease covers yet.
  next BIGINT NOT NULL DEFAULT 0,
  -- How many programs it has; NULL for no end.
  total BIGINT
);
CREATE UNIQUE INDEX campaign_key ON campaign (md5(key), md5(build));

CREATE TABLE configuration (
  campaign BIGINT NOT NULL REFERENCES campaign (id) ON DELETE CASCADE,
  number BIGINT NOT NULL,
  label TEXT NOT NULL,
  compiler TEXT NOT NULL,
  level TEXT NOT NULL,
  version TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (campaign, number)
);

CREATE TABLE run (
  campaign BIGINT NOT NULL REFERENCES campaign (id) ON DELETE CASCADE,
  begun TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX run_campaign ON run (campaign);

-- A range of program numbers. It is free where `expires` has passed; `epoch` counts how often it was handed out.
CREATE TABLE lease (
  campaign BIGINT NOT NULL REFERENCES campaign (id) ON DELETE CASCADE,
  first BIGINT NOT NULL,
  count BIGINT NOT NULL,
  epoch BIGINT NOT NULL DEFAULT 0,
  holder TEXT NOT NULL DEFAULT '',
  expires TIMESTAMPTZ NOT NULL DEFAULT '-infinity',
  done BOOLEAN NOT NULL DEFAULT false,
  PRIMARY KEY (campaign, first)
) WITH (fillfactor = 70);
CREATE INDEX lease_open ON lease (campaign, expires, first) WHERE NOT done;

CREATE TABLE program (
  campaign BIGINT NOT NULL REFERENCES campaign (id) ON DELETE CASCADE,
  seed BIGINT NOT NULL,
  name TEXT NOT NULL,
  rejected TEXT,
  about TEXT NOT NULL,
  detail TEXT NOT NULL,
  compilers_us BIGINT NOT NULL,
  plumb_us BIGINT NOT NULL,
  strategies TEXT NOT NULL,
  at TIMESTAMPTZ NOT NULL DEFAULT now(),
  PRIMARY KEY (campaign, seed)
);
CREATE INDEX program_at ON program (campaign, at);

CREATE TABLE result (
  campaign BIGINT NOT NULL,
  seed BIGINT NOT NULL,
  configuration BIGINT NOT NULL,
  verdict TEXT NOT NULL,
  why TEXT NOT NULL,
  about TEXT NOT NULL,
  detail TEXT NOT NULL,
  compile_us BIGINT NOT NULL,
  run_us BIGINT NOT NULL,
  PRIMARY KEY (campaign, seed, configuration),
  FOREIGN KEY (campaign, seed) REFERENCES program (campaign, seed) ON DELETE CASCADE,
  FOREIGN KEY (campaign, configuration) REFERENCES configuration (campaign, number) ON DELETE CASCADE
);

CREATE TABLE finding (
  campaign BIGINT NOT NULL,
  id TEXT NOT NULL,
  seed BIGINT NOT NULL,
  -- Its place among the findings of its program.
  ordinal BIGINT NOT NULL,
  program TEXT NOT NULL,
  configuration TEXT NOT NULL,
  kind TEXT NOT NULL,
  signature TEXT NOT NULL,
  summary TEXT NOT NULL,
  doubt TEXT,
  strategies TEXT NOT NULL,
  -- It was only counted in the store that it was copied from, and has no files.
  bare BOOLEAN NOT NULL DEFAULT false,
  PRIMARY KEY (campaign, id),
  FOREIGN KEY (campaign, seed) REFERENCES program (campaign, seed) ON DELETE CASCADE
);
CREATE INDEX finding_bug ON finding (campaign, kind, md5(signature), bare, seed, ordinal);

-- Findings with what they are evidence of: of those of their signature that had files the first by seed, whoever came first.
CREATE VIEW finding_seen WITH (security_invoker = true) AS
  SELECT id, seed, program, configuration, kind, signature, summary, doubt, strategies,
         CASE WHEN signature = '' OR first = id THEN '' ELSE first END AS evidence_of, campaign, ordinal
  FROM (SELECT *, first_value(id) OVER (PARTITION BY campaign, kind, signature ORDER BY bare, seed, ordinal) AS first
        FROM finding) AS all_findings;

CREATE TABLE finding_file (
  campaign BIGINT NOT NULL,
  finding TEXT NOT NULL,
  name TEXT NOT NULL,
  executable BOOLEAN NOT NULL,
  bytes BYTEA NOT NULL,
  PRIMARY KEY (campaign, finding, name),
  FOREIGN KEY (campaign, finding) REFERENCES finding (campaign, id) ON DELETE CASCADE
);

-- A finding that nobody can reproduce is none: at the end of a transaction, the first of each signature has its program,
-- and the others have no files. Workers cannot take files away; this function does it for them, and looks for tables in
-- this schema alone, so that a table of a worker's own is not taken for one of these.
CREATE FUNCTION finding_has_program() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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
    DELETE FROM finding_file WHERE campaign = NEW.campaign AND finding IN (
      SELECT id FROM finding WHERE campaign = NEW.campaign AND kind = NEW.kind
        AND md5(signature) = md5(NEW.signature) AND id <> leader);
  END IF;
  IF NOT EXISTS (SELECT 1 FROM finding_file WHERE campaign = NEW.campaign AND finding = leader AND name = 'program.c')
  THEN
    RAISE EXCEPTION 'finding % has no program', leader USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER finding_program AFTER INSERT ON finding DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION finding_has_program();

CREATE TABLE triage (
  finding TEXT PRIMARY KEY,
  leader TEXT NOT NULL,
  rank BIGINT NOT NULL,
  known TEXT,
  analysis TEXT NOT NULL
);
CREATE TABLE decision (
  number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  finding TEXT NOT NULL,
  other TEXT
);

-- Who may see which campaign: a role (or one that it is a member of), and a campaign, or NULL for all. The owner of the
-- tables sees everything; others, what a line here names.
CREATE TABLE access (
  role TEXT NOT NULL,
  campaign BIGINT REFERENCES campaign (id) ON DELETE CASCADE
);
CREATE FUNCTION visible() RETURNS SETOF BIGINT LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT id FROM campaign WHERE EXISTS (
    SELECT FROM access JOIN pg_roles ON rolname = access.role
    WHERE (access.campaign IS NULL OR access.campaign = campaign.id) AND pg_has_role(session_user, oid, 'MEMBER'))
$$;
DO $$
DECLARE
  of TEXT;
BEGIN
  ALTER TABLE campaign ENABLE ROW LEVEL SECURITY;
  CREATE POLICY seen ON campaign USING (id = ANY (ARRAY(SELECT visible())));
  FOREACH of IN ARRAY ARRAY['configuration', 'run', 'lease', 'program', 'result', 'finding', 'finding_file'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', of);
    EXECUTE format('CREATE POLICY seen ON %I USING (campaign = ANY (ARRAY(SELECT visible())))', of);
  END LOOP;
  ALTER TABLE triage ENABLE ROW LEVEL SECURITY;
  CREATE POLICY seen ON triage USING (finding IN (SELECT id FROM finding));
  ALTER TABLE decision ENABLE ROW LEVEL SECURITY;
  CREATE POLICY seen ON decision USING (finding IN (SELECT id FROM finding));
END $$;
