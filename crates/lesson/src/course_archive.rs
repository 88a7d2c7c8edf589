//! A course in one file, `course.bindpose`: a ZIP archive of what its folder holds. It
//! may come from anybody, so sizes are bounded and names checked before anything is
//! unpacked, and nothing is ever written to the disk.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, Place};
use rawzip::{CompressionMethod, ZipArchive, ZipSliceArchive};

use super::course::COURSE_FILE;
use super::course_files::{MAX_FILE_BYTES, check_path};

/// The ending of its name.
pub const COURSE_ENDING: &str = "bindpose";

/// What a site calls the course that it was made of.
pub const SITE_COURSE: &str = "course.bindpose";

/// The archive itself.
pub(super) const MAX_ARCHIVE_BYTES: usize = 128 << 20;
/// All files together, unpacked.
const MAX_BYTES: usize = 128 << 20;
/// More are not a course.
const MAX_FILES: usize = 2000;

/// The formulas of its lessons, laid out for where there is no engine: in the format
/// of [`super::FormulaTable`].
pub const COURSE_FORMULAS: &str = "formulas.txt";

/// The files of a course, by their paths: what its folder holds.
pub type PackedFiles = BTreeMap<String, Arc<[u8]>>;

/// Unpacks a course.
///
/// Fails when it is no ZIP archive, is damaged, holds no course, or is too large. Names the
/// file in it where it can.
pub fn unpack(bytes: &[u8]) -> Result<PackedFiles, Diagnostic> {
    if bytes.len() > MAX_ARCHIVE_BYTES {
        let expected = format!("a course of at most {} MiB", MAX_ARCHIVE_BYTES >> 20);
        return Err(Diagnostic::expected(expected, "more").help("make models and pictures smaller"));
    }
    let archive = ZipArchive::from_slice(bytes).map_err(|error| {
        Diagnostic::expected("a course: a ZIP archive with lessons.toml", error.to_string())
            .help("`bindpose pack DIR` writes one; perhaps this file was not sent whole")
    })?;
    let mut files = PackedFiles::new();
    let mut room = MAX_BYTES;
    let mut entries = archive.entries();
    while let Some(entry) = entries.next_entry().map_err(|error| damaged("", &error))? {
        if entry.is_dir() {
            continue;
        }
        let path = entry.file_path();
        let path = std::str::from_utf8(path.as_ref()).unwrap_or("?").to_owned();
        let at = |wrong: Diagnostic| wrong.at(Place::Whole.within(path.clone()));
        check_path(&path).map_err(at)?;
        if files.len() >= MAX_FILES {
            let expected = format!("at most {MAX_FILES} files");
            return Err(Diagnostic::expected(expected, "more").help("pack fewer"));
        }
        let (method, wayfinder) = (entry.compression_method(), entry.wayfinder());
        let content = content(&archive, method, wayfinder, room, &path)?;
        room -= content.len();
        if files.insert(path.clone(), content.into()).is_some() {
            let wrong = Diagnostic::said("NAME_TAKEN", "it is there twice");
            return Err(at(wrong.help("keep one of the two")));
        }
    }
    if !files.contains_key(COURSE_FILE) {
        let wrong = Diagnostic::expected(format!("a file {COURSE_FILE} at its top"), "none");
        return Err(
            wrong.help("pack the folder that holds the folders NN-slug: `bindpose pack DIR`")
        );
    }
    Ok(files)
}

/// What an entry holds, of at most `room` bytes.
fn content(
    archive: &ZipSliceArchive<&[u8]>,
    method: CompressionMethod,
    wayfinder: rawzip::ZipArchiveEntryWayfinder,
    room: usize,
    path: &str,
) -> Result<Vec<u8>, Diagnostic> {
    let most = room.min(MAX_FILE_BYTES);
    let entry = archive.get_entry(wayfinder).map_err(|error| damaged(path, &error))?;
    let mut bytes = Vec::new();
    let limit = most as u64 + 1;
    let read = match method {
        CompressionMethod::STORE => {
            entry.verifying_reader(entry.data()).take(limit).read_to_end(&mut bytes)
        }
        CompressionMethod::DEFLATE => {
            let inflated = flate2::bufread::DeflateDecoder::new(entry.data());
            entry.verifying_reader(inflated).take(limit).read_to_end(&mut bytes)
        }
        _ => {
            let wrong = Diagnostic::expected("a file stored or deflated", "another way of packing");
            let wrong = wrong.help("pack the course again with `bindpose pack`");
            return Err(wrong.at(Place::Whole.within(path.to_owned())));
        }
    };
    if bytes.len() > most {
        let expected = format!(
            "files of at most {} MiB, {} MiB in all",
            MAX_FILE_BYTES >> 20,
            MAX_BYTES >> 20
        );
        let wrong = Diagnostic::expected(expected, "more").help("make models and pictures smaller");
        return Err(wrong.at(Place::Whole.within(path.to_owned())));
    }
    read.map_err(|error| damaged(path, &error))?;
    Ok(bytes)
}

