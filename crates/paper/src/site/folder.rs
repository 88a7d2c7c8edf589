//! A site as a folder of files.

use bindpose_lesson::PictureFormat;
use bindpose_notebook::NOTEBOOK_TITLE;
use serde_json::{Map, Value, json};

use super::assets::{Assets, content_hash};
use super::front_page::{front_page_html, has_cover};
use super::lesson_page::{lesson_body_html, lesson_description, preview_tags, search_engine_files};
use super::template::{fill_template, script_json};
use super::{
    CLASS_PART_FILE_NAME, DESCRIPTION, ICON_SVG, MODULES, SiteFile, SiteParts, page_style,
};
use crate::handout::{SiteTextSources, escaped, lesson_html};

/// Script of the front page.
const FRONT_SCRIPT: &str = include_str!("../../../../web/page/front.js");
/// Script of every page, which runs without the notebook too.
const TEXT_SCRIPT: &str = include_str!("../../../../web/page/text.js");
/// Script of every page, which offers new versions of the site.
const UPDATES_SCRIPT: &str = include_str!("../../../../web/page/updates.js");

/// Builds all files of a site: `index.html`, a folder per lesson, `assets/`, and
/// the service worker that caches them for use without a network.
pub fn folder(parts: SiteParts<'_>) -> Vec<SiteFile> {
    let site_url = parts.url.as_deref();
    let mut assets = Assets::default();
    let css = assets.add("page.css", page_style(&parts.look).into_bytes());
    let icon = assets.add("icon.svg", ICON_SVG.as_bytes().to_vec());
    let front_script = assets.add("front.js", FRONT_SCRIPT.as_bytes().to_vec());
    let text_script = assets.add("text.js", TEXT_SCRIPT.as_bytes().to_vec());
    let updates_script = assets.add("updates.js", UPDATES_SCRIPT.as_bytes().to_vec());
    let glue = assets.add("bindpose.js", parts.program.glue.into_bytes());
    let start_script = add_start_script(&mut assets, &glue);
    let wasm = assets.add("bindpose.wasm", parts.program.wasm);
    let (manifest, preloaded) = add_fetched_files(&mut assets, parts.fetched, parts.preloaded);
    let template = PageTemplate {
        css,
        icon,
        updates_script,
        text_script,
        glue,
        start_script,
        wasm,
        manifest,
        preloaded,
    };

    // Folder and HTML of each page.
    let mut pages: Vec<(String, String)> = Vec::new();
    let program_html = template.program_html("../", "Until then, this is its text.");
    for (index, lesson) in parts.set.lessons.iter().enumerate() {
        let mut first_picture = None;
        let text = lesson_html(
            SiteTextSources {
                set: parts.set,
                look: &parts.look,
                rigs: parts.rigs,
                pictures: &mut *parts.pictures,
                picture_url: &mut |format: PictureFormat, bytes: &[u8]| {
                    let name = format!("picture.{}", format.ending());
                    let path = assets.add_online_only(&name, bytes.to_vec());
                    let url = format!("../{path}");
                    first_picture.get_or_insert(path);
                    url
                },
            },
            index,
        );
        let text = lesson_body_html(parts.set, index, &text);
        let folder = format!("{}/", lesson.site_folder());
        let title = escaped(&lesson.title);
        let description_text = lesson_description(lesson);
        let description = escaped(&description_text);
        let preview =
            preview_tags(&title, &description, site_url, &folder, first_picture.as_deref());
        let values = [
            ("title", &*format!("{title} · Bindpose")),
            ("description", &description),
            ("preview", &preview),
            ("text", &text),
        ];
        pages.push((folder, template.page_html("../", &program_html, &values)));
    }

    let mut first_picture = None;
    let text = front_page_html(parts.set, parts.rigs, parts.front.as_ref(), &mut |name, png| {
        let path = assets.add_online_only(name, png.to_vec());
        first_picture.get_or_insert_with(|| path.clone());
        path
    });
    let preview = preview_tags(NOTEBOOK_TITLE, DESCRIPTION, site_url, "", first_picture.as_deref());
    let values = [
        ("title", NOTEBOOK_TITLE),
        ("description", DESCRIPTION),
        ("preview", &preview),
        ("text", &*format!("{text}<script src=\"./{front_script}\"></script>\n")),
    ];
    // Only the cover is interactive. The front page of a course is a plain list.
    let program_html = if has_cover(parts.set) {
        template.program_html("./", "Until then, all links here work.")
    } else {
        ProgramHtml::default()
    };
    pages.push((String::new(), template.page_html("./", &program_html, &values)));

    let search_engine_files = site_url.map(|site_url| {
        let folders: Vec<&str> = pages.iter().map(|(folder, _)| &**folder).collect();
        search_engine_files(site_url, &folders)
    });
    let mut files = vec![service_worker(&assets, &pages)];
    files.extend(assets.into_files());
    for (folder, html) in pages {
        files.push(SiteFile { path: format!("{folder}index.html"), bytes: html.into_bytes() });
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.extend(search_engine_files.into_iter().flatten());
    files
}

/// The HTML that all pages share, filled in with the paths of assets relative to the site.
struct PageTemplate {
    css: String,
    icon: String,
    updates_script: String,
    text_script: String,
    glue: String,
    start_script: String,
    wasm: String,
    /// JSON with the path of each file that the program fetches, by key.
    manifest: String,
    /// Paths of the files that the program needs first. The page starts to load them before the
    /// program runs.
    preloaded: Vec<String>,
}

/// The HTML that loads the program, empty on pages without it.
#[derive(Default)]
struct ProgramHtml {
    /// In the head of the page.
    head: String,
    /// At the end of the page.
    end: String,
}

impl PageTemplate {
    /// Returns the HTML that loads the program on a page with the site's root at `root`.
    /// `meanwhile` describes the page until then.
    fn program_html(&self, root: &str, meanwhile: &str) -> ProgramHtml {
        let preload_links: Vec<String> = self
            .preloaded
            .iter()
            .map(|path| {
                format!("<link rel=\"preload\" href=\"{root}{path}\" as=\"fetch\" crossorigin>")
            })
            .collect();
        let values = [
            ("root", root),
            ("glue", &self.glue),
            ("start", &self.start_script),
            ("wasm", &self.wasm),
            ("assets", &self.manifest),
            ("early", &preload_links.join("\n")),
            ("meanwhile", meanwhile),
        ];
        ProgramHtml {
            head: fill_template(include_str!("../../../../web/page/program-head.html"), &values),
            end: fill_template(include_str!("../../../../web/page/program.html"), &values),
        }
    }

    /// Returns a page. `values` are those that differ between pages.
    fn page_html(&self, root: &str, program: &ProgramHtml, values: &[(&str, &str)]) -> String {
        let shared_values = [
            ("root", root),
            ("css", &*self.css),
            ("icon", &self.icon),
            ("updates", &self.updates_script),
            ("version", env!("CARGO_PKG_VERSION")),
            ("head", &program.head),
            ("program", &program.end),
            ("script", &self.text_script),
        ];
        fill_template(
            include_str!("../../../../web/page/page.html"),
            &[values, &shared_values].concat(),
        )
    }
}

/// Adds the files that the program fetches. Returns a JSON object with their paths by key, and the
/// paths of those that every page needs first.
fn add_fetched_files(
    assets: &mut Assets,
    files: Vec<(String, Vec<u8>)>,
    preloaded_keys: &[&str],
) -> (String, Vec<String>) {
    let mut manifest = Map::new();
    let mut preloaded = Vec::new();
    for (key, bytes) in files {
        let name = key.rsplit('/').next().unwrap_or(&key);
        let path = if key == CLASS_PART_FILE_NAME {
            // A class needs a network anyway.
            assets.add_online_only(name, bytes)
        } else {
            assets.add(name, bytes)
        };
        if preloaded_keys.contains(&&*key) {
            preloaded.push(path.clone());
        }
        manifest.insert(key, Value::String(path));
    }
    (script_json(&Value::Object(manifest)), preloaded)
}

/// Adds the script that starts the program and the modules that it imports. Returns its path.
fn add_start_script(assets: &mut Assets, glue_path: &str) -> String {
    let mut modules = vec![("glue", relative_to_assets(glue_path))];
    for (name, text) in MODULES {
        let path = assets.add(&format!("{name}.js"), text.as_bytes().to_vec());
        modules.push((name, relative_to_assets(&path)));
    }
    let values: Vec<(&str, &str)> = modules.iter().map(|(name, path)| (*name, &**path)).collect();
    let start = fill_template(include_str!("../../../../web/page/start.js"), &values);
    assets.add("start.js", start.into_bytes())
}

/// Returns the path by which one asset imports another.
fn relative_to_assets(path: &str) -> String {
    path.replacen("assets/", "./", 1)
}

/// Returns the service worker, which caches pages and assets.
fn service_worker(assets: &Assets, pages: &[(String, String)]) -> SiteFile {
    let mut cached_paths = assets.offline_paths().to_vec();
    let mut all_html = String::new();
    for (folder, html) in pages {
        cached_paths.push(format!("./{folder}"));
        all_html.push_str(html);
    }
    // Pages contain the hashes of all assets, so their hash covers the whole site.
    let version = content_hash(all_html.as_bytes());
    let script = fill_template(
        include_str!("../../../../web/page/offline.js"),
        &[("files", &script_json(&json!(cached_paths))), ("version", &version)],
    );
    SiteFile { path: "offline.js".to_owned(), bytes: script.into_bytes() }
}
