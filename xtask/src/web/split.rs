//! Splits the program into parts: functions that the pages opened first need before they are live,
//! functions that other pages also need, with the texts of their lessons, functions that are needed
//! later, and functions of a class. wasm-split of the package `binaryen` separates the functions
//! that [`called_later`] finds, and `web/page/parts.js` joins each part again when it is loaded.
//! A call of a function that is not loaded yet waits for its part.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::called_later::{PageCounts, called_in_class, called_later};
use super::lesson_texts::{self, TakenText};
use super::module::{WasmModule, strip, with_short_names};
use crate::process::{answer, pass_on, root};
use crate::web_tests;

/// Files of wasm-bindgen.
const WHOLE: &str = "bindpose_bg.wasm";
const GLUE: &str = "bindpose.js";

/// Parts that are split off, into the same folder. Placeholders for their functions are imported
/// under these names.
const PARTS: [&str; 3] = ["class", "pages", "later"];

/// Folders of pages that newcomers open first, often with phones on slow connections: the cover and
/// the first two lessons. They wait for no part.
const OPENED_FIRST: [&str; 3] = ["", "10-what-skinning-is", "20-bind-pose"];

/// Features that rustc enables by default and in `.cargo/config.toml`.
const FEATURES: [&str; 7] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-multivalue",
    "--enable-reference-types",
];

/// Line of the glue with the imports of the module, and its replacement.
const IMPORTS: &str = "const imports = __wbg_get_imports();";
const WITH_PLACEHOLDERS: &str = "const imports = withPlaceholders(__wbg_get_imports());";

/// Line of the glue with the module, and a replacement that gives access to the counts.
const INSTANCE: &str = "wasm = instance.exports;";
const COUNTED_INSTANCE: &str = "wasm = instance.exports; globalThis.countedProgram = wasm;";

/// Expression of JavaScript for the folder of the page.
const PAGE_FOLDER: &str = "location.pathname.split('/').at(-2)";

/// Name under which the counting module exports the function that writes its counts.
const COUNTS_EXPORT: &str = "write_counts";

/// Strips the unsplit program, as it is used in a single file.
pub(super) fn leave_whole(parts: &Path) -> Result<(), String> {
    let file = parts.join(WHOLE);
    write(&file, &strip(&parse_module(&read(&file)?)?))
}

/// Splits the program by the functions that pages call first. `program` writes and serves a site at
/// `site` to count them. The unsplit program, with names, is kept in the file `whole`.
pub(super) fn divide(
    parts: &Path,
    whole: &Path,
    program: &Path,
    site: &Path,
) -> Result<(), String> {
    need_wasm_split()?;
    shrink(parts)?;
    write(whole, &read(&parts.join(WHOLE))?)?;
    let counts = count_calls(parts, program, site)?;
    split(parts, whole, &counts)
}

/// Counts the calls on the pages of a site in a browser. Reuses the counts of an identical site
/// that was counted in the same way.
fn count_calls(parts: &Path, program: &Path, site: &Path) -> Result<Vec<PageCounts>, String> {
    let counting_program = build_counting_program(parts, site)?;
    write_site(program, &counting_program, site)?;
    let folder = site.with_extension("counts");
    let script = root().join("web/tests/called_first.mjs");
    let current_key =
        format!("{:016x} {:?}\n{}", fingerprint(site)?, OPENED_FIRST, read_text(&script)?);
    let key_file = folder.join("of-site");
    if !fs::read_to_string(&key_file).is_ok_and(|key| key == current_key) {
        println!("· what the pages call first, by a browser");
        web_tests::need_browser()?;
        let _ = fs::remove_dir_all(&folder);
        make_folder(&folder)?;
        pass_on(
            Command::new("node")
                .arg(script)
                .args([site, &folder])
                .args(OPENED_FIRST.iter().filter(|folder| !folder.is_empty()))
                .env("BINDPOSE", program),
        )?;
        write(&key_file, current_key.as_bytes())?;
    }
    let mut counts = Vec::new();
    for file in files_in(&folder)? {
        // Files are named NUMBER.FOLDER.profile.
        let page_folder = file
            .file_name()
            .and_then(|name| name.to_str()?.strip_suffix(".profile")?.split_once('.'))
            .map(|(_, page_folder)| page_folder);
        if let Some(page_folder) = page_folder {
            let is_first = OPENED_FIRST.contains(&page_folder);
            counts.push(PageCounts { is_first, bytes: read(&file)? });
        }
    }
    Ok(counts)
}

/// Writes a site without pictures for the browser program in the folder `parts`.
fn write_site(program: &Path, parts: &Path, site: &Path) -> Result<(), String> {
    let mut write = Command::new(program);
    write.args(["web", "--force", "--without-pictures", "--program"]);
    pass_on(write.arg(parts).arg("--out").arg(site).current_dir(root()))
}

