-- Parts of an item: what the worker that holds it hands to others meanwhile. They are items of a job beneath it.

ALTER TABLE job
  -- The item that it is a part of, and the epoch under which that was held: parts are worth doing while it is.
  ADD COLUMN of_job BIGINT, ADD COLUMN of_number BIGINT, ADD COLUMN of_epoch BIGINT,
  -- How many parts there were, so that no number is given twice.
  ADD COLUMN parts BIGINT NOT NULL DEFAULT 0,
  ADD FOREIGN KEY (of_job, of_number) REFERENCES item (job, number) ON DELETE CASCADE;
CREATE INDEX job_of ON job (of_job, of_number) WHERE of_job IS NOT NULL;

-- What belongs to an item only while it is held goes when it is handed out anew, or done: its parts; and when it is done, how far
-- who held it had come.
CREATE FUNCTION parts_end() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM job WHERE of_job = NEW.job AND of_number = NEW.number;
  IF NEW.done THEN
    DELETE FROM job_file WHERE job = NEW.job AND name = format('state/%s', NEW.number);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER parts_end AFTER UPDATE OF done, epoch ON item
  FOR EACH ROW WHEN (NEW.done OR NEW.epoch <> OLD.epoch) EXECUTE FUNCTION parts_end();

-- A worker may not begin jobs. These functions do for it what who holds an item may do: hand out parts of it, take them back, and
-- note how far it is. What others run for a part is its item's, which the owner wrote.
CREATE FUNCTION holds(whose BIGINT, nth BIGINT, under BIGINT) RETURNS BOOLEAN LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT (sees_jobs() OR pg_has_role(session_user, (SELECT relowner FROM pg_class WHERE oid = 'item'::regclass), 'MEMBER')) THEN
    RETURN false;
  END IF;
  PERFORM FROM item WHERE job = whose AND number = nth AND epoch = under AND NOT done AND expires >= now() FOR SHARE;
  RETURN FOUND;
END $$;
CREATE FUNCTION hand_out(whose BIGINT, nth BIGINT, under BIGINT, about TEXT, files BYTEA[])
  RETURNS TABLE (part_job BIGINT, part_number BIGINT) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  beneath BIGINT;
  last BIGINT;
  own TEXT := format('%s/%s/%s', whose, nth, under);
BEGIN
  IF NOT holds(whose, nth, under) THEN
    RETURN;
  END IF;
  -- A part has no parts.
  INSERT INTO job (key, kind, version, title, spec, architecture, memory, of_job, of_number, of_epoch)
    SELECT own, kind || '-part', version, title, about, architecture, memory, whose, nth, under
    FROM job WHERE id = whose AND of_job IS NULL ON CONFLICT (key) DO NOTHING;
  UPDATE job SET parts = parts + cardinality(files) WHERE key = own RETURNING id, parts - cardinality(files) INTO beneath, last;
  IF beneath IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO item (job, number, input) SELECT beneath, last + place, '' FROM generate_series(1, cardinality(files)) AS place;
  INSERT INTO job_file (job, name, executable, bytes)
    SELECT beneath, format('part/%s/', last + place), false, file FROM unnest(files) WITH ORDINALITY AS of (file, place);
  RETURN QUERY SELECT beneath, last + place FROM generate_series(1, cardinality(files)) AS place ORDER BY 2;
END $$;
CREATE FUNCTION withdraw(whose BIGINT, nth BIGINT, under BIGINT, numbers BIGINT[]) RETURNS BOOLEAN LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  beneath BIGINT := (SELECT id FROM job WHERE key = format('%s/%s/%s', whose, nth, under));
BEGIN
  IF NOT holds(whose, nth, under) THEN
    RETURN false;
  END IF;
  DELETE FROM item WHERE job = beneath AND number = ANY (numbers);
  DELETE FROM job_file WHERE job = beneath AND name IN (SELECT format('part/%s/', number) FROM unnest(numbers) AS number);
  RETURN true;
END $$;
CREATE FUNCTION keep_state(whose BIGINT, nth BIGINT, under BIGINT, state BYTEA) RETURNS BOOLEAN LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT holds(whose, nth, under) THEN
    RETURN false;
  END IF;
  INSERT INTO job_file (job, name, executable, bytes) VALUES (whose, format('state/%s', nth), false, state)
    ON CONFLICT (job, name) DO UPDATE SET bytes = excluded.bytes, hash = NULL;
  RETURN true;
END $$;
REVOKE ALL ON FUNCTION holds, hand_out, withdraw, keep_state FROM PUBLIC;
