//! Where a database is, and how it may be spoken to: in plain text only on this machine, and no secret in an address,
//! which is on command lines and in messages.

use super::service;
use crate::error::Error;
use postgres::Config;
use postgres::config::{Host, SslMode};
use std::net::IpAddr;

/// What an address says, with the password that a file has for it.
pub(super) fn parse(address: &str) -> Result<Config, Error> {
    let (address, service) = service::split(address);
    let mut config: Config = address.parse().map_err(|error: postgres::Error| {
        // The parser's words name options, never values.
        Error::Usage(format!("--store: not an address of a PostgreSQL database: {error}"))
    })?;
    if config.get_password().is_some() {
        let why = "--store: an address with a password can be read by everybody on this machine; put the password in \
                   a file that PGPASSFILE names";
        return Err(Error::Usage(why.to_owned()));
    }
    if let Some(name) = service {
        service::fill(&mut config, &name)?;
    }
    if config.get_hosts().is_empty() {
        return Err(Error::Usage("--store: the address names no host".to_owned()));
    }
    if config.get_user().is_none() {
        let user = std::env::var("PGUSER").or_else(|_| std::env::var("USER")).unwrap_or_default();
        config.user(&user);
    }
    if config.get_dbname().is_none() {
        let name = config.get_user().unwrap_or_default().to_owned();
        config.dbname(&name);
    }
    if config.get_application_name().is_none() {
        config.application_name("plumb");
    }
    config.ssl_mode(mode(&config));
    // A service's goes before, as with PostgreSQL's own programs.
    if config.get_password().is_none()
        && let Some(password) = super::passwords::find(&config)?
    {
        config.password(password);
    }
    Ok(config)
}

/// Another machine is spoken to in TLS alone, unless the address says `sslmode=disable`; [`SslMode::Prefer`] is left for this
/// machine alone.
fn mode(config: &Config) -> SslMode {
    let said = config.get_ssl_mode();
    if said == SslMode::Prefer && !config.get_hosts().iter().all(is_here) { SslMode::Require } else { said }
}

/// Is it this machine?
fn is_here(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use postgres::config::SslMode;

    #[test]
    fn plain_text_stays_on_this_machine() {
        let mode = |address: &str| parse(address).expect("an address").get_ssl_mode();
        assert_eq!(mode("postgres://me@127.0.0.1/db"), SslMode::Prefer);
        assert_eq!(mode("postgres://me@localhost/db"), SslMode::Prefer);
        assert_eq!(mode("postgres://me@%2Frun%2Fpostgresql/db"), SslMode::Prefer);
        assert_eq!(mode("postgres://me@127.0.0.1/db?sslmode=require"), SslMode::Require);
        assert_eq!(mode("postgres://me@db.example/db"), SslMode::Require);
        assert_eq!(mode("postgres://me@localhost,db.example/db"), SslMode::Require);
        assert_eq!(mode("postgres://me@db.example/db?sslmode=disable"), SslMode::Disable);
    }

    #[test]
    fn a_password_in_an_address_is_refused_and_not_repeated() {
        for bad in ["postgres://me:hush@localhost/db", "postgres://localhost/db?password=hush", "postgres://"]
        {
            let said = parse(bad).expect_err("refused").to_string();
            assert!(!said.contains("hush"), "{said}");
        }
    }
}