/// Hashes all files below a folder, with their names.
fn fingerprint(folder: &Path) -> Result<u64, String> {
    let mut hasher = DefaultHasher::new();
    let mut paths = files_in(folder)?;
    paths.sort();
    for path in paths {
        path.hash(&mut hasher);
        if path.is_dir() {
            fingerprint(&path)?.hash(&mut hasher);
        } else {
            read(&path)?.hash(&mut hasher);
        }
    }
    Ok(hasher.finish())
}

/// Reduces the size of the program. Functions of equal code are merged three times, and again after
/// the other passes, because callers of equal functions become equal too. The locals that are used
/// most get the shortest indices. LLVM has already done the other passes of wasm-opt, or they
/// compress worse.
fn shrink(parts: &Path) -> Result<(), String> {
    let whole = parts.join(WHOLE);
    let before = read(&whole)?;
    let mut command = Command::new("wasm-opt");
    let merge_equal = ["--duplicate-function-elimination"; 3];
    command.args(FEATURES).arg("--debuginfo").args(merge_equal);
    command.args(["--rse", "--vacuum", "--optimize-instructions", "--reorder-locals"]);
    command.args(merge_equal);
    pass_on(command.arg(&whole).arg("-o").arg(&whole))?;
    repair_table_export(&whole, &parse_module(&before)?)
}

/// Builds a program that counts its calls, with its glue, in a folder beside `site`.
fn build_counting_program(parts: &Path, site: &Path) -> Result<PathBuf, String> {
    let folder = site.with_extension("program");
    make_folder(&folder)?;
    let whole = parts.join(WHOLE);
    let counting = folder.join(WHOLE);
    let mut instrument = wasm_split(&["--instrument"]);
    instrument.arg(format!("--profile-export={COUNTS_EXPORT}"));
    pass_on(instrument.arg(&whole).arg("-o").arg(&counting))?;
    let whole_bytes = read(&whole)?;
    repair_table_export(&counting, &parse_module(&whole_bytes)?)?;
    let blank_texts = lesson_texts::blanking_script(&find_taken_texts(&whole_bytes)?);
    // Pages that are opened first do not have the texts of other lessons.
    let counted_instance =
        format!("{COUNTED_INSTANCE} if ({OPENED_FIRST:?}.includes({PAGE_FOLDER})) {blank_texts}");
    let glue = glue_with(parts, INSTANCE, &counted_instance)?;
    write(&folder.join(GLUE), glue.as_bytes())?;
    Ok(folder)
}

fn split(parts: &Path, whole: &Path, counts: &[PageCounts]) -> Result<(), String> {
    let whole_bytes = read(whole)?;
    let whole = parse_module(&whole_bytes)?;
    let called = called_later(&whole, counts)?;
    let class = called_in_class(&whole, &called.by_none);
    let later: Vec<&str> = called.by_none.difference(&class).copied().collect();
    let class: Vec<&str> = class.into_iter().collect();
    let pages: Vec<&str> = called.by_pages.into_iter().collect();
    // Each part exports functions of the program under a prefix that no other part has.
    let mut short_names = HashMap::new();
    for (part, functions, prefix) in [("class", class, '&'), ("pages", pages, '$')] {
        let export_prefix = format!("--export-prefix={prefix}");
        split_off(parts, &whole, part, &functions, &["--debuginfo", &export_prefix])?;
        for file in [parts.join(WHOLE), part_file(parts, part)] {
            let shortened = with_short_names(&read(&file)?, prefix, &mut short_names);
            write(&file, &shortened.ok_or("wasm-split wrote no module")?)?;
        }
        let file = part_file(parts, part);
        write(&file, &strip(&parse_module(&read(&file)?)?))?;
    }
    split_off(parts, &whole, "later", &later, &["--export-prefix=%"])?;
    move_texts(parts)?;
    let glue = glue_with(parts, IMPORTS, WITH_PLACEHOLDERS)?;
    let joining_script = read_text(&root().join("web/page/parts.js"))?
        .replace("[\"PARTS\"]", &format!("{PARTS:?}"))
        .replace("[\"OPENED FIRST\"]", &format!("{OPENED_FIRST:?}"));
    write(&parts.join(GLUE), format!("{glue}\n{joining_script}").as_bytes())
}

/// Moves the texts of lessons that are not opened first to the part that other pages need.
fn move_texts(parts: &Path) -> Result<(), String> {
    let program_file = parts.join(WHOLE);
    let pages_file = part_file(parts, "pages");
    let program = read(&program_file)?;
    let taken = find_taken_texts(&program)?;
    let (program, pages) = lesson_texts::move_texts(&program, &read(&pages_file)?, &taken)?;
    write(&program_file, &program)?;
    write(&pages_file, &pages)
}

