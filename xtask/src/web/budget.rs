//! How many bytes a browser loads, gzipped, held against `web/size_budget.toml`; and what has
//! grown since `web/sizes.tsv` was written: the code of each module of ours and of each crate,
//! unpacked, and what else a browser loads, gzipped.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::module::{WasmModule, without_build};
use super::pictures::SitePictures;
use crate::process::root;

const FILE: &str = "web/size_budget.toml";
const SIZES_FILE: &str = "web/sizes.tsv";
/// How many lines a failure says of what has grown.
const MOST_SAID: usize = 12;
/// The part that has the pictures.
const PAGES: &str = "pages";
/// Why the size of pages says nothing.
const NOT_PACKED: &str = "without cwebp, pictures are twice as large as they are published";
/// The lesson that is opened first.
const FIRST: &str = "20-bind-pose/index.html";
/// Sizes that servers send: as `gzip -9` makes them.
const GZIP: &str = "const zlib = require('zlib'), fs = require('fs');\
    for (const file of process.argv.slice(1))\
        console.log(zlib.gzipSync(fs.readFileSync(file), { level: 9 }).length);";

/// A file of the site and its size.
struct Sized {
    /// From the folder of the site.
    path: String,
    bytes: u64,
}

/// Bytes by name.
type Sizes = BTreeMap<String, u64>;

/// Prints what each part of a site takes, and what it may take; `whole` is the program
/// in one part, with names, where it was made. Pages whose pictures are not packed are not
/// held against their line, which is said. With `update`, sizes are written down.
///
/// Fails when a part takes more, or has no line in the file, and says what grew; and when
/// sizes are to be written down that are none of packed pictures.
pub(super) fn check(
    site: &Path,
    whole: &Path,
    pictures: SitePictures,
    update: bool,
) -> Result<(), String> {
    let first = text(&site.join(FIRST))?;
    let files = sized(site)?;
    let sizes = sizes(&files, whole);
    if update {
        if pictures == SitePictures::AsDrawn {
            return Err(format!("{SIZES_FILE} stays as it is: {NOT_PACKED}"));
        }
        write_sizes(&sizes)?;
    }
    let limits = limits(&text(&root().join(FILE))?)?;
    let mut over = Vec::new();
    println!("· gzipped, in bytes: what it takes, what {FILE} allows");
    for (part, takes) in parts(&files, &first) {
        let limit = limits.iter().find(|(name, _)| *name == part);
        let Some((_, limit)) = limit else {
            over.push(format!("{FILE} has no line for {part}, which takes {takes}"));
            continue;
        };
        let is_held = pictures == SitePictures::Packed || part != PAGES;
        let remark = if is_held { String::new() } else { format!("  not held: {NOT_PACKED}") };
        println!("    {part:<12} {takes:>9} {limit:>9}{remark}");
        if is_held && takes > *limit {
            over.push(format!("{part} takes {takes} bytes, {limit} are allowed"));
        }
    }
    if over.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{}\n{}Make it smaller, or raise its line in {FILE}, and write the reason there",
        over.join("\n"),
        growth(&sizes)
    ))
}

/// The code by module, and the files beside it by name.
fn sizes(files: &[Sized], whole: &Path) -> Sizes {
    let mut sizes = Sizes::new();
    for file in files {
        *sizes.entry(name_without_hash(&file.path)).or_default() += file.bytes;
    }
    if let Ok(wasm) = fs::read(whole) {
        let _ = add_code(&mut sizes, &wasm);
    }
    sizes
}

/// `assets/first.ttf` of `assets/first-0a1b.ttf`, which is another with each content;
/// pages and their pictures together.
fn name_without_hash(path: &str) -> String {
    let Some(name) = path.strip_prefix("assets/") else {
        return "pages".to_owned();
    };
    match (name.rsplit_once('-'), name.rsplit_once('.')) {
        (Some((stem, _)), Some((_, ending))) => format!("assets/{stem}.{ending}"),
        _ => path.to_owned(),
    }
}

