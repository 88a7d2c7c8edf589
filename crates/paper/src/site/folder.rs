//! The files of a site that is a folder.

use std::fmt::Write as _;
use std::io::Write as _;

use bindpose_asset::base64_text;
use bindpose_lesson::{LessonSet, PictureFormat};
use bindpose_notebook::NOTEBOOK_TITLE;
use bindpose_shipped::FIRST;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Map, Value, json};

use super::template::{
    Assets, ICON, SiteFile, fill, for_search_engines, front_text, has_cover, hash, json,
    lesson_body, lesson_description, preview,
};
use super::{CLASS_PART, SiteParts};
use crate::handout::{HtmlPlace, SiteText, all_texts, escaped, lesson_text, site_style};

/// What the site says of itself.
pub(super) const DESCRIPTION: &str = "How joints move a mesh, in lessons whose every number can \
                                      be dragged: bind pose, weights, joint matrices, glTF.";

/// What `start.js` imports beside the glue, by the names that it has for them.
pub(super) const MODULES: [(&str, &str); 6] = [
    ("class", include_str!("../../../../web/page/class.js")),
    ("failure", include_str!("../../../../web/page/failure.js")),
    ("frames", include_str!("../../../../web/page/frames.js")),
    ("links", include_str!("../../../../web/page/links.js")),
    ("loading", include_str!("../../../../web/page/loading.js")),
    ("reading", include_str!("../../../../web/page/reading.js")),
];

/// What pages run beside the program: of the contents, of a lesson, of both.
const PAGE_SCRIPTS: [(&str, &str); 3] = [
    ("front.js", include_str!("../../../../web/page/front.js")),
    ("text.js", include_str!("../../../../web/page/text.js")),
    ("updates.js", include_str!("../../../../web/page/updates.js")),
];

/// The style sheet of all pages.
pub(super) fn style(parts: &SiteParts<'_>) -> String {
    let own = include_str!("../../../../web/page/page.css");
    format!("{}{own}", site_style(&parts.look))
}

/// All files of a site, by path: `index.html`, a folder a lesson, `assets/`, and
/// what keeps them for use without the network.
pub fn folder(parts: SiteParts<'_>) -> Vec<SiteFile> {
    let style = style(&parts);
    let url = parts.url.as_deref();
    let mut assets = Assets::default();
    let css = assets.add("page.css", style.into_bytes());
    let icon = assets.add("icon.svg", ICON.as_bytes().to_vec());
    let [front_script, text_script, updates] =
        PAGE_SCRIPTS.map(|(name, text)| assets.add(name, text.as_bytes().to_vec()));
    let (glue, start) = scripts(&mut assets, parts.program.glue);
    let wasm = assets.add("bindpose.wasm", parts.program.wasm);
    let (manifest, first) = fetched(&mut assets, parts.fetched);
    let frame = Frame { css, icon, updates, text_script, glue, start, wasm, manifest, first };

    let mut pages = Vec::new();
    let around = frame.program("../", "Until then, this is its text.");
    for (index, lesson) in parts.set.lessons.iter().enumerate() {
        let mut picture = None;
        let mut address = |format: PictureFormat, bytes: &[u8]| {
            let path =
                assets.add_for_network(&format!("picture.{}", format.ending()), bytes.to_vec());
            let address = format!("../{path}");
            picture.get_or_insert(path);
            address
        };
        let text = SiteText {
            set: parts.set,
            look: &parts.look,
            rigs: parts.rigs,
            pictures: &mut *parts.pictures,
            address: &mut address,
        };
        let text = lesson_body(parts.set, index, &lesson_text(text, index));
        let folder = format!("{}/", lesson.folder);
        let description = lesson_description(lesson);
        let (title, about) = (escaped(&lesson.title), escaped(&description));
        let values = [
            ("title", &*format!("{title} · Bindpose")),
            ("description", &about),
            ("preview", &preview(&title, &about, url, &folder, picture.as_deref())),
            ("text", &text),
        ];
        pages.push((folder, frame.page("../", &around, &values)));
    }
    let mut picture = None;
    let text = front_text(parts.set, parts.rigs, parts.front.as_ref(), &mut |name, png| {
        let path = assets.add_for_network(name, png.to_vec());
        picture.get_or_insert_with(|| path.clone());
        path
    });
    let values = [
        ("title", NOTEBOOK_TITLE),
        ("description", DESCRIPTION),
        ("preview", &preview(NOTEBOOK_TITLE, DESCRIPTION, url, "", picture.as_deref())),
        ("text", &*format!("{text}<script src=\"./{front_script}\"></script>\n")),
    ];
    // The cover runs; the contents of a course are a list.
    let runs = has_cover(parts.set);
    let around = runs.then(|| frame.program("./", "Until then, all links here work."));
    pages.push((String::new(), frame.page("./", &around.unwrap_or_default(), &values)));
    let folders: Vec<&str> = pages.iter().map(|(folder, _)| &**folder).collect();
    let listed = url.map(|url| for_search_engines(url, &folders));
    let mut files = files(assets, pages);
    files.extend(listed.into_iter().flatten());
    files
}