fn damaged(path: &str, error: &dyn std::fmt::Display) -> Diagnostic {
    let wrong = Diagnostic::said("DAMAGED", format!("the course is damaged: {error}"))
        .help("ask for it again; perhaps it was not sent whole");
    if path.is_empty() {
        return wrong;
    }
    wrong.at(Place::Whole.within(path.to_owned()))
}

/// Files as one, which is the same for the same files.
///
/// Fails when they are more than [`unpack`] takes.
#[cfg(not(target_arch = "wasm32"))]
pub fn pack(files: &PackedFiles) -> Result<Vec<u8>, Diagnostic> {
    use std::io::Write as _;

    let failed = |error: &dyn std::fmt::Display| {
        Diagnostic::said("IO_ERROR", format!("it cannot be packed: {error}"))
    };
    let all: usize = files.values().map(|bytes| bytes.len()).sum();
    if all > MAX_BYTES || files.len() > MAX_FILES {
        let expected = format!("at most {MAX_FILES} files of {} MiB together", MAX_BYTES >> 20);
        let found = format!("{} of {} MiB", files.len(), all.div_ceil(1 << 20));
        return Err(Diagnostic::expected(expected, found).help("make models and pictures smaller"));
    }
    let mut archive = rawzip::ZipArchiveWriter::new(Vec::new());
    for (path, bytes) in files {
        let (mut entry, config) = archive
            .new_file(path)
            .compression_method(CompressionMethod::DEFLATE)
            .start()
            .map_err(|error| failed(&error))?;
        let encoder = flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::best());
        let mut writer = config.wrap(encoder);
        writer.write_all(bytes).map_err(|error| failed(&error))?;
        let (encoder, descriptor) = writer.finish().map_err(|error| failed(&error))?;
        encoder.finish().map_err(|error| failed(&error))?;
        entry.finish(descriptor).map_err(|error| failed(&error))?;
    }
    archive.finish().map_err(|error| failed(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(all: &[(&str, &[u8])]) -> PackedFiles {
        let all = all.iter();
        all.map(|&(path, bytes)| (path.to_owned(), bytes.into())).collect()
    }

    fn course() -> PackedFiles {
        files(&[
            ("lessons.toml", b"name = \"a\"\ntitle = \"A\"\n"),
            ("10-a/lesson.md", b"+++\n"),
            ("10-a/hand.glb", &[7; 5000]),
        ])
    }

    fn said(bytes: &[u8]) -> String {
        unpack(bytes).unwrap_err().to_string()
    }

    #[test]
    fn what_is_packed_comes_out_again_and_twice_packed_is_the_same() {
        let packed = pack(&course()).unwrap();
        assert!(packed.starts_with(b"PK") && packed.len() < 1000);
        assert_eq!(unpack(&packed).unwrap(), course());
        assert_eq!(pack(&course()).unwrap(), packed);
    }

    #[test]
    fn what_is_no_course_says_so() {
        assert!(said(b"").contains("a ZIP archive"), "{}", said(b""));
        assert!(said(b"hello").contains("a ZIP archive"));
        let packed = pack(&files(&[("10-a/lesson.md", b"+++")])).unwrap();
        assert!(said(&packed).contains("lessons.toml"), "{}", said(&packed));
        let packed = pack(&course()).unwrap();
        assert!(unpack(&packed[..packed.len() / 2]).is_err());
    }

    #[test]
    fn names_that_lead_out_of_it_are_refused() {
        for path in ["../evil", "/etc/passwd", "a\\b", "C:evil"] {
            let mut archive = rawzip::ZipArchiveWriter::new(Vec::new());
            let name = rawzip::path::EntryPath::verbatim(path.as_bytes());
            let (mut entry, config) = archive.new_file(name).start().unwrap();
            let writer = config.wrap(&mut entry);
            let (_, descriptor) = writer.finish().unwrap();
            entry.finish(descriptor).unwrap();
            let packed = archive.finish().unwrap();
            assert!(said(&packed).contains("below the folder"), "{}", said(&packed));
        }
    }

    #[test]
    fn a_bomb_is_refused_before_it_is_large_and_damage_is_told() {
        let zeros = vec![0; MAX_FILE_BYTES + 1];
        let packed = pack(&files(&[("lessons.toml", b""), ("10-a/a.bin", &zeros)])).unwrap();
        assert!(packed.len() < 1 << 20);
        assert!(said(&packed).contains("64 MiB"), "{}", said(&packed));

        let mut packed = pack(&course()).unwrap();
        // The content of the first entry begins after its name.
        packed[30 + "10-a/hand.glb".len()] ^= 0x55;
        assert!(said(&packed).contains("damaged"), "{}", said(&packed));
    }

    #[test]
    fn any_damage_is_told_or_does_no_harm() {
        let packed = pack(&course()).unwrap();
        for index in 0..packed.len() {
            for change in [0x01, 0x80, 0xff] {
                let mut other = packed.clone();
                other[index] ^= change;
                let _ = unpack(&other);
            }
        }
    }
}
