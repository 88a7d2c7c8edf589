//! The program in parts: what the pages that are opened first need to be live, what others
//! need besides, with the texts of their lessons, what comes later, and what runs in a class
//! alone. wasm-split of the package `binaryen` takes out what [`called_later`] finds, and
//! `web/page/parts.js` puts it back when it is here. A call that comes earlier after all
//! waits until its part has come.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::called_later::{PageCounts, called_in_class, called_later};
use super::lesson_texts::{self, TakenText};
use super::module::{WasmModule, stripped, with_short_names};
use super::write_site;
use crate::process::{answer, pass_on, root};
use crate::web_tests;

/// What wasm-bindgen writes.
const WHOLE: &str = "bindpose_bg.wasm";
const GLUE: &str = "bindpose.js";
/// The parts that are taken out of it, into the same folder; also what the placeholders
/// for their functions are imported from.
const PARTS: [&str; 3] = ["class", "pages", "later"];
/// The pages that strangers open first, and phones on slow data: the cover and the first
/// two lessons. They wait for no part.
const OPENED_FIRST: [&str; 3] = ["", "10-what-skinning-is", "20-bind-pose"];

/// What rustc turns on for us: its own defaults, and `.cargo/config.toml`.
const FEATURES: [&str; 7] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-multivalue",
    "--enable-reference-types",
];

/// Where the glue takes what the module imports.
const IMPORTS: &str = "const imports = __wbg_get_imports();";
const WITH_PLACEHOLDERS: &str = "const imports = withPlaceholders(__wbg_get_imports());";

/// Where the glue has the module, and the same with a way to ask it for its counts.
const INSTANCE: &str = "wasm = instance.exports;";
const COUNTED_INSTANCE: &str = "wasm = instance.exports; globalThis.countedProgram = wasm;";
/// The page's folder, in the same place.
const FOLDER: &str = "location.pathname.split('/').at(-2)";

/// What the counting module calls the function that writes its counts.
const COUNTS: &str = "write_counts";

/// The program whole, as it goes into one file.
pub(super) fn leave_whole(parts: &Path) -> Result<(), String> {
    let file = parts.join(WHOLE);
    write(&file, &stripped(&module(&read(&file)?)?))
}

/// Divides it by what pages call first, of a site at `site` that `program` writes and
/// hands out. What is divided stays in the file `whole`, with names.
pub(super) fn divide(
    parts: &Path,
    whole: &Path,
    program: &Path,
    site: &Path,
) -> Result<(), String> {
    need_wasm_split()?;
    shrink(parts)?;
    write(whole, &read(&parts.join(WHOLE))?)?;
    let counts = counts(parts, program, site)?;
    split(parts, whole, &counts)
}

/// What a browser counts on the pages of a site at `site`; of the same site once, while it
/// is counted in the same way.
fn counts(parts: &Path, program: &Path, site: &Path) -> Result<Vec<PageCounts>, String> {
    let counted = counting(parts, site)?;
    write_site(program, &counted, site)?;
    let folder = site.with_extension("counts");
    let script = root().join("web/tests/called_first.mjs");
    let of_site = format!("{:016x} {:?}\n{}", fingerprint(site)?, OPENED_FIRST, text(&script)?);
    let said = folder.join("of-site");
    if !fs::read_to_string(&said).is_ok_and(|said| said == of_site) {
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
        write(&said, of_site.as_bytes())?;
    }
    let pages = files(&folder)?.into_iter().filter_map(|file| {
        // NUMBER.FOLDER.profile
        let name = file.file_name()?.to_str()?.strip_suffix(".profile")?;
        let is_first = OPENED_FIRST.contains(&name.split_once('.')?.1);
        Some(read(&file).map(|bytes| PageCounts { is_first, bytes }))
    });
    pages.collect()
}

