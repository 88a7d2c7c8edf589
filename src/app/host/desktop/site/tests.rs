use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use bindpose_lesson::LessonSet;
use bindpose_paper::handout::escaped;
use bindpose_paper::site::{FrontPicture, SiteParts, SiteProgram, folder, one_file};
use bindpose_rigs::builtin;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::app::handout::look::handout_look;
use crate::app::testing::{PlaceholderPictures, assert_elements_are_closed, attribute_values};

/// Maximum gzipped size of HTML and CSS of a lesson's page, without its pictures.
const MAX_PAGE_BYTES: usize = 45_000;

fn test_parts<'a>(set: &'a LessonSet, pictures: &'a mut PlaceholderPictures) -> SiteParts<'a> {
    SiteParts {
        set,
        look: handout_look(),
        rigs: &builtin,
        pictures,
        url: Some("https://example.org/a/path/".to_owned()),
        front: Some(FrontPicture {
            light: b"light".to_vec(),
            dark: b"dark".to_vec(),
            size: [1280, 800],
            words: "A <page> & \"more\".".to_owned(),
        }),
        program: SiteProgram {
            wasm: b"\0asm".to_vec(),
            glue: "export default 1; // </script>".to_owned(),
        },
        fetched: vec![("fonts/A-Face.ttf".to_owned(), b"a face".to_vec())],
        preloaded: &[],
    }
}

fn write_site(set: &LessonSet) -> BTreeMap<String, Vec<u8>> {
    let files = folder(test_parts(set, &mut PlaceholderPictures));
    files.into_iter().map(|file| (file.path, file.bytes)).collect()
}

fn html_pages(site: &BTreeMap<String, Vec<u8>>) -> impl Iterator<Item = (&str, &str)> {
    site.iter()
        .filter(|(path, _)| has_extension(path, "html"))
        .map(|(path, bytes)| (path.as_str(), std::str::from_utf8(bytes).expect("text")))
}

fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|actual| actual == extension)
}

/// Removes the content of scripts, which is not HTML.
fn without_scripts(html: &str) -> String {
    let mut remaining = String::new();
    for (index, piece) in html.split("<script").enumerate() {
        let rest =
            if index == 0 { piece } else { piece.split_once("</script>").expect("its end").1 };
        remaining.push_str(rest);
    }
    remaining
}

/// Resolves an address on a page. Returns the path of a file in the site, and the fragment.
fn resolve_address<'a>(page: &str, address: &'a str) -> (String, &'a str) {
    let (path, fragment) = address.split_once('#').unwrap_or((address, ""));
    if path.is_empty() {
        return (page.to_owned(), fragment);
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            ".." => {
                parts.pop().expect("within the site");
            }
            "." => {}
            part => parts.push(part),
        }
    }
    let mut file = parts.join("/");
    let is_folder = file.is_empty() || file.ends_with('/');
    if path == "../" || is_folder {
        file = format!("{}/index.html", file.trim_end_matches('/'));
    }
    (file.trim_start_matches('/').to_owned(), fragment)
}

#[test]
fn every_step_is_on_the_page_of_its_lesson() {
    let set = LessonSet::embedded();
    let site = write_site(&set);
    for lesson in &set.lessons {
        let html = &site[&format!("{}/index.html", lesson.site_folder())];
        let html = std::str::from_utf8(html).unwrap();
        assert_eq!(html.matches("<h1>").count(), 1, "{}", lesson.folder);
        let title = format!("<title>{} · Bindpose</title>", escaped(&lesson.title));
        assert!(html.contains(&title), "{title}");
        assert!(html.contains(&*escaped(&lesson.about)), "{}", lesson.folder);
        for step in &lesson.steps {
            // The id is the fragment of the step's address.
            let id = format!("<section id=\"step={}\">", step.slug);
            let (_, section) = html.split_once(&id).expect(&id);
            let heading = section.split_once("</h2>").expect("a heading").0;
            assert!(heading.contains(&*escaped(&step.title)), "{}", step.title);
        }
    }
    let front = std::str::from_utf8(&site["index.html"]).unwrap();
    assert!(front.contains("<h1>4,968 points. Nobody stored how they swim.</h1>"));
    assert!(front.contains("route=essentials\"><b>The essentials</b> 36 steps, 90 minutes"));
    for lesson in &set.lessons {
        assert!(front.contains(&*escaped(&lesson.title)), "{}", lesson.title);
        assert!(front.contains(&*escaped(&lesson.about)), "{}", lesson.about);
    }
    for route in &set.routes {
        assert!(front.contains(&format!("&amp;route={}\"", route.name)));
    }
}