/// What stands around the text of every page: paths in the site, of which `first` is
/// asked for before the program does, and `manifest` as JSON says where all else lies.
struct Frame {
    css: String,
    icon: String,
    updates: String,
    text_script: String,
    glue: String,
    start: String,
    wasm: String,
    manifest: String,
    first: Vec<String>,
}

impl Frame {
    /// What brings the program to a page whose site is at `root`, in its head and at its
    /// end; `meanwhile` says what the page is until then.
    fn program(&self, root: &str, meanwhile: &str) -> [String; 2] {
        let line =
            |path| format!("<link rel=\"preload\" href=\"{root}{path}\" as=\"fetch\" crossorigin>");
        let values = [
            ("root", root),
            ("glue", &self.glue),
            ("start", &self.start),
            ("wasm", &self.wasm),
            ("assets", &self.manifest),
            ("early", &self.first.iter().map(line).collect::<Vec<_>>().join("\n")),
            ("meanwhile", meanwhile),
        ];
        let parts = [
            include_str!("../../../../web/page/program-head.html"),
            include_str!("../../../../web/page/program.html"),
        ];
        parts.map(|part| fill(part, &values))
    }

    fn page(&self, root: &str, [head, end]: &[String; 2], values: &[(&str, &str)]) -> String {
        let shared = [
            ("root", root),
            ("css", &*self.css),
            ("icon", &self.icon),
            ("updates", &self.updates),
            ("version", env!("CARGO_PKG_VERSION")),
            ("head", head),
            ("program", end),
            ("script", &self.text_script),
        ];
        fill(include_str!("../../../../web/page/page.html"), &[values, &shared].concat())
    }
}

/// Where what is fetched lies in the site, as JSON, and of that what every page needs at
/// first.
fn fetched(assets: &mut Assets, files: Vec<(String, Vec<u8>)>) -> (String, Vec<String>) {
    let mut first = Vec::new();
    let manifest = files.into_iter().map(|(key, bytes)| {
        let name = key.rsplit('/').next().unwrap_or(&key).to_owned();
        let path = if key == CLASS_PART {
            // A class is nowhere without the network.
            assets.add_for_network(&name, bytes)
        } else {
            assets.add(&name, bytes)
        };
        if FIRST.contains(&&*key) {
            first.push(path.clone());
        }
        (key, Value::String(path))
    });
    (json(&Value::Object(manifest.collect())), first)
}

/// What joins the program to JavaScript, and what starts it, with all that this
/// imports.
fn scripts(assets: &mut Assets, glue: String) -> (String, String) {
    let glue = assets.add("bindpose.js", glue.into_bytes());
    let beside = glue.replacen("assets/", "./", 1);
    let mut modules = vec![("glue", beside)];
    for (name, text) in MODULES {
        let path = assets.add(&format!("{name}.js"), text.as_bytes().to_vec());
        modules.push((name, path.replacen("assets/", "./", 1)));
    }
    let places: Vec<(&str, &str)> = modules.iter().map(|(name, path)| (*name, &**path)).collect();
    let start = fill(include_str!("../../../../web/page/start.js"), &places);
    let start = assets.add("start.js", start.into_bytes());
    (glue, start)
}

