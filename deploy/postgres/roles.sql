-- Roles of a store that many machines share. Run once by the owner of the database, who may make roles, after its first
-- `plumb hunt`, `prove --store` or `copy` has made the tables:
--
--   psql "$STORE" --set ON_ERROR_STOP=1 --file roles.sql
--
-- The owner of the tables begins campaigns, triages, copies and prunes. A worker tests what is leased to it, a reader reads.
-- After a plumb that raised the tables: once more. Each sees the campaigns that a line of `access` names, and no other:
--
--   CREATE ROLE rack7 LOGIN IN ROLE plumb_worker;
--   INSERT INTO access VALUES ('rack7', 3);           -- campaign 3
--   INSERT INTO access VALUES ('rack7', NULL, true);   -- and functions and findings that others share out
--   INSERT INTO access VALUES ('plumb_reader', NULL);  -- all campaigns, for every reader
DO $$
DECLARE
  name TEXT;
BEGIN
  FOREACH name IN ARRAY ARRAY['plumb_reader', 'plumb_worker'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN', name);
    END IF;
  END LOOP;
END $$;

GRANT USAGE ON SCHEMA public TO plumb_reader, plumb_worker;
GRANT SELECT ON plumb_schema, campaign, configuration, run, lease, program, result, finding, finding_seen, finding_file,
  triage, decision, job, job_file, item, item_file, worker, bucket TO plumb_reader, plumb_worker;

-- What a worker adds it cannot change or take away. Command lines of campaigns, which other workers run, are the owner's.
GRANT INSERT ON run, program, result, finding, finding_file TO plumb_worker;
GRANT EXECUTE ON FUNCTION putting TO plumb_worker;
GRANT INSERT (campaign, first, count), UPDATE (epoch, holder, expires, done) ON lease TO plumb_worker;
GRANT UPDATE (next) ON campaign TO plumb_worker;
GRANT UPDATE (epoch, tries, holder, expires, done) ON item TO plumb_worker;
GRANT INSERT ON item_file, worker TO plumb_worker;
GRANT EXECUTE ON FUNCTION holds, hand_out, withdraw, keep_state TO plumb_worker;
GRANT UPDATE (seen, doing, words) ON worker TO plumb_worker;
