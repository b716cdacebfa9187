//! Service files, as PostgreSQL's own programs read them: sections `[NAME]` of lines `key=value` that say where a database is and
//! who asks, so that an address is `postgres:///?service=NAME` and no more. What the address says itself goes before.

use crate::error::Error;
use postgres::Config;
use postgres::config::SslMode;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Takes `service=NAME` out of an address.
pub(super) fn split(address: &str) -> (String, Option<String>) {
    let Some((place, options)) = address.split_once('?') else { return (address.to_owned(), None) };
    let (named, others): (Vec<&str>, Vec<&str>) =
        options.split('&').partition(|option| option.starts_with("service="));
    let name = named.last().map(|option| option.trim_start_matches("service=").to_owned());
    let others = others.join("&");
    (if others.is_empty() { place.to_owned() } else { format!("{place}?{others}") }, name)
}

/// Adds what the file has for a service.
pub(super) fn fill(config: &mut Config, name: &str) -> Result<(), Error> {
    let set = |variable| std::env::var_os(variable).map(PathBuf::from);
    let own = set("PGSERVICEFILE").or_else(|| set("HOME").map(|home| home.join(".pg_service.conf")));
    let all = set("PGSYSCONFDIR").unwrap_or_else(|| PathBuf::from("/etc/postgresql-common"));
    for path in own.into_iter().chain([all.join("pg_service.conf")]).filter(|path| path.is_file()) {
        let text = std::fs::read_to_string(&path).map_err(|error| Error::file("read", &path, &error))?;
        let Some(lines) = section(&text, name) else { continue };
        for (key, value) in lines {
            add(config, key, value, &path)?;
        }
        return Ok(());
    }
    Err(Error::Usage(format!("--store: no service file has a service `{name}`; see PGSERVICEFILE")))
}

/// The lines of a section.
fn section<'t>(text: &'t str, name: &str) -> Option<Vec<(&'t str, &'t str)>> {
    let mut lines = text.lines().map(str::trim).skip_while(|line| *line != format!("[{name}]"));
    lines.next()?;
    let own = lines.take_while(|line| !line.starts_with('['));
    Some(own.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('=')).collect())
}

/// One line of a service, unless the address said the same.
fn add(config: &mut Config, key: &str, value: &str, path: &Path) -> Result<(), Error> {
    let wrong = |why: &str| Error::File { action: "use", path: path.to_owned(), why: why.to_owned() };
    match key {
        "host" if config.get_hosts().is_empty() => {
            config.host(value);
        }
        "port" if config.get_ports().is_empty() => {
            config.port(value.parse().map_err(|_| wrong("its `port` is no number"))?);
        }
        "dbname" if config.get_dbname().is_none() => {
            config.dbname(value);
        }
        "user" if config.get_user().is_none() => {
            config.user(value);
        }
        "password" => {
            let mode = std::fs::metadata(path).map_err(|error| Error::file("read", path, &error))?;
            if mode.permissions().mode() & 0o077 != 0 {
                return Err(wrong(
                    "it has a password, and others may read it; take that away with `chmod 600`",
                ));
            }
            config.password(value);
        }
        // Asking for less than is the rule here is for the address, where it is seen; checking the server's name is the rule.
        "sslmode" => {
            if ["require", "verify-ca", "verify-full"].contains(&value) {
                config.ssl_mode(SslMode::Require);
            }
        }
        "application_name" if config.get_application_name().is_none() => {
            config.application_name(value);
        }
        "host" | "port" | "dbname" | "user" | "application_name" => {}
        other => return Err(wrong(&format!("plumb does not know its `{other}`"))),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{add, section, split};
    use postgres::Config;
    use postgres::config::Host;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn an_address_goes_before_its_service() {
        assert_eq!(
            split("postgres:///?service=night"),
            ("postgres:///".to_owned(), Some("night".to_owned()))
        );
        assert_eq!(split("postgres://h/d?a=b&service=x&c=d").0, "postgres://h/d?a=b&c=d");
        assert_eq!(split("postgres://h/d").1, None);
        let text = "# x\n[day]\nhost=other\n[night]\nhost=db.example\n#port=1\nport=5433\ndbname=plumb\nuser=me\n[a]\nuser=b\n";
        let lines = section(text, "night").expect("it is there");
        assert_eq!(section(text, "none"), None);
        let mut config: Config = "postgres:///mine".parse().expect("an address");
        for (key, value) in lines {
            add(&mut config, key, value, std::path::Path::new("/none")).expect(key);
        }
        assert_eq!(config.get_hosts(), [Host::Tcp("db.example".to_owned())]);
        assert_eq!((config.get_ports(), config.get_dbname()), (&[5433][..], Some("mine")));
        assert_eq!(config.get_user(), Some("me"));
    }

    #[test]
    fn a_password_is_in_a_file_that_nobody_else_reads() {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        for (mode, taken) in [(0o644, false), (0o600, true)] {
            std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(mode))
                .expect("its owner's");
            let mut config = Config::new();
            let said = add(&mut config, "password", "hush", file.path());
            assert_eq!((said.is_ok(), config.get_password().is_some()), (taken, taken));
            assert!(said.err().is_none_or(|error| !error.to_string().contains("hush")));
        }
    }
}