/// What is counted, and how much it takes.
fn parts(files: &[Sized], first: &str) -> Vec<(&'static str, u64)> {
    let total = |keep: &dyn Fn(&str) -> bool| -> u64 {
        let kept = files.iter().filter(|file| keep(&file.path));
        kept.map(|file| file.bytes).sum()
    };
    let asset = |path: &str, stem: &str| path.starts_with(&format!("assets/{stem}"));
    // What it names outside of the list of what is fetched later.
    let named = without_manifest(first);
    let at_first =
        |path: &str| path == FIRST || path.starts_with("assets/") && named.contains(path);
    let is_program = |path: &str| asset(path, "bindpose");
    let is_class = |path: &str| asset(path, "bindpose-class") || asset(path, "class-");
    let is_picture = |path: &str| path.ends_with(".png") || path.ends_with(".webp");
    let is_page = |path: &str| path.ends_with(".html") || is_picture(path);
    vec![
        ("wasm", total(&|path| at_first(path) && path.ends_with(".wasm"))),
        ("glue", total(&|path| is_program(path) && path.ends_with(".js"))),
        (
            "first-page",
            total(&|path| {
                at_first(path) && !is_program(path) && !is_data(path) && !is_picture(path)
            }),
        ),
        ("first-data", total(&|path| at_first(path) && is_data(path))),
        ("first-live", total(&|path| at_first(path) && !is_picture(path))),
        (
            "other-live",
            total(&|path| at_first(path) && !is_picture(path) || asset(path, "bindpose-pages")),
        ),
        ("later", total(&|path| is_data(path) && !at_first(path))),
        ("program", total(&|path| path == FIRST || !is_page(path) && !is_class(path))),
        ("class", total(&is_class)),
        (PAGES, total(&is_page)),
    ]
}

/// Fonts, models, formulas and the second part of the program.
fn is_data(path: &str) -> bool {
    let is_part =
        ["later", "pages"].iter().any(|part| path.starts_with(&format!("assets/bindpose-{part}")));
    is_part || [".ttf", ".glb", ".txt"].iter().any(|ending| path.ends_with(ending))
}

/// The page without its element `assets`.
fn without_manifest(html: &str) -> String {
    let Some((before, rest)) = html.split_once("id=\"assets\">") else {
        return html.to_owned();
    };
    let after = rest.split_once("</script>").map_or("", |(_, after)| after);
    format!("{before}{after}")
}

/// Name and bytes of each line `name = 1_000 # why`.
fn limits(text: &str) -> Result<Vec<(String, u64)>, String> {
    let lines = text.lines().enumerate().filter_map(|(index, line)| {
        let line = line.split('#').next().unwrap_or_default().trim();
        (!line.is_empty()).then_some((index + 1, line))
    });
    let limits = lines.map(|(number, line)| {
        let parts = line.split_once('=');
        let read = parts.and_then(|(name, bytes)| {
            let bytes = bytes.trim().replace('_', "").parse().ok()?;
            Some((name.trim().to_owned(), bytes))
        });
        read.ok_or_else(|| format!("{FILE}:{number}: expected `name = bytes`"))
    });
    limits.collect()
}

fn sized(site: &Path) -> Result<Vec<Sized>, String> {
    let mut paths = Vec::new();
    collect(site, &mut paths)?;
    paths.sort();
    let output = Command::new("node").args(["-e", GZIP, "--"]).args(&paths).output();
    let output = output.map_err(|why| format!("node could not be started: {why}"))?;
    let sizes = String::from_utf8_lossy(&output.stdout);
    let sizes: Vec<u64> = sizes.lines().filter_map(|line| line.parse().ok()).collect();
    if sizes.len() != paths.len() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let files = paths.iter().zip(sizes).map(|(path, bytes)| {
        let path = path.strip_prefix(site).unwrap_or(path);
        let path = path.to_string_lossy().replace('\\', "/");
        Sized { path, bytes }
    });
    Ok(files.collect())
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let told = |why: std::io::Error| format!("{}: {why}", folder.display());
    for entry in fs::read_dir(folder).map_err(told)? {
        let path = entry.map_err(told)?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_none_or(|ending| ending != "br") {
            paths.push(path);
        }
    }
    Ok(())
}

fn text(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|why| format!("{}: {why}", file.display()))
}

/// Adds the code in `wasm`, a program with names, to `sizes`.
fn add_code(sizes: &mut Sizes, wasm: &[u8]) -> Option<()> {
    for function in WasmModule::read(wasm)?.functions {
        *sizes.entry(module_of(&without_build(function.name))).or_default() += function.bytes;
    }
    Some(())
}