/// Of all files below `folder`, with their names.
fn fingerprint(folder: &Path) -> Result<u64, String> {
    let mut hasher = DefaultHasher::new();
    let mut paths = files(folder)?;
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

/// Functions of equal code become one, thrice and again after the other passes, since
/// those that call equal ones become equal by it; locals that are used most get the
/// shortest numbers. All else that wasm-opt knows has been done by LLVM, or gzips worse.
fn shrink(parts: &Path) -> Result<(), String> {
    let whole = parts.join(WHOLE);
    let before = read(&whole)?;
    let mut command = Command::new("wasm-opt");
    let equal = ["--duplicate-function-elimination"; 3];
    command.args(FEATURES).arg("--debuginfo").args(equal);
    command.args(["--rse", "--vacuum", "--optimize-instructions", "--reorder-locals"]).args(equal);
    pass_on(command.arg(&whole).arg("-o").arg(&whole))?;
    mend_table(&whole, &module(&before)?)
}

/// A program that counts its calls, with the glue for it, in a folder beside `site`.
fn counting(parts: &Path, site: &Path) -> Result<PathBuf, String> {
    let folder = site.with_extension("program");
    make_folder(&folder)?;
    let (whole, counted) = (parts.join(WHOLE), folder.join(WHOLE));
    let mut instrument = wasm_split(&["--instrument"]);
    instrument.arg(format!("--profile-export={COUNTS}"));
    pass_on(instrument.arg(&whole).arg("-o").arg(&counted))?;
    mend_table(&counted, &module(&read(&whole)?)?)?;
    let texts = lesson_texts::script(&taken_texts(&read(&whole)?)?);
    // Pages that are opened first have no texts of other lessons.
    let counted_instance =
        format!("{COUNTED_INSTANCE} if ({OPENED_FIRST:?}.includes({FOLDER})) {texts}");
    let glue = glue(parts, INSTANCE, &counted_instance)?;
    write(&folder.join(GLUE), glue.as_bytes())?;
    Ok(folder)
}

fn split(parts: &Path, whole: &Path, counts: &[PageCounts]) -> Result<(), String> {
    let before = read(whole)?;
    let whole = module(&before)?;
    let called = called_later(&whole, counts)?;
    let class = called_in_class(&whole, &called.by_none);
    let later: Vec<&str> = called.by_none.difference(&class).copied().collect();
    let class: Vec<&str> = class.into_iter().collect();
    let pages: Vec<&str> = called.by_pages.into_iter().collect();
    // What others take of the program they find under names that no other part has.
    let mut names = HashMap::new();
    for (part, functions, prefix) in [("class", class, '&'), ("pages", pages, '$')] {
        let named = format!("--export-prefix={prefix}");
        take_out(parts, &whole, (part, &functions), &["--debuginfo", &named])?;
        for file in [parts.join(WHOLE), part_file(parts, part)] {
            let short = with_short_names(&read(&file)?, prefix, &mut names);
            write(&file, &short.ok_or("wasm-split wrote no module")?)?;
        }
        let file = part_file(parts, part);
        write(&file, &stripped(&module(&read(&file)?)?))?;
    }
    take_out(parts, &whole, ("later", &later), &["--export-prefix=%"])?;
    move_texts(parts)?;
    let glue = glue(parts, IMPORTS, WITH_PLACEHOLDERS)?;
    let joined = text(&root().join("web/page/parts.js"))?;
    let joined = joined.replace("[\"PARTS\"]", &format!("{PARTS:?}"));
    let joined = joined.replace("[\"OPENED FIRST\"]", &format!("{OPENED_FIRST:?}"));
    write(&parts.join(GLUE), format!("{glue}\n{joined}").as_bytes())
}

/// Takes the texts of lessons that are not opened first to the part that other pages need.
fn move_texts(parts: &Path) -> Result<(), String> {
    let (program, part) = (parts.join(WHOLE), part_file(parts, "pages"));
    let bytes = read(&program)?;
    let (without, with) = lesson_texts::moved(&bytes, &read(&part)?, &taken_texts(&bytes)?)?;
    write(&program, &without)?;
    write(&part, &with)
}

fn taken_texts(program: &[u8]) -> Result<Vec<TakenText>, String> {
    lesson_texts::of(program, &lesson_texts::read(&root().join("lessons"), &OPENED_FIRST[1..])?)
}

/// Takes the functions with these names out of the program in the folder `parts`.
fn take_out(
    parts: &Path,
    whole: &WasmModule<'_>,
    (part, names): (&str, &[&str]),
    options: &[&str],
) -> Result<(), String> {
    let program = parts.join(WHOLE);
    let listed = parts.join(format!("{part}.names"));
    write(&listed, lines(names).as_bytes())?;
    // It sorts what it takes out by names, by which it gzips better than by numbers.
    let mut command = wasm_split(&["--split", "--quiet"]);
    let mut named = OsString::from("--split-funcs=@");
    named.push(listed);
    command.args(options).arg(format!("--placeholder-namespace={part}"));
    command.arg(named).arg(&program);
    command.arg("-o1").arg(&program).arg("-o2").arg(part_file(parts, part));
    pass_on(&mut command)?;
    mend_table(&program, whole)
}

/// Names of functions, a line each as wasm-split takes them.
fn lines(names: &[&str]) -> String {
    // Version 108 escapes what later versions leave as it is.
    names.iter().map(|name| format!("{name}\n{}\n", escaped(name))).collect()
}

/// Each byte that the text format has not in names becomes `\` and two digits.
fn escaped(name: &str) -> String {
    let kept = b"!#$%&'*+-./:<=>?@\\^_`|~";
    name.bytes()
        .map(|byte| match byte.is_ascii_alphanumeric() || kept.contains(&byte) {
            true => char::from(byte).to_string(),
            false => format!("\\{byte:02x}"),
        })
        .collect()
}

/// Where a part is, in the folder of what wasm-bindgen writes.
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

/// What wasm-bindgen wrote, with `changed` in the place of `part`.
fn glue(parts: &Path, part: &str, changed: &str) -> Result<String, String> {
    let glue = text(&parts.join(GLUE))?;
    if !glue.contains(part) {
        return Err("wasm-bindgen writes other glue: see xtask/src/web/split.rs".to_owned());
    }
    Ok(glue.replace(part, changed))
}

/// Version 108, which Debian has, exports the first table in the place of the
/// second when it writes a module.
fn mend_table(file: &Path, before: &WasmModule<'_>) -> Result<(), String> {
    let name = "__wbindgen_externrefs";
    let mut bytes = read(file)?;
    let number = before.table_export(name).ok_or("the module exports no table")?;
    let at = WasmModule::read(&bytes)
        .and_then(|module| module.table_export_at(name))
        .ok_or("wasm-split exports no table")?;
    bytes[at] = number;
    write(file, &bytes)
}

fn need_wasm_split() -> Result<(), String> {
    let is_there = || answer("wasm-split", &["--version"]).is_some();
    if is_there() {
        return Ok(());
    }
    if answer("apt-get", &["--version"]).is_some() {
        println!("· apt-get install binaryen");
        let install = ["install", "-y", "--no-install-recommends", "binaryen"];
        pass_on(Command::new("apt-get").args(install))?;
    }
    if is_there() {
        return Ok(());
    }
    Err("wasm-split is missing: install binaryen, or add --fast".to_owned())
}

fn module(bytes: &[u8]) -> Result<WasmModule<'_>, String> {
    WasmModule::read(bytes).ok_or_else(|| format!("{WHOLE} is no module"))
}

fn make_folder(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|why| format!("{}: {why}", folder.display()))
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let told = |why: std::io::Error| format!("{}: {why}", folder.display());
    let entries = fs::read_dir(folder).map_err(told)?;
    let paths = entries.map(|entry| Ok(entry.map_err(told)?.path()));
    paths.collect()
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|why| format!("{}: {why}", file.display()))
}

fn text(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|why| format!("{}: {why}", file.display()))
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(file, bytes).map_err(|why| format!("{}: {why}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_text_format_lacks_is_escaped() {
        assert_eq!(escaped("<A, B>::f"), "<A\\2c\\20B>::f");
        assert_eq!(escaped("x[1]"), "x\\5b1\\5d");
    }
}
