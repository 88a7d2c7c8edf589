use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use bindpose_asset::builtin;
use bindpose_lesson::LessonSet;
use bindpose_paper::handout::escaped;
use bindpose_paper::site::{FrontPicture, SiteParts, SiteProgram, folder, one_file};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::app::handout::look::look;
use crate::app::testing::{Dots, each_element_is_closed, values};

/// Bytes of HTML and CSS of a lesson's page, gzipped, without its pictures.
const PAGE_BUDGET: usize = 45_000;

fn parts<'a>(set: &'a LessonSet, pictures: &'a mut Dots) -> SiteParts<'a> {
    SiteParts {
        set,
        look: look(),
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
    }
}

fn site(set: &LessonSet) -> BTreeMap<String, Vec<u8>> {
    let files = folder(parts(set, &mut Dots));
    files.into_iter().map(|file| (file.path, file.bytes)).collect()
}

fn pages(site: &BTreeMap<String, Vec<u8>>) -> impl Iterator<Item = (&str, &str)> {
    let html = site.iter().filter(|(path, _)| is(path, "html"));
    html.map(|(path, bytes)| {
        let html = std::str::from_utf8(bytes).expect("text");
        (path.as_str(), html)
    })
}

fn is(path: &str, ending: &str) -> bool {
    Path::new(path).extension().is_some_and(|of_path| of_path == ending)
}

/// Without what stands in scripts, which are no HTML.
fn without_scripts(html: &str) -> String {
    let mut out = String::new();
    for (index, piece) in html.split("<script").enumerate() {
        let rest =
            if index == 0 { piece } else { piece.split_once("</script>").expect("its end").1 };
        out.push_str(rest);
    }
    out
}

/// The file of a site at an address on a page; the fragment beside it.
fn file_at<'a>(page: &str, address: &'a str) -> (String, &'a str) {
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
    let file = parts.join("/");
    let is_folder = file.is_empty() || file.ends_with('/');
    let file = if path == "../" || is_folder {
        format!("{}/index.html", file.trim_end_matches('/'))
    } else {
        file
    };
    (file.trim_start_matches('/').to_owned(), fragment)
}

#[test]
fn every_step_stands_on_the_page_of_its_lesson() {
    let set = LessonSet::embedded();
    let site = site(&set);
    for lesson in &set.lessons {
        let html = &site[&format!("{}/index.html", lesson.site_folder())];
        let html = std::str::from_utf8(html).unwrap();
        assert_eq!(html.matches("<h1>").count(), 1, "{}", lesson.folder);
        let title = format!("<title>{} · Bindpose</title>", escaped(&lesson.title));
        assert!(html.contains(&title), "{title}");
        assert!(html.contains(&*escaped(&lesson.about)), "{}", lesson.folder);
        for step in &lesson.steps {
            // Which is the fragment of its address.
            let id = format!("<section id=\"step={}\">", step.slug);
            let (_, section) = html.split_once(&id).expect(&id);
            let heading = section.split_once("</h2>").expect("a heading").0;
            assert!(heading.contains(&*escaped(&step.title)), "{}", step.title);
        }
    }
    let front = std::str::from_utf8(&site["index.html"]).unwrap();
    assert!(front.contains("<h1>4,968 points. Nobody stored how they swim.</h1>"));
    assert!(front.contains("route=essentials\"><b>The essentials</b> 33 steps, 90 minutes"));
    for lesson in &set.lessons {
        assert!(front.contains(&*escaped(&lesson.title)), "{}", lesson.title);
        assert!(front.contains(&*escaped(&lesson.about)), "{}", lesson.about);
    }
    for route in &set.routes {
        assert!(front.contains(&format!("&amp;route={}\"", route.name)));
    }
}

#[test]
fn pages_are_sound_and_all_their_ways_lead_somewhere() {
    let set = LessonSet::embedded();
    let site = site(&set);
    let texts: BTreeMap<&str, String> =
        pages(&site).map(|(path, html)| (path, without_scripts(html))).collect();
    for (&page, html) in &texts {
        let body = html.split_once("<!DOCTYPE html>").expect("a page").1;
        each_element_is_closed(&[], body);
        let mut ids = values(html, "id");
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all, "{page}: each name once");
        let ways = ["href", "src", "srcset"].map(|name| values(html, name));
        for way in ways.concat() {
            if way.starts_with("https://") || way.is_empty() {
                continue;
            }
            let way = way.replace("&amp;", "&");
            let (file, fragment) = file_at(page, &way);
            assert!(site.contains_key(&file), "{page}: {way} is {file}");
            let Some(target) = texts.get(file.as_str()).filter(|_| !fragment.is_empty()) else {
                continue;
            };
            // The step; the notebook knows what follows.
            let id = fragment.split('&').next().unwrap_or_default();
            assert!(target.contains(&format!("id=\"{id}\"")), "{page}: {way}");
        }
    }
}

