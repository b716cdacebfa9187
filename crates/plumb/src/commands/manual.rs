//! `plumb completions` and `plumb man`: what shells and `man` are told of the command line, made from its definition.

use crate::args::{Args, Completions, Man};
use crate::output;
use campaign::{Error, exit};
use clap::{Arg, ArgAction, Command, CommandFactory};
use generate::options::{LIMITS, SWITCHES};
use std::fs;
use std::sync::LazyLock;

/// The command line with the generator's options, which it takes beside those of clap.
fn whole() -> Command {
    let mut command = Args::command();
    for name in ["gen", "hunt"] {
        command = command.mut_subcommand(name, |command| command.args(generator_args()));
    }
    command
}

/// What switches a switch off, in the order of [`SWITCHES`].
static OFF: LazyLock<Vec<String>> =
    LazyLock::new(|| SWITCHES.iter().map(|switch| format!("no-{}", switch.flag)).collect());

fn generator_args() -> Vec<Arg> {
    let arg = |name: &'static str, help: String| {
        Arg::new(name).long(name).help(help).help_heading("Generator options")
    };
    let mut args = Vec::new();
    for (switch, off) in SWITCHES.iter().zip(OFF.iter()) {
        args.push(arg(switch.flag, switch.doc.to_owned()).action(ArgAction::SetTrue));
        args.push(arg(off, format!("not: {}", switch.doc)).action(ArgAction::SetTrue));
    }
    for limit in LIMITS {
        let help = format!("{} [default: {}]", limit.doc, limit.default);
        args.push(arg(limit.flag, help).value_name("N"));
    }
    args
}

/// Runs `plumb completions`.
pub fn completions(args: &Completions) -> Result<u8, Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut whole(), "plumb", &mut script);
    output::bytes(&script);
    Ok(exit::OK)
}

/// Runs `plumb man`.
pub fn man(args: &Man) -> Result<u8, Error> {
    let pages = pages()?;
    if let Some(dir) = &args.output {
        fs::create_dir_all(dir).map_err(|error| Error::file("make", dir, &error))?;
        for (name, page) in &pages {
            let path = dir.join(format!("{name}.1"));
            fs::write(&path, page).map_err(|error| Error::file("write", &path, &error))?;
            output::line(&path.display().to_string());
        }
        return Ok(exit::OK);
    }
    let wanted = match &args.command {
        Some(command) => format!("plumb-{command}"),
        None => "plumb".to_owned(),
    };
    let Some((_, page)) = pages.iter().find(|(name, _)| *name == wanted) else {
        let known: Vec<&str> = pages.iter().filter_map(|(name, _)| name.strip_prefix("plumb-")).collect();
        let why = format!("man: no command is called so; expected one of {}", known.join(", "));
        return Err(Error::Usage(why));
    };
    output::bytes(page);
    Ok(exit::OK)
}

/// The page of plumb and of each command: its name and its text.
fn pages() -> Result<Vec<(String, Vec<u8>)>, Error> {
    let mut command = whole().disable_help_subcommand(true);
    command.build();
    let mut pages = vec![page("plumb".to_owned(), &command)?];
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        pages.push(page(format!("plumb-{}", sub.get_name()), sub)?);
    }
    Ok(pages)
}

fn page(name: String, command: &Command) -> Result<(String, Vec<u8>), Error> {
    let mut text = Vec::new();
    let written = clap_mangen::Man::new(command.clone()).title(name.to_uppercase()).render(&mut text);
    written.map_err(|error| Error::Internal(format!("the page of `{name}`: {error}")))?;
    Ok((name, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap_complete::Shell;

    /// The commands that people are told of.
    fn commands() -> Vec<String> {
        let command = Args::command();
        let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set());
        shown.map(|sub| sub.get_name().to_owned()).collect()
    }

    #[test]
    fn completions_know_every_command_and_option() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut whole(), "plumb", &mut script);
            let script = String::from_utf8(script).expect("text");
            for command in commands() {
                assert!(script.contains(&command), "{shell}: no `{command}`");
            }
            for option in ["machine-steps", "max-funcs", "no-unions", "listen"] {
                assert!(script.contains(option), "{shell}: no `{option}`");
            }
        }
    }

    #[test]
    fn every_command_has_a_page_with_its_options() {
        let pages = pages().expect("they can be written");
        assert_eq!(pages.len(), commands().len() + 1);
        for command in whole().get_subcommands().filter(|sub| !sub.is_hide_set()) {
            let name = format!("plumb-{}", command.get_name());
            let page =
                pages.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("no page {name}"));
            // roff escapes every dash.
            let text = String::from_utf8_lossy(&page.1).replace("\\-", "-");
            let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
            for option in shown.filter_map(Arg::get_long) {
                assert!(text.contains(&format!("--{option}")), "{name}: no --{option}");
            }
        }
    }
}