#[test]
fn pages_are_sound_and_all_links_resolve() {
    let set = LessonSet::embedded();
    let site = write_site(&set);
    let texts: BTreeMap<&str, String> =
        html_pages(&site).map(|(path, html)| (path, without_scripts(html))).collect();
    for (&page, html) in &texts {
        let body = html.split_once("<!DOCTYPE html>").expect("a page").1;
        assert_elements_are_closed(&[], body);
        let mut ids = attribute_values(html, "id");
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count, "{page}: each name once");
        let links = ["href", "src", "srcset"].map(|name| attribute_values(html, name));
        for link in links.concat() {
            if link.starts_with("https://") || link.is_empty() {
                continue;
            }
            let link = link.replace("&amp;", "&");
            let (file, fragment) = resolve_address(page, &link);
            assert!(site.contains_key(&file), "{page}: {link} is {file}");
            let Some(target) = texts.get(file.as_str()).filter(|_| !fragment.is_empty()) else {
                continue;
            };
            // The id of the step. The notebook reads the rest of the fragment.
            let id = fragment.split('&').next().unwrap_or_default();
            assert!(target.contains(&format!("id=\"{id}\"")), "{page}: {link}");
        }
    }
}

fn gzipped_length(bytes: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap().len()
}

#[test]
fn pages_are_small_without_their_pictures() {
    let set = LessonSet::embedded();
    let site = write_site(&set);
    let (_, style) =
        site.iter().find(|(path, _)| has_extension(path, "css")).expect("a style sheet");
    let style_bytes = gzipped_length(style);
    for (path, html) in html_pages(&site) {
        let bytes = gzipped_length(html.as_bytes()) + style_bytes;
        assert!(bytes <= MAX_PAGE_BYTES, "{path}: {bytes}");
    }
}

#[test]
fn lesson_text_is_escaped() {
    let text = "+++\ntitle = \"<b>T</b>\"\nabout = \"<i>A</i> & \\\"b\\\"\"\nminutes = 5\n\
        rig = \"head\"\n+++\n## A <script>alert(1)</script> step\n\n\
        ```viewport main\ncaption = \"<i>c</i>\"\n```\n\nWords of {title} and {text}.\n";
    let set = LessonSet::from_memory(&[("20-t", text, "")], "");
    let site = write_site(&set);
    for (path, html) in html_pages(&site) {
        for bad in ["<script>alert", "<b>", "<i>"] {
            assert!(!html.contains(bad), "{path}: {bad}");
        }
    }
    let page = std::str::from_utf8(&site["20-t/index.html"]).unwrap();
    assert!(page.contains("Words of {title} and {text}."), "not filled");
}

#[test]
fn file_names_are_stable_and_depend_on_content() {
    let set = LessonSet::embedded();
    let first = write_site(&set);
    assert_eq!(first, write_site(&set));
    let face = "assets/A-Face-".to_owned();
    let (name, _) = first.range(face.clone()..).next().unwrap();
    assert_eq!(name, "assets/A-Face-abb5d897bcf0.ttf");
    let page = std::str::from_utf8(&first["20-bind-pose/index.html"]).unwrap();
    let manifest = format!("id=\"assets\">{{\"fonts/A-Face.ttf\":\"{name}\"}}</script>");
    assert!(page.contains(&manifest), "{manifest}");
    for path in first.keys().filter(|path| path.starts_with("assets/")) {
        let stem = path.rsplit_once('.').expect("an ending").0;
        let hash = stem.rsplit_once('-').expect("a hash").1;
        assert_eq!(hash.len(), 12, "{path}");
    }
}

