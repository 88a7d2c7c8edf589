//! Checks the gzipped size of what a browser loads against `web/size_budget.toml`. Reports what has
//! grown since `web/sizes.tsv` was written: the uncompressed code of each of our modules and of
//! each crate, and the gzipped size of other files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::module::{WasmModule, without_build};
use super::pictures::SitePictures;
use crate::process::root;

const FILE: &str = "web/size_budget.toml";
const SIZES_FILE: &str = "web/sizes.tsv";
/// Maximum number of lines about growth in an error.
const MAX_GROWTH_LINES: usize = 12;
/// Name of the part with pictures.
const PAGES: &str = "pages";
/// The reason why sizes of pages are not checked.
const NOT_PACKED: &str = "without cwebp, pictures are twice as large as they are published";
/// Page of the lesson that is opened first.
const FIRST_PAGE: &str = "20-bind-pose/index.html";
/// Script for Node that prints the size of each file as servers send it, as with `gzip -9`.
const GZIP_SCRIPT: &str = "const zlib = require('zlib'), fs = require('fs');\
    for (const file of process.argv.slice(1))\
        console.log(zlib.gzipSync(fs.readFileSync(file), { level: 9 }).length);";

/// A file of the site with its gzipped size.
struct MeasuredFile {
    /// Path relative to the site.
    path: String,
    bytes: u64,
}

/// Bytes by name.
type Sizes = BTreeMap<String, u64>;

/// Prints the size of each part of a site with its limit. `whole` is the unsplit program with
/// names, if it was made. The size of pages is not checked if their pictures are not packed. With
/// `update`, records the sizes.
///
/// # Errors
///
/// A message about growth if a part exceeds its limit or has none. A message if sizes with unpacked
/// pictures would be recorded.
pub(super) fn check(
    site: &Path,
    whole: &Path,
    pictures: SitePictures,
    update: bool,
) -> Result<(), String> {
    let first_page = read_text(&site.join(FIRST_PAGE))?;
    let files = measure_files(site)?;
    let sizes = compute_sizes(&files, whole);
    if update {
        if pictures == SitePictures::AsDrawn {
            return Err(format!("{SIZES_FILE} stays as it is: {NOT_PACKED}"));
        }
        write_sizes(&sizes)?;
    }
    let limits = parse_limits(&read_text(&root().join(FILE))?)?;
    let mut problems = Vec::new();
    println!("· gzipped, in bytes: what it takes, what {FILE} allows");
    for (part, bytes) in sum_parts(&files, &first_page) {
        let Some((_, limit)) = limits.iter().find(|(name, _)| *name == part) else {
            problems.push(format!("{FILE} has no line for {part}, which takes {bytes}"));
            continue;
        };
        let is_checked = pictures == SitePictures::Packed || part != PAGES;
        let remark = if is_checked { String::new() } else { format!("  not held: {NOT_PACKED}") };
        println!("    {part:<12} {bytes:>9} {limit:>9}{remark}");
        if is_checked && bytes > *limit {
            problems.push(format!("{part} takes {bytes} bytes, {limit} are allowed"));
        }
    }
    if problems.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{}\n{}Make it smaller, or raise its line in {FILE}, and write the reason there",
        problems.join("\n"),
        describe_growth(&sizes)
    ))
}

/// Returns the sizes of the code by module, and those of other files by name.
fn compute_sizes(files: &[MeasuredFile], whole: &Path) -> Sizes {
    let mut sizes = Sizes::new();
    for file in files {
        *sizes.entry(name_without_hash(&file.path)).or_default() += file.bytes;
    }
    if let Ok(wasm) = fs::read(whole) {
        let _ = add_code(&mut sizes, &wasm);
    }
    sizes
}

/// Returns `assets/first.ttf` for `assets/first-0a1b.ttf`, whose hash depends on the content.
/// Returns one name for all pages and their pictures.
fn name_without_hash(path: &str) -> String {
    let Some(name) = path.strip_prefix("assets/") else {
        return "pages".to_owned();
    };
    match (name.rsplit_once('-'), name.rsplit_once('.')) {
        (Some((stem, _)), Some((_, ending))) => format!("assets/{stem}.{ending}"),
        _ => path.to_owned(),
    }
}

