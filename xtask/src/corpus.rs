//! `cargo xtask corpus`: packs and unpacks the inputs that fuzzing has kept.
//!
//! cargo-fuzz works in a folder of small files, `fuzz/corpus/TARGET`, of which the repository has
//! an archive, `fuzz/corpus/TARGET.zip`. Its files are not compressed: git does that, and finds
//! what versions of the archive have in common.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use rawzip::{CompressionMethod, ZipArchive, ZipArchiveWriter};

use crate::process::root;

/// Folder of all corpora, relative to the root.
const CORPORA: &str = "fuzz/corpus";

/// The inputs of a target by their file names.
type Corpus = BTreeMap<String, Vec<u8>>;

/// Runs the command: `unpack`, before fuzzing, or `pack`, after it.
pub fn run(args: &[String]) -> Result<(), String> {
    let corpora = root().join(CORPORA);
    match args {
        [action] if action == "unpack" => unpack_all(&corpora),
        [action] if action == "pack" => pack_all(&corpora),
        _ => Err("use `cargo xtask corpus unpack` or `cargo xtask corpus pack`".to_owned()),
    }
}

/// Unpacks every archive into the folder of its name. Inputs that are only in the folder stay.
fn unpack_all(corpora: &Path) -> Result<(), String> {
    for archive in list_folder(corpora)? {
        if archive.extension().is_none_or(|extension| extension != "zip") {
            continue;
        }
        let corpus = read_archive(&archive)?;
        let folder = archive.with_extension("");
        fs::create_dir_all(&folder).map_err(|why| path_error(&folder, &why))?;
        for (name, input) in &corpus {
            let file = folder.join(name);
            fs::write(&file, input).map_err(|why| path_error(&file, &why))?;
        }
        println!("{}: {} inputs", folder.display(), corpus.len());
    }
    Ok(())
}

/// Packs every folder into the archive of its name, which then holds exactly the inputs of the
/// folder.
fn pack_all(corpora: &Path) -> Result<(), String> {
    for folder in list_folder(corpora)?.into_iter().filter(|path| path.is_dir()) {
        let mut corpus = Corpus::new();
        for file in list_folder(&folder)? {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let input = fs::read(&file).map_err(|why| path_error(&file, &why))?;
            corpus.insert(name, input);
        }
        let archive = folder.with_extension("zip");
        let count_before = if archive.exists() { read_archive(&archive)?.len() } else { 0 };
        let bytes = pack(&corpus).map_err(|why| path_error(&archive, &why))?;
        fs::write(&archive, bytes).map_err(|why| path_error(&archive, &why))?;
        println!("{}: {} inputs, {count_before} before", archive.display(), corpus.len());
    }
    Ok(())
}

/// Packs inputs, sorted and without times: equal inputs make an equal archive.
fn pack(corpus: &Corpus) -> Result<Vec<u8>, rawzip::Error> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for (name, input) in corpus {
        let (mut entry, config) =
            archive.new_file(name).compression_method(CompressionMethod::STORE).start()?;
        let mut writer = config.wrap(&mut entry);
        writer.write_all(input)?;
        let (_, descriptor) = writer.finish()?;
        entry.finish(descriptor)?;
    }
    archive.finish()
}

fn read_archive(file: &Path) -> Result<Corpus, String> {
    let bytes = fs::read(file).map_err(|why| path_error(file, &why))?;
    let corpus = unpack(&bytes).map_err(|why| path_error(file, &why))?;
    corpus.ok_or_else(|| {
        let why = "it has compressed files or folders; `cargo xtask corpus pack` makes neither";
        path_error(file, &why)
    })
}

/// Returns `None` if a file of the archive is compressed or in a folder.
fn unpack(bytes: &[u8]) -> Result<Option<Corpus>, rawzip::Error> {
    let archive = ZipArchive::from_slice(bytes)?;
    let mut corpus = Corpus::new();
    let mut entries = archive.entries();
    while let Some(entry) = entries.next_entry()? {
        let name = entry.file_path().try_normalize()?.as_ref().to_owned();
        if name.contains('/') || entry.compression_method() != CompressionMethod::STORE {
            return Ok(None);
        }
        let stored = archive.get_entry(entry.wayfinder())?;
        let mut input = Vec::new();
        stored.verifying_reader(stored.data()).read_to_end(&mut input)?;
        corpus.insert(name, input);
    }
    Ok(Some(corpus))
}

/// Lists the contents of a folder, sorted by name.
fn list_folder(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|why| path_error(folder, &why))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

fn path_error(path: &Path, why: &dyn std::fmt::Display) -> String {
    format!("{}: {why}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_survive_packing_and_equal_ones_make_equal_archives() {
        let inputs = [("b", &b"\0\xff"[..]), ("a.png", b""), ("c", b"+++")];
        let corpus: Corpus =
            inputs.iter().map(|(name, input)| ((*name).to_owned(), input.to_vec())).collect();
        let archive = pack(&corpus).unwrap();
        assert_eq!(unpack(&archive).unwrap(), Some(corpus.clone()));
        assert_eq!(pack(&corpus).unwrap(), archive);
    }

    #[test]
    fn damaged_archives_and_folders_in_archives_are_rejected() {
        let mut archive = pack(&Corpus::from([("a".to_owned(), b"input".to_vec())])).unwrap();
        let start = archive.windows(5).position(|bytes| bytes == b"input").unwrap();
        archive[start] ^= 1;
        assert!(unpack(&archive).is_err());
        let in_folder = pack(&Corpus::from([("a/b".to_owned(), b"input".to_vec())])).unwrap();
        assert_eq!(unpack(&in_folder).unwrap(), None);
    }
}