#[test]
fn all_files_but_pictures_are_available_offline() {
    let set = LessonSet::embedded();
    let site = write_site(&set);
    let worker = std::str::from_utf8(&site["offline.js"]).unwrap();
    let line = worker.lines().find(|line| line.starts_with("const FILES"));
    let unlisted = ["offline.js", "robots.txt", "sitemap.xml"];
    for path in site.keys().filter(|path| !unlisted.contains(&&***path)) {
        let address = match path.strip_suffix("index.html") {
            Some(folder) => format!("./{folder}"),
            None => path.clone(),
        };
        let is_listed = line.unwrap().contains(&format!("\"{address}\""));
        assert_eq!(is_listed, !has_extension(path, "png"), "{address}");
    }
    assert!(!worker.contains("{version}"));
}

#[test]
fn metadata_has_absolute_addresses() {
    let set = LessonSet::embedded();
    let site = write_site(&set);
    let page = std::str::from_utf8(&site["20-bind-pose/index.html"]).unwrap();
    let sitemap = std::str::from_utf8(&site["sitemap.xml"]).unwrap();
    let robots = std::str::from_utf8(&site["robots.txt"]).unwrap();
    for line in [
        "<meta property=\"og:title\" content=\"The bind-pose problem\">",
        "<link rel=\"canonical\" href=\"https://example.org/a/path/20-bind-pose/\">",
        "<meta property=\"og:image\" content=\"https://example.org/a/path/assets/picture-",
        "content=\"Lesson 20: The bind-pose problem. Why",
    ] {
        assert!(page.contains(line), "{line}");
    }
    for lesson in &set.lessons {
        let place = format!("<loc>https://example.org/a/path/{}/</loc>", lesson.site_folder());
        assert!(sitemap.contains(&place), "{place}");
    }
    assert!(robots.contains("Sitemap: https://example.org/a/path/sitemap.xml\n"));
    let without_url = folder(SiteParts { url: None, ..test_parts(&set, &mut PlaceholderPictures) });
    let names: Vec<&str> = without_url.iter().map(|file| &*file.path).collect();
    assert!(!names.contains(&"sitemap.xml") && !names.contains(&"robots.txt"));
}

#[test]
fn one_file_contains_everything() {
    let set = LessonSet::embedded();
    let html = one_file(test_parts(&set, &mut PlaceholderPictures));
    assert!(html.contains("{\"fonts/A-Face.ttf\":\"data:application/octet-stream;base64,"));
    assert!(!html.contains("// </script>"), "the glue ends no script");
    let text = without_scripts(&html);
    let body = text.split_once("<body>").expect("a body").1;
    let (body, _) = body.split_once("</body>").expect("its end");
    assert_elements_are_closed(&[], body);
    for lesson in &set.lessons {
        for step in &lesson.steps {
            let id = format!("id=\"lesson={}&amp;step={}\"", lesson.slug, step.slug);
            assert!(text.contains(&id), "{id}");
        }
    }
    for address in ["href", "src"].map(|name| attribute_values(&text, name)).concat() {
        let link = address.replace("&amp;", "&");
        if ["data:", "https://"].iter().any(|scheme| link.starts_with(scheme)) {
            continue;
        }
        let id = format!("id=\"{}\"", &address[1..]);
        assert!(link.starts_with('#') && text.contains(&id), "{address}");
    }
}

/// Paths of the files that pages fetch for a lesson.
fn fetched_paths(lesson: &str) -> Vec<String> {
    let set = LessonSet::from_memory(&[("10-a", lesson, "")], "");
    let fetched = super::fetched_files(&set, Path::new("none"), None);
    fetched.into_iter().map(|(path, _)| path).collect()
}

fn has_face(paths: &[String], face: &str) -> bool {
    paths.iter().any(|path| path.contains(face))
}

#[test]
fn only_faces_of_used_formulas_are_included() {
    let plain = fetched_paths("# A\n\n## One\n\n$x = 2$\n");
    assert!(has_face(&plain, "KaTeX_Math-Italic") && has_face(&plain, "KaTeX_Main-Regular"));
    assert!(!has_face(&plain, "KaTeX_AMS") && has_face(&plain, "Inter-Italic"));
    let blackboard = fetched_paths("# A\n\n## One\n\n$\\mathbb{R}$\n");
    assert!(has_face(&blackboard, "KaTeX_AMS"));
}
