//! The files of the site.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::{fs, io};

use crate::process::root;

/// Writes the site to `site`, which is made anew. `parts` has what wasm-bindgen
/// wrote.
pub(super) fn write(parts: &Path, site: &Path) -> Result<(), String> {
    let told = |why: io::Error| format!("{}: {why}", site.display());
    let _ = fs::remove_dir_all(site);
    fs::create_dir_all(site.join("assets")).map_err(told)?;
    let page = root().join("web/page");
    let asset = |name: &str, bytes: &[u8]| -> Result<String, String> {
        let named = hashed(name, bytes);
        fs::write(site.join(&named), bytes).map_err(told)?;
        Ok(named)
    };
    let read = |file: &Path| fs::read(file).map_err(|why| format!("{}: {why}", file.display()));
    let wasm = asset("bindpose.wasm", &read(&parts.join("bindpose_bg.wasm"))?)?;
    let glue = asset("bindpose.js", &read(&parts.join("bindpose.js"))?)?;
    let css = asset("page.css", &read(&page.join("page.css"))?)?;
    let start = text(&page.join("start.js"))?.replace("{glue}", &beside(&glue));
    let start = asset("start.js", start.as_bytes())?;
    let template = text(&page.join("page.html"))?
        .replace("{css}", &css)
        .replace("{glue}", &glue)
        .replace("{wasm}", &wasm)
        .replace("{start}", &start);
    let lessons = lessons()?;
    for (folder, title) in &lessons {
        let words = format!("<h1>{}</h1>", escaped(title));
        let title = format!("{} · Bindpose", escaped(title));
        let page = filled(&template, "../", &title, &words);
        fs::create_dir_all(site.join(folder)).map_err(told)?;
        fs::write(site.join(folder).join("index.html"), page).map_err(told)?;
    }
    let rows = lessons
        .iter()
        .map(|(folder, title)| format!("<li><a href=\"{folder}/\">{}</a></li>\n", escaped(title)));
    let words = format!(
        "<h1>Bindpose</h1>\n<p>An interactive notebook that teaches vertex skinning.</p>\n<ul>\n{}</ul>",
        rows.collect::<String>()
    );
    let page = filled(&template, "", "Bindpose", &words);
    fs::write(site.join("index.html"), page).map_err(told)
}

fn filled(template: &str, root: &str, title: &str, words: &str) -> String {
    template
        .replace("{root}", root)
        .replace("{title}", title)
        .replace("{text}", words)
}

/// Folder and title of each lesson, by number.
fn lessons() -> Result<Vec<(String, String)>, String> {
    let told = |why: io::Error| format!("lessons: {why}");
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join("lessons")).map_err(told)? {
        let entry = entry.map_err(told)?;
        let file = entry.path().join("lesson.md");
        if !file.is_file() {
            continue;
        }
        let lesson = text(&file)?;
        let mut lines = lesson.lines();
        let title = lines.find_map(|line| line.strip_prefix("title = \"")?.strip_suffix('"'));
        let title = title.ok_or_else(|| format!("{} has no title", file.display()))?;
        let folder = entry.file_name().to_string_lossy().into_owned();
        found.push((folder, title.to_owned()));
    }
    found.sort_by_key(|(folder, _)| number(folder));
    Ok(found)
}

fn number(folder: &str) -> u32 {
    let digits = folder.split('-').next().unwrap_or_default();
    digits.parse().unwrap_or(u32::MAX)
}

fn text(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|why| format!("{}: {why}", file.display()))
}

/// `assets/name-0123456789ab.ending`: what a browser keeps under it never changes.
fn hashed(name: &str, bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    let hash = format!("{:016x}", hasher.finish());
    let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
    format!("assets/{stem}-{}.{ending}", &hash[..12])
}

/// As a file in the same folder imports it.
fn beside(asset: &str) -> String {
    asset.replacen("assets/", "./", 1)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
