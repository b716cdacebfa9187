//! The file of passwords that PostgreSQL's own programs read: lines `host:port:database:user:password`, in which `*`
//! stands for anything and a backslash takes the meaning from the next character.

use crate::error::Error;
use postgres::Config;
use postgres::config::Host;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// The password for a database, if the file has one.
pub(super) fn find(config: &Config) -> Result<Option<String>, Error> {
    let named = std::env::var_os("PGPASSFILE").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".pgpass"));
    let Some(path) = named.clone().or_else(home) else { return Ok(None) };
    let meta = match std::fs::metadata(&path) {
        Ok(meta) => meta,
        Err(error) if named.is_some() => return Err(Error::file("read", path, &error)),
        Err(_) => return Ok(None),
    };
    if meta.permissions().mode() & 0o077 != 0 {
        return Err(Error::File {
            action: "use",
            path,
            why: "others may read it; take that away with `chmod 600`".to_owned(),
        });
    }
    let text = std::fs::read_to_string(&path).map_err(|error| Error::file("read", &path, &error))?;
    Ok(matching(&text, config))
}

fn matching(text: &str, config: &Config) -> Option<String> {
    let host = match config.get_hosts().first()? {
        Host::Tcp(name) => name.clone(),
        Host::Unix(path) => path.display().to_string(),
    };
    let port = config.get_ports().first().copied().unwrap_or(5432).to_string();
    let wanted = [
        host.as_str(),
        port.as_str(),
        config.get_dbname().unwrap_or_default(),
        config.get_user().unwrap_or_default(),
    ];
    text.lines().filter(|line| !line.starts_with('#')).map(fields).find_map(|fields| {
        let (password, names) = fields.split_last()?;
        let fits = |(field, name): (&String, &str)| field == "*" || field == name;
        (names.len() == wanted.len() && names.iter().zip(wanted).all(fits)).then(|| password.clone())
    })
}

/// The fields of a line.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        let last = fields.len() - 1;
        match c {
            // The password is the rest of the line.
            ':' if fields.len() < 5 => fields.push(String::new()),
            '\\' => fields[last].extend(chars.next()),
            c => fields[last].push(c),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::matching;

    #[test]
    fn the_first_line_that_fits_is_taken() {
        let text = "# comment\nother:5432:db:me:no\ndb.example:*:d\\:b:me:a\\\\b:c\n*:*:*:*:last\n";
        let of = |address: &str| matching(text, &address.parse().expect("an address"));
        assert_eq!(of("postgres://me@db.example/d:b").as_deref(), Some("a\\b:c"));
        assert_eq!(of("postgres://me@db.example/db").as_deref(), Some("last"));
        assert_eq!(matching("a:b:c\n", &"postgres://me@a/b".parse().expect("an address")), None);
    }
}