/// Writes `sizes` down.
fn write_sizes(sizes: &Sizes) -> Result<(), String> {
    let lines = sizes.iter().map(|(name, bytes)| format!("{name}\t{bytes}\n"));
    let text: String = lines.collect();
    fs::write(root().join(SIZES_FILE), text).map_err(|why| format!("{SIZES_FILE}: {why}"))
}

/// What grew most, a line each, with how to write the sizes down anew.
fn growth(sizes: &Sizes) -> String {
    let before = fs::read_to_string(root().join(SIZES_FILE)).unwrap_or_default();
    let grown = grown(&read_sizes(&before), sizes);
    let lines =
        grown.iter().take(MOST_SAID).map(|(name, more)| format!("    {more:>+9}  {name}\n"));
    format!(
        "What grew since {SIZES_FILE} was written (cargo xtask web --measure writes it anew):\n{}",
        lines.collect::<String>()
    )
}

fn read_sizes(text: &str) -> Sizes {
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    lines.filter_map(|(name, bytes)| Some((name.to_owned(), bytes.parse().ok()?))).collect()
}

/// The largest first.
fn grown(before: &Sizes, after: &Sizes) -> Vec<(String, i64)> {
    let more = |name: &String, bytes: u64| {
        bytes.cast_signed() - before.get(name).copied().unwrap_or_default().cast_signed()
    };
    let all = after.iter().map(|(name, &bytes)| (name.clone(), more(name, bytes)));
    let mut grown: Vec<_> = all.filter(|&(_, more)| more > 0).collect();
    grown.sort_by_key(|&(_, more)| std::cmp::Reverse(more));
    grown
}

/// `bindpose_page::cells` of `<bindpose_page::cells::tree::Row as Debug>::fmt`; of code of
/// others the crate alone. What is made for a type of ours is counted as ours.
fn module_of(function: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let ours = function.find("bindpose").map(|at| &function[at..]);
    let path = ours.unwrap_or_else(|| function.trim_start_matches(|c| !is_name(c)));
    let end = path.find(|c| !is_name(c) && c != ':').unwrap_or(path.len());
    let mut parts = path[..end].split("::").filter(|part| !part.is_empty());
    let name = parts.next().unwrap_or("unnamed");
    match parts.next().filter(|_| ours.is_some()) {
        Some(module) => format!("{name}::{module}"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, bytes: u64) -> Sized {
        Sized { path: path.to_owned(), bytes }
    }

    #[test]
    fn what_is_fetched_later_does_not_count_for_the_first_lesson() {
        let files = [
            file(FIRST, 1),
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
        assert_eq!(parts(&files, html), expected);
    }

    #[test]
    fn files_are_known_again_when_their_content_is_another() {
        assert_eq!(
            name_without_hash("assets/bindpose-later-0a1b.wasm"),
            "assets/bindpose-later.wasm"
        );
        assert_eq!(name_without_hash("20-bind-pose/index.html"), "pages");
    }

    #[test]
    fn lines_of_the_budget_are_read_and_nonsense_is_told() {
        let read = limits("# sizes\nwasm = 1_000 # why\n\nglue=20\n");
        assert_eq!(read, Ok(vec![("wasm".to_owned(), 1000), ("glue".to_owned(), 20)]));
        assert!(limits("wasm: 10").is_err_and(|why| why.contains(":1:")));
    }

    #[test]
    fn a_function_counts_for_its_module_or_for_what_it_is_made_for() {
        let of = |function| module_of(function);
        assert_eq!(of("bindpose_page::cells::tree::row::h0a"), "bindpose_page::cells");
        assert_eq!(of("<bindpose_skin::Clip as core::fmt::Debug>::fmt"), "bindpose_skin::Clip");
        assert_eq!(
            of("core::ptr::drop_in_place<bindpose_lesson::set::Set>"),
            "bindpose_lesson::set"
        );
        assert_eq!(of("<epaint::Shape as Clone>::clone"), "epaint");
        assert_eq!(of("memcpy"), "memcpy");
    }

    #[test]
    fn what_grew_most_is_said_first_and_what_shrank_is_not() {
        let before = read_sizes("a\t10\nb\t10\nc\t10\n");
        let after = read_sizes("a\t12\nb\t5\nc\t10\nd\t7\n");
        let expected = [("d".to_owned(), 7), ("a".to_owned(), 2)];
        assert_eq!(grown(&before, &after), expected);
    }
}