/// Adds up the sizes of the files of each part. `first_page` is the HTML of [`FIRST_PAGE`].
fn sum_parts(files: &[MeasuredFile], first_page: &str) -> Vec<(&'static str, u64)> {
    // Files that the page names outside of the list of files to fetch later.
    let named = without_manifest(first_page);
    let [mut wasm, mut glue, mut first_page, mut first_data, mut first_live] = [0; 5];
    let [mut other_live, mut later, mut program, mut class, mut pages] = [0; 5];
    for MeasuredFile { path, bytes } in files {
        let is_first =
            path == FIRST_PAGE || path.starts_with("assets/") && named.contains(path.as_str());
        let is_program = path.starts_with("assets/bindpose");
        let is_class =
            path.starts_with("assets/bindpose-class") || path.starts_with("assets/class-");
        let is_picture = path.ends_with(".png") || path.ends_with(".webp");
        let is_page = path.ends_with(".html") || is_picture;
        let is_data = is_data(path);
        if is_first && path.ends_with(".wasm") {
            wasm += bytes;
        }
        if is_program && path.ends_with(".js") {
            glue += bytes;
        }
        if is_first && !is_program && !is_data && !is_picture {
            first_page += bytes;
        }
        if is_first && is_data {
            first_data += bytes;
        }
        if is_first && !is_picture {
            first_live += bytes;
        }
        if is_first && !is_picture || path.starts_with("assets/bindpose-pages") {
            other_live += bytes;
        }
        if is_data && !is_first {
            later += bytes;
        }
        if path == FIRST_PAGE || !is_page && !is_class {
            program += bytes;
        }
        if is_class {
            class += bytes;
        }
        if is_page {
            pages += bytes;
        }
    }
    vec![
        ("wasm", wasm),
        ("glue", glue),
        ("first-page", first_page),
        ("first-data", first_data),
        ("first-live", first_live),
        ("other-live", other_live),
        ("later", later),
        ("program", program),
        ("class", class),
        (PAGES, pages),
    ]
}

/// Returns true for fonts, models, formulas and further parts of the program.
fn is_data(path: &str) -> bool {
    let is_part =
        ["later", "pages"].iter().any(|part| path.starts_with(&format!("assets/bindpose-{part}")));
    is_part || [".ttf", ".glb", ".txt"].iter().any(|ending| path.ends_with(ending))
}

/// Returns the page without its element `assets`.
fn without_manifest(html: &str) -> String {
    let Some((before, rest)) = html.split_once("id=\"assets\">") else {
        return html.to_owned();
    };
    let after = rest.split_once("</script>").map_or("", |(_, after)| after);
    format!("{before}{after}")
}

/// Parses lines of the form `name = 1_000 # why`.
fn parse_limits(text: &str) -> Result<Vec<(String, u64)>, String> {
    let mut limits = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let limit = line.split_once('=').and_then(|(name, bytes)| {
            let bytes = bytes.trim().replace('_', "").parse().ok()?;
            Some((name.trim().to_owned(), bytes))
        });
        let number = index + 1;
        limits.push(limit.ok_or_else(|| format!("{FILE}:{number}: expected `name = bytes`"))?);
    }
    Ok(limits)
}

/// Measures all files of a site, gzipped.
fn measure_files(site: &Path) -> Result<Vec<MeasuredFile>, String> {
    let mut paths = Vec::new();
    collect_files(site, &mut paths)?;
    paths.sort();
    let output = Command::new("node")
        .args(["-e", GZIP_SCRIPT, "--"])
        .args(&paths)
        .output()
        .map_err(|error| format!("node could not be started: {error}"))?;
    let sizes: Vec<u64> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| line.parse().ok())
        .collect();
    if sizes.len() != paths.len() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let mut files = Vec::new();
    for (path, bytes) in paths.iter().zip(sizes) {
        let relative = path.strip_prefix(site).unwrap_or(path);
        files.push(MeasuredFile { path: relative.to_string_lossy().replace('\\', "/"), bytes });
    }
    Ok(files)
}

/// Collects the files of a folder and its subfolders, without those compressed with Brotli.
fn collect_files(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| file_error(folder, &error))?;
    for entry in entries {
        let path = entry.map_err(|error| file_error(folder, &error))?.path();
        if path.is_dir() {
            collect_files(&path, paths)?;
        } else if path.extension().is_none_or(|extension| extension != "br") {
            paths.push(path);
        }
    }
    Ok(())
}

fn read_text(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| file_error(file, &error))
}

