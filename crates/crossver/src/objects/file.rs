//! Files as bytes: mapped, never copied; archives as their members.

use super::error::{ObjectError, Problem};
use super::image::Image;
use memmap2::Mmap;
use object::read::archive::ArchiveFile;
use std::path::Path;
use std::sync::Arc;

/// A part of a mapped file.
#[derive(Debug, Clone)]
pub struct Bytes {
    map: Arc<Backing>,
    start: usize,
    end: usize,
}

#[derive(Debug)]
enum Backing {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl Bytes {
    /// Bytes that are in memory already.
    #[must_use]
    pub fn owned(bytes: Vec<u8>) -> Bytes {
        let end = bytes.len();
        Bytes { map: Arc::new(Backing::Owned(bytes)), start: 0, end }
    }

    /// The bytes.
    #[must_use]
    pub fn get(&self) -> &[u8] {
        let all: &[u8] = match &*self.map {
            Backing::Mapped(map) => map,
            Backing::Owned(bytes) => bytes,
        };
        all.get(self.start..self.end).unwrap_or_default()
    }

    /// Where they begin in a part of the same file that holds them.
    #[must_use]
    pub fn place_in(&self, whole: &Bytes) -> Option<usize> {
        let inside = Arc::ptr_eq(&self.map, &whole.map) && self.end <= whole.end;
        self.start.checked_sub(whole.start).filter(|_| inside)
    }

    /// A part of them; nothing where the part lies outside.
    #[must_use]
    pub fn part(&self, start: usize, length: usize) -> Option<Bytes> {
        let from = self.start.checked_add(start)?;
        let end = from.checked_add(length)?;
        (end <= self.end).then(|| Bytes { map: self.map.clone(), start: from, end })
    }
}

/// Maps a file.
///
/// # Errors
/// The file cannot be read, or is empty.
pub fn map(path: &Path) -> Result<Bytes, ObjectError> {
    let unreadable = |error: std::io::Error| ObjectError::unreadable(path, &error);
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let meta = file.metadata().map_err(unreadable)?;
    if meta.is_dir() {
        return Err(unreadable(std::io::Error::from(std::io::ErrorKind::IsADirectory)));
    }
    if !meta.is_file() {
        return Ok(Bytes::owned(std::fs::read(path).map_err(unreadable)?));
    }
    if meta.len() == 0 {
        return Err(ObjectError::of(path.display().to_string(), Problem::Empty));
    }
    // SAFETY: the mapping is private and read-only; that nobody shortens the file meanwhile is the usual condition of
    // every tool that maps its input.
    let map = unsafe { Mmap::map(&file) }.map_err(unreadable)?;
    let end = map.len();
    Ok(Bytes { map: Arc::new(Backing::Mapped(map)), start: 0, end })
}

/// One file's objects: itself, or the members of an archive under their names.
#[derive(Debug)]
pub struct Loaded {
    /// The objects that can be compared, with the member's name for those of archives.
    pub images: Vec<(Option<String>, Image)>,
    /// What is wrong with the other members.
    pub skipped: Vec<ObjectError>,
}

/// Reads an object, a program, a shared library or an archive.
///
/// # Errors
/// The file cannot be read or is none of these; a single object is damaged, foreign or stripped.
pub fn load(path: &Path) -> Result<Loaded, ObjectError> {
    parse(&path.display().to_string(), &map(path)?)
}

/// Reads what `load` has mapped; `label` is its name in messages.
///
/// # Errors
/// As [`load`].
pub fn parse(label: &str, bytes: &Bytes) -> Result<Loaded, ObjectError> {
    let data = bytes.get();
    if data.starts_with(b"!<thin>\n") {
        return Err(ObjectError::of(label, Problem::Foreign("a thin archive, which holds names alone")));
    }
    if !data.starts_with(b"!<arch>\n") {
        let image = Image::parse(label, bytes.clone())?;
        return Ok(Loaded { images: vec![(None, image)], skipped: Vec::new() });
    }
    let corrupt = |error: object::read::Error| ObjectError::of(label, Problem::Corrupt(error.to_string()));
    let archive = ArchiveFile::parse(data).map_err(corrupt)?;
    let mut loaded = Loaded { images: Vec::new(), skipped: Vec::new() };
    for member in archive.members() {
        let member = member.map_err(corrupt)?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let shown = format!("{label}({name})");
        let (at, length) = member.file_range();
        let part = bytes.part(at as usize, length as usize);
        let image = part
            .ok_or_else(|| ObjectError::of(&shown, Problem::Corrupt("reaches beyond the archive".to_owned())))
            .and_then(|part| Image::parse(&shown, part));
        match image {
            // An object of data alone has nothing to say against.
            Ok(image) if image.functions.is_empty() => {}
            Err(ObjectError { problem: Problem::NoFunctions, .. }) => {}
            Ok(image) => loaded.images.push((Some(name), image)),
            Err(error) => loaded.skipped.push(error),
        }
    }
    if loaded.images.is_empty() {
        return Err(loaded.skipped.pop().unwrap_or_else(|| ObjectError::of(label, Problem::NoFunctions)));
    }
    Ok(loaded)
}
