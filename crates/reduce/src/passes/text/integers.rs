//! Numbers.

use super::tokened::Tokened;
use crate::passes::{Pass, Stage};
use crate::tokens::TokenKind;
use crate::{Case, Hint};

/// Puts smaller numbers for numbers.
pub struct Integers;

impl Pass for Integers {
    fn name(&self) -> &'static str {
        "integers"
    }

    fn about(&self) -> &'static str {
        "Puts 0, 1 and numbers with fewer digits or without a suffix for numbers."
    }

    fn stage(&self) -> Stage {
        Stage::Fine
    }

    fn alternatives(&self) -> bool {
        true
    }

    fn hints(&self, case: &Case) -> Vec<Hint> {
        let mut hints = Vec::new();
        for file in Tokened::all(case) {
            for (at, token) in file.tokens.iter().enumerate().filter(|(_, t)| t.kind == TokenKind::Number) {
                let old = String::from_utf8_lossy(file.word(at)).into_owned();
                for new in simpler(&old) {
                    hints.push(Hint::put(file.file, token.span.clone(), new));
                }
            }
        }
        hints
    }
}

/// Simpler numbers, the simplest first.
fn simpler(number: &str) -> Vec<String> {
    let lower = number.to_ascii_lowercase();
    let hexadecimal = lower.starts_with("0x");
    let body = if hexadecimal { &lower[2..] } else { &lower[..] };
    let digits: String = body.chars().take_while(|c| c.is_digit(if hexadecimal { 16 } else { 10 })).collect();
    let suffix = &body[digits.len()..];
    let mut found = vec!["0".to_owned(), "1".to_owned()];
    let prefix = if hexadecimal { "0x" } else { "" };
    if !suffix.is_empty() {
        found.push(format!("{prefix}{digits}"));
        // One letter of several, and the integer part of a fraction.
        found.push(format!("{prefix}{digits}{}", &suffix[..suffix.len() - 1]));
        found.push(format!("{prefix}{digits}{}", &suffix[1..]));
    }
    if hexadecimal && let Ok(value) = u64::from_str_radix(&digits, 16) {
        found.push(format!("{value}{suffix}"));
    }
    if digits.len() > 1 {
        found.push(format!("{prefix}{}{suffix}", &digits[..digits.len() / 2]));
        found.push(format!("{prefix}{}{suffix}", &digits[..digits.len() - 1]));
        found.push(format!("{prefix}{}{suffix}", &digits[1..]));
    }
    if let Ok(value) = digits.parse::<u64>()
        && !hexadecimal
        && value > 2
    {
        found.push(format!("2{suffix}"));
        // A share less where numbers are big: a walk by ones would not end.
        found.push(format!("{}{suffix}", value - (value / 64).max(1)));
    }
    let mut kept: Vec<String> = Vec::new();
    for new in found {
        let leading_zero = new.len() > 1 && new.starts_with('0') && new.as_bytes()[1].is_ascii_digit();
        if new != number && !new.is_empty() && new != "0x" && !leading_zero && !kept.contains(&new) {
            kept.push(new);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::simpler;

    #[test]
    fn numbers_become_simpler() {
        assert_eq!(simpler("0"), ["1"]);
        assert_eq!(simpler("12UL"), ["0", "1", "12", "12u", "12l", "1ul", "2ul", "11ul"]);
        assert_eq!(simpler("0xff"), ["0", "1", "255", "0xf"]);
        assert_eq!(simpler("1.5"), ["0", "1", "1.", "15"]);
    }
}
