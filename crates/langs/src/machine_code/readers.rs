//! Functions of the C library that leave memory as it was (C11 7.4, 7.24): what is loaded ahead of a call of one is what would be
//! loaded behind it, and those that give no pointer keep none either.

/// What a function does that leaves memory as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reader {
    /// It gives a number.
    Measures,
    /// It gives a pointer into what it is passed.
    Finds,
}

const READERS: &[(Reader, &str)] = &[
    (Reader::Measures, "abs bcmp labs llabs memcmp strcmp strcspn strlen strncmp strnlen strspn"),
    (
        Reader::Measures,
        "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper",
    ),
    (Reader::Measures, "isxdigit tolower toupper"),
    (Reader::Finds, "memchr memrchr strchr strpbrk strrchr strstr"),
];

/// What a function of this name does, if it leaves memory as it was.
pub(crate) fn reader(name: &str) -> Option<Reader> {
    let has = |(_, names): &&(Reader, &str)| names.split(' ').any(|known| known == name);
    READERS.iter().find(has).map(|(reader, _)| *reader)
}

/// Whether a function of this name leaves memory as it was.
#[must_use]
pub fn leaves_memory(name: &str) -> bool {
    reader(name).is_some()
}