/// The files, with the one that keeps them. `pages` are by folder.
fn files(assets: Assets, pages: Vec<(String, String)>) -> Vec<SiteFile> {
    let mut kept: Vec<String> = assets.kept().to_vec();
    let mut all = String::new();
    for (folder, html) in &pages {
        kept.push(format!("./{folder}"));
        all.push_str(html);
    }
    // The pages name all assets by their content.
    let version = hash(all.as_bytes());
    let offline = fill(
        include_str!("../../../../web/page/offline.js"),
        &[("files", &json(&json!(kept))), ("version", &version)],
    );
    let mut files: Vec<SiteFile> = assets.into_files().collect();
    let pages = pages.into_iter().map(|(folder, html)| SiteFile {
        path: format!("{folder}index.html"),
        bytes: html.into_bytes(),
    });
    files.extend(pages);
    files.push(SiteFile { path: "offline.js".to_owned(), bytes: offline.into_bytes() });
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

// A site that is one file, and needs no server.

/// The site as one HTML file, with the texts of all lessons. Of the pictures of
/// cells it has none: the notebook draws them.
pub fn one_file(parts: SiteParts<'_>) -> String {
    let style = style(&parts);
    let icon = data_url("image/svg+xml", ICON.as_bytes());
    let contents = contents(parts.set);
    let texts = all_texts(SiteText {
        set: parts.set,
        look: &parts.look,
        rigs: parts.rigs,
        pictures: parts.pictures,
        address: &mut |format, bytes| data_url(format.media_type(), bytes),
    });
    let fetched = parts.fetched.into_iter();
    let fetched = fetched.map(|(key, bytes)| {
        let url = data_url("application/octet-stream", &bytes);
        (key, Value::String(url))
    });
    let mut modules: Map<String, Value> =
        MODULES.iter().map(|(name, text)| ((*name).to_owned(), Value::from(*text))).collect();
    modules.insert("glue".to_owned(), Value::from(parts.program.glue));
    let program = json!({
        "wasm": base64_text(&packed(&parts.program.wasm)),
        "modules": modules,
        "start": include_str!("../../../../web/page/start.js"),
    });
    fill(
        include_str!("../../../../web/page/one-file.html"),
        &[
            ("title", NOTEBOOK_TITLE),
            ("description", DESCRIPTION),
            ("version", env!("CARGO_PKG_VERSION")),
            ("icon", &icon),
            ("css", &style),
            ("text", &format!("{contents}{texts}</main>\n")),
            ("assets", &json(&Value::Object(fetched.collect()))),
            ("program", &json(&program)),
            ("script", include_str!("../../../../web/page/text.js")),
            ("unpack", include_str!("../../../../web/page/one-file.js")),
        ],
    )
}

/// The head of the text, with ways to all lessons; the main part stays open.
fn contents(set: &LessonSet) -> String {
    let mut out = String::from(
        "<main>\n<header>\n<h1>Bindpose</h1>\n\
         <p class=\"lead\">An interactive notebook that teaches vertex skinning.</p>\n\
         <noscript><p>This is its text. To run, it needs JavaScript, which is switched off \
         here, WebAssembly and WebGL 2.</p></noscript>\n</header>\n\
         <nav aria-label=\"Lessons\"><ol class=\"lessons\">\n",
    );
    for lesson in &set.lessons {
        let _ = writeln!(
            out,
            "<li><span class=\"number-of\">{}</span><div><a href=\"{}\">{}</a> \
             <span class=\"minutes\">{} min</span><p>{}</p></div></li>",
            lesson.number,
            escaped(&HtmlPlace::OneFile.lesson_url(lesson, None)),
            escaped(&lesson.title),
            lesson.minutes,
            escaped(&lesson.about)
        );
    }
    out.push_str("</ol></nav>\n");
    out
}

fn data_url(kind: &str, bytes: &[u8]) -> String {
    format!("data:{kind};base64,{}", base64_text(bytes))
}

/// Gzipped, the same bytes each time.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    let written = packer.write_all(bytes).and_then(|()| packer.finish());
    written.expect("a vector takes all bytes")
}