fn find_taken_texts(program: &[u8]) -> Result<Vec<TakenText>, String> {
    let texts = lesson_texts::read_texts(&root().join("lessons"), &OPENED_FIRST[1..])?;
    lesson_texts::find_taken_texts(program, &texts)
}

/// Splits the functions with these names off the program in the folder `parts`.
fn split_off(
    parts: &Path,
    whole: &WasmModule<'_>,
    part: &str,
    functions: &[&str],
    options: &[&str],
) -> Result<(), String> {
    let program = parts.join(WHOLE);
    let names_file = parts.join(format!("{part}.names"));
    write(&names_file, format_names(functions).as_bytes())?;
    // wasm-split sorts these functions by names, which compresses better than by indices.
    let mut split_functions = OsString::from("--split-funcs=@");
    split_functions.push(names_file);
    let mut command = wasm_split(&["--split", "--quiet"]);
    command.args(options).arg(format!("--placeholder-namespace={part}"));
    command.arg(split_functions).arg(&program);
    command.arg("-o1").arg(&program).arg("-o2").arg(part_file(parts, part));
    pass_on(&mut command)?;
    repair_table_export(&program, whole)
}

/// Formats names of functions for wasm-split, one per line.
fn format_names(names: &[&str]) -> String {
    // Version 108 expects escaped names, later versions do not.
    names.iter().map(|name| format!("{name}\n{}\n", escape_name(name))).collect()
}

/// Replaces each byte that names of the text format cannot contain by `\` and two digits.
fn escape_name(name: &str) -> String {
    let allowed = b"!#$%&'*+-./:<=>?@\\^_`|~";
    name.bytes()
        .map(|byte| match byte.is_ascii_alphanumeric() || allowed.contains(&byte) {
            true => char::from(byte).to_string(),
            false => format!("\\{byte:02x}"),
        })
        .collect()
}

/// Returns the file of a part in the output folder of wasm-bindgen.
fn part_file(parts: &Path, part: &str) -> PathBuf {
    parts.join(format!("bindpose-{part}.wasm"))
}

/// Removes the parts of an earlier program.
pub(super) fn remove_parts(parts: &Path) {
    for part in PARTS {
        let _ = fs::remove_file(part_file(parts, part));
    }
}

fn wasm_split(mode: &[&str]) -> Command {
    let mut command = Command::new("wasm-split");
    command.args(FEATURES).args(mode);
    command
}

/// Returns the glue of wasm-bindgen with a line replaced.
fn glue_with(parts: &Path, line: &str, replacement: &str) -> Result<String, String> {
    let glue = read_text(&parts.join(GLUE))?;
    if !glue.contains(line) {
        return Err("wasm-bindgen writes other glue: see xtask/src/web/split.rs".to_owned());
    }
    Ok(glue.replace(line, replacement))
}

/// Repairs an export of a module that binaryen wrote. Version 108, which Debian has, exports the
/// first table instead of the second.
fn repair_table_export(file: &Path, before: &WasmModule<'_>) -> Result<(), String> {
    let name = "__wbindgen_externrefs";
    let mut bytes = read(file)?;
    let index = before.table_export(name).ok_or("the module exports no table")?;
    let offset = WasmModule::read(&bytes)
        .and_then(|module| module.table_export_offset(name))
        .ok_or("wasm-split exports no table")?;
    bytes[offset] = index;
    write(file, &bytes)
}

fn need_wasm_split() -> Result<(), String> {
    if has_wasm_split() {
        return Ok(());
    }
    if answer("apt-get", &["--version"]).is_some() {
        println!("· apt-get install binaryen");
        let install = ["install", "-y", "--no-install-recommends", "binaryen"];
        pass_on(Command::new("apt-get").args(install))?;
    }
    if has_wasm_split() {
        return Ok(());
    }
    Err("wasm-split is missing: install binaryen, or add --fast".to_owned())
}

fn has_wasm_split() -> bool {
    answer("wasm-split", &["--version"]).is_some()
}

fn parse_module(bytes: &[u8]) -> Result<WasmModule<'_>, String> {
    WasmModule::read(bytes).ok_or_else(|| format!("{WHOLE} is no module"))
}

fn make_folder(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| file_error(folder, &error))
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| file_error(folder, &error))? {
        paths.push(entry.map_err(|error| file_error(folder, &error))?.path());
    }
    Ok(paths)
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|error| file_error(file, &error))
}

fn read_text(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| file_error(file, &error))
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(file, bytes).map_err(|error| file_error(file, &error))
}

fn file_error(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_for_the_text_format() {
        assert_eq!(escape_name("<A, B>::f"), "<A\\2c\\20B>::f");
        assert_eq!(escape_name("x[1]"), "x\\5b1\\5d");
    }
}