fn file_error(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Adds the code of `wasm`, a program with names. Returns `None` if it is not a module.
fn add_code(sizes: &mut Sizes, wasm: &[u8]) -> Option<()> {
    for function in WasmModule::read(wasm)?.functions {
        *sizes.entry(module_of(&without_build(function.name))).or_default() += function.bytes;
    }
    Some(())
}

fn write_sizes(sizes: &Sizes) -> Result<(), String> {
    let text: String = sizes.iter().map(|(name, bytes)| format!("{name}\t{bytes}\n")).collect();
    fs::write(root().join(SIZES_FILE), text).map_err(|error| format!("{SIZES_FILE}: {error}"))
}

/// Lists what has grown most, with the command that records the sizes.
fn describe_growth(sizes: &Sizes) -> String {
    let recorded = fs::read_to_string(root().join(SIZES_FILE)).unwrap_or_default();
    let lines: String = compute_growth(&parse_sizes(&recorded), sizes)
        .iter()
        .take(MAX_GROWTH_LINES)
        .map(|(name, growth)| format!("    {growth:>+9}  {name}\n"))
        .collect();
    format!(
        "What grew since {SIZES_FILE} was written (cargo xtask web --measure writes it anew):\n\
         {lines}"
    )
}

fn parse_sizes(text: &str) -> Sizes {
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    lines.filter_map(|(name, bytes)| Some((name.to_owned(), bytes.parse().ok()?))).collect()
}

/// Returns what has grown, the largest growth first.
fn compute_growth(before: &Sizes, after: &Sizes) -> Vec<(String, i64)> {
    let mut grown = Vec::new();
    for (name, &bytes) in after {
        let previous_bytes = before.get(name).copied().unwrap_or_default();
        let growth = bytes.cast_signed() - previous_bytes.cast_signed();
        if growth > 0 {
            grown.push((name.clone(), growth));
        }
    }
    grown.sort_by_key(|&(_, growth)| std::cmp::Reverse(growth));
    grown
}

/// Returns the module of a function: `bindpose_page::cells` for
/// `<bindpose_page::cells::tree::Row as Debug>::fmt`, and only the crate for code of others. Code
/// that is generated for one of our types counts as ours.
fn module_of(function: &str) -> String {
    let own_path = function.find("bindpose").map(|start| &function[start..]);
    let path = own_path.unwrap_or_else(|| function.trim_start_matches(|c| !is_name_char(c)));
    let end = path.find(|c| !is_name_char(c) && c != ':').unwrap_or(path.len());
    let mut parts = path[..end].split("::").filter(|part| !part.is_empty());
    let name = parts.next().unwrap_or("unnamed");
    match parts.next().filter(|_| own_path.is_some()) {
        Some(module) => format!("{name}::{module}"),
        None => name.to_owned(),
    }
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, bytes: u64) -> MeasuredFile {
        MeasuredFile { path: path.to_owned(), bytes }
    }

    #[test]
    fn files_fetched_later_do_not_count_for_the_first_lesson() {
        let files = [
            file(FIRST_PAGE, 1),
            file("40-bone-grid/index.html", 2),
            file("assets/bindpose-0a.wasm", 4),
            file("assets/bindpose-0b.js", 8),
            file("assets/page-0c.css", 16),
            file("assets/bindpose-later-0a.wasm", 256),
            file("assets/bindpose-class-0a.wasm", 512),
            file("assets/class-0b.js", 1024),
            file("assets/first-0d.ttf", 32),
            file("assets/whale-0e.glb", 64),
            file("assets/picture-0f.png", 128),
            file("assets/bindpose-pages-0a.wasm", 2048),
        ];
        let html = "<link href=\"../assets/bindpose-0a.wasm\"> ../assets/bindpose-0b.js \
            ../assets/page-0c.css ../assets/first-0d.ttf ../assets/picture-0f.png \
            <script type=\"application/json\" id=\"assets\">{\"w\": \"../assets/whale-0e.glb\"}</script>";
        let expected = [
            ("wasm", 4),
            ("glue", 8),
            ("first-page", 17),
            ("first-data", 32),
            ("first-live", 61),
            ("other-live", 61 + 2048),
            ("later", 320 + 2048),
            ("program", 381 + 2048),
            ("class", 1536),
            ("pages", 131),
        ];
        assert_eq!(sum_parts(&files, html), expected);
    }

    #[test]
    fn names_do_not_depend_on_content() {
        assert_eq!(
            name_without_hash("assets/bindpose-later-0a1b.wasm"),
            "assets/bindpose-later.wasm"
        );
        assert_eq!(name_without_hash("20-bind-pose/index.html"), "pages");
    }

    #[test]
    fn budget_lines_are_parsed_or_rejected() {
        let read = parse_limits("# sizes\nwasm = 1_000 # why\n\nglue=20\n");
        assert_eq!(read, Ok(vec![("wasm".to_owned(), 1000), ("glue".to_owned(), 20)]));
        assert!(parse_limits("wasm: 10").is_err_and(|why| why.contains(":1:")));
    }

    #[test]
    fn functions_count_for_their_module_or_type() {
        assert_eq!(module_of("bindpose_page::cells::tree::row::h0a"), "bindpose_page::cells");
        assert_eq!(
            module_of("<bindpose_skin::Clip as core::fmt::Debug>::fmt"),
            "bindpose_skin::Clip"
        );
        assert_eq!(
            module_of("core::ptr::drop_in_place<bindpose_lesson::set::Set>"),
            "bindpose_lesson::set"
        );
        assert_eq!(module_of("<epaint::Shape as Clone>::clone"), "epaint");
        assert_eq!(module_of("memcpy"), "memcpy");
    }

    #[test]
    fn growth_is_sorted_and_without_shrunk_files() {
        let before = parse_sizes("a\t10\nb\t10\nc\t10\n");
        let after = parse_sizes("a\t12\nb\t5\nc\t10\nd\t7\n");
        let expected = [("d".to_owned(), 7), ("a".to_owned(), 2)];
        assert_eq!(compute_growth(&before, &after), expected);
    }
}
