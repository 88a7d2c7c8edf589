//! The program in two parts: what a page needs to be live, and what comes later.
//! Which functions come later is said by `web/later.txt`; wasm-split of the package
//! `binaryen` takes them out, `web/page/later.js` puts them back when they are here.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::module::{Module, stripped, with_short_names};
use crate::process::{answer, pass_on, root};

/// The second part, in the folder of what wasm-bindgen writes.
pub(super) const LATER: &str = "bindpose-later.wasm";

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
const WITH_PLACEHOLDERS: &str =
    "const imports = { ...__wbg_get_imports(), placeholder: placeholders };";

/// Makes what is in `parts` ready to be handed out: split, or, for one file, whole.
pub(super) fn finish(parts: &Path, whole: bool) -> Result<(), String> {
    if !whole {
        return split(parts);
    }
    let file = parts.join("bindpose_bg.wasm");
    let bytes = fs::read(&file).map_err(|why| format!("{}: {why}", file.display()))?;
    let module = Module::read(&bytes).ok_or("bindpose_bg.wasm is no module")?;
    write(&file, &stripped(&module))
}

fn split(parts: &Path) -> Result<(), String> {
    need_wasm_split()?;
    println!("· what comes later, apart");
    let whole = parts.join("bindpose_bg.wasm");
    let bytes = fs::read(&whole).map_err(|why| format!("{}: {why}", whole.display()))?;
    let module = Module::read(&bytes).ok_or("bindpose_bg.wasm is no module with names")?;
    let parts_of_names = read(&root().join("web/later.txt"))?;
    let parts_of_names: Vec<&str> = parts_of_names
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    // Values that are empty are let go of everywhere.
    let is_let_go = |name: &str| name.contains("drop_in_place");
    let is_later =
        |name: &str| !is_let_go(name) && parts_of_names.iter().any(|part| name.contains(part));
    let (named, later) = with_short_names(&module, is_later);
    let input = parts.join("named.wasm");
    write(&input, &named)?;
    let mut command = Command::new("wasm-split");
    command.args(FEATURES).args(["--export-prefix=%"]);
    command.arg(format!("--split-funcs={}", later.join(",")));
    command.arg("-o1").arg(&whole);
    command.arg("-o2").arg(parts.join(LATER)).arg(&input);
    pass_on(&mut command)?;
    let _ = fs::remove_file(&input);
    mend_table(&whole, &module)?;
    let glue = parts.join("bindpose.js");
    let text = read(&glue)?;
    if !text.contains(IMPORTS) {
        return Err("wasm-bindgen writes other glue: see xtask/src/web/split.rs".to_owned());
    }
    let text = text.replace(IMPORTS, WITH_PLACEHOLDERS);
    let later = read(&root().join("web/page/later.js"))?;
    write(&glue, format!("{text}\n{later}").as_bytes())
}

/// wasm-split 108, which Debian has, exports the first table in the place of the
/// second.
fn mend_table(file: &Path, before: &Module<'_>) -> Result<(), String> {
    let name = "__wbindgen_externrefs";
    let bytes = fs::read(file).map_err(|why| why.to_string())?;
    let number = before
        .table_export(name)
        .ok_or("the module exports no table")?;
    let mut bytes = bytes;
    let at = Module::read(&bytes)
        .and_then(|module| module.table_export_at(name))
        .ok_or("the first part exports no table")?;
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

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|why| format!("{}: {why}", file.display()))
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(file, bytes).map_err(|why| format!("{}: {why}", file.display()))
}