#[test]
fn a_page_is_small_without_its_pictures() {
    let set = LessonSet::embedded();
    let site = site(&set);
    let packed = |bytes: &[u8]| {
        let mut packer = GzEncoder::new(Vec::new(), Compression::default());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap().len()
    };
    let style = site.iter().find(|(path, _)| is(path, "css"));
    let style = packed(style.expect("a style sheet").1);
    for (path, html) in pages(&site) {
        let bytes = packed(html.as_bytes()) + style;
        assert!(bytes <= PAGE_BUDGET, "{path}: {bytes}");
    }
}

#[test]
fn whatever_a_lesson_says_stays_text() {
    let text = "+++\ntitle = \"<b>T</b>\"\nabout = \"<i>A</i> & \\\"b\\\"\"\nminutes = 5\n\
        rig = \"head\"\n+++\n## A <script>alert(1)</script> step\n\n\
        ```viewport main\ncaption = \"<i>c</i>\"\n```\n\nWords of {title} and {text}.\n";
    let set = LessonSet::from_memory(&[("20-t", text, "")], "");
    let site = site(&set);
    for (path, html) in pages(&site) {
        for bad in ["<script>alert", "<b>", "<i>"] {
            assert!(!html.contains(bad), "{path}: {bad}");
        }
    }
    let page = std::str::from_utf8(&site["20-t/index.html"]).unwrap();
    assert!(page.contains("Words of {title} and {text}."), "not filled");
}

#[test]
fn names_are_those_of_contents_and_the_same_each_time() {
    let set = LessonSet::embedded();
    let first = site(&set);
    assert_eq!(first, site(&set));
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
fn what_is_kept_for_use_without_the_network_is_all_but_the_pictures() {
    let set = LessonSet::embedded();
    let site = site(&set);
    let worker = std::str::from_utf8(&site["offline.js"]).unwrap();
    let line = worker.lines().find(|line| line.starts_with("const FILES"));
    let for_others = ["offline.js", "robots.txt", "sitemap.xml"];
    for path in site.keys().filter(|path| !for_others.contains(&&***path)) {
        let address = path.strip_suffix("index.html");
        let address = address.map_or_else(|| path.clone(), |folder| format!("./{folder}"));
        let has = line.unwrap().contains(&format!("\"{address}\""));
        assert_eq!(has, !is(path, "png"), "{address}");
    }
    assert!(!worker.contains("{version}"));
}

#[test]
fn chats_and_search_engines_are_told_whole_addresses() {
    let set = LessonSet::embedded();
    let site = site(&set);
    let text = |path: &str| std::str::from_utf8(&site[path]).unwrap();
    let page = text("20-bind-pose/index.html");
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
        assert!(text("sitemap.xml").contains(&place), "{place}");
    }
    assert!(text("robots.txt").contains("Sitemap: https://example.org/a/path/sitemap.xml\n"));
    let nowhere = folder(SiteParts { url: None, ..parts(&set, &mut Dots) });
    let names: Vec<&str> = nowhere.iter().map(|file| &*file.path).collect();
    assert!(!names.contains(&"sitemap.xml") && !names.contains(&"robots.txt"));
}

#[test]
fn one_file_has_everything_in_it() {
    let set = LessonSet::embedded();
    let html = one_file(parts(&set, &mut Dots));
    assert!(html.contains("{\"fonts/A-Face.ttf\":\"data:application/octet-stream;base64,"));
    assert!(!html.contains("// </script>"), "the glue ends no script");
    let text = without_scripts(&html);
    let body = text.split_once("<body>").expect("a body").1;
    let (body, _) = body.split_once("</body>").expect("its end");
    each_element_is_closed(&[], body);
    for lesson in &set.lessons {
        for step in &lesson.steps {
            let id = format!("id=\"lesson={}&amp;step={}\"", lesson.slug, step.slug);
            assert!(text.contains(&id), "{id}");
        }
    }
    for address in ["href", "src"].map(|name| values(&text, name)).concat() {
        let way = address.replace("&amp;", "&");
        let inside = ["data:", "https://"].iter().any(|kind| way.starts_with(kind));
        let known = || way.starts_with('#') && text.contains(&format!("id=\"{}\"", &address[1..]));
        assert!(inside || known(), "{address}");
    }
}

#[test]
fn only_the_faces_that_formulas_are_set_in_go_along() {
    let of = |lesson: &str| {
        let set = LessonSet::from_memory(&[("10-a", lesson, "")], "");
        let fetched = super::fetched(&set, Path::new("none"), None);
        fetched.into_iter().map(|(path, _)| path).collect::<Vec<_>>()
    };
    let has = |paths: &[String], face: &str| paths.iter().any(|path| path.contains(face));
    let plain = of("# A\n\n## One\n\n$x = 2$\n");
    assert!(has(&plain, "KaTeX_Math-Italic") && has(&plain, "KaTeX_Main-Regular"));
    assert!(!has(&plain, "KaTeX_AMS") && has(&plain, "Inter-Italic"));
    assert!(has(&of("# A\n\n## One\n\n$\\mathbb{R}$\n"), "KaTeX_AMS"));
}
