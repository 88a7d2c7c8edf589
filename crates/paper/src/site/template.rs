//! Files of `web/page` with their places filled.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::Hasher as _;
use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_diagnostic::counted;
use bindpose_lesson::{Lesson, LessonSet, Route};
use bindpose_notebook::{CoverWayEnd, cover_title, cover_ways, cover_words};
use serde_json::Value;
use siphasher::sip::SipHasher13;

use super::FrontPicture;
use crate::handout::{HtmlPlace, escaped};

/// A template with `{name}` replaced for each name; other braces stay. What is
/// filled in is not looked through again.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let found = values.iter().find_map(|(name, value)| {
            let after = after.strip_prefix(name)?.strip_prefix('}')?;
            Some((value, after))
        });
        rest = if let Some((value, after)) = found {
            out.push_str(value);
            after
        } else {
            out.push('{');
            after
        };
    }
    out.push_str(rest);
    out
}

/// JSON that may stand in a script element.
pub(super) fn json(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// The picture in a browser's tab.
pub(super) const ICON: &str = include_str!("../../../../assets/icon/bindpose.svg");

// The page of the contents.

/// The page, with the cover where the program's own lessons come first; `asset` takes a
/// file and says where it is.
pub(super) fn front_text(
    set: &LessonSet,
    rigs: &dyn Fn(&str) -> Option<Arc<Rig>>,
    picture: Option<&FrontPicture>,
    asset: &mut dyn FnMut(&str, &[u8]) -> String,
) -> String {
    let picture = picture.map_or_else(String::new, |picture| front_picture(picture, asset));
    let whale = rigs("whale").filter(|_| has_cover(set));
    let head = match &whale {
        Some(whale) => fill(
            include_str!("../../../../web/page/cover.html"),
            &[
                ("title", &*escaped(&cover_title(whale, "swim"))),
                ("words", &*escaped(&cover_words(whale))),
                ("picture", &picture),
                ("first", set.lessons.first().map_or("", |lesson| &lesson.folder)),
                ("ways", &ways(set)),
            ],
        ),
        None => {
            fill(include_str!("../../../../web/page/front-head.html"), &[("picture", &picture)])
        }
    };
    fill(
        include_str!("../../../../web/page/front.html"),
        &[("head", &head), ("lessons", &lessons(set)), ("routes", &routes(set))],
    )
}

/// Is the first page of a site with these lessons a cover?
pub(super) fn has_cover(set: &LessonSet) -> bool {
    set.is_built_in(0)
}

/// The ways in, as a list.
fn ways(set: &LessonSet) -> String {
    let mut out = String::new();
    for way in cover_ways(set) {
        let folder = |slug: &str| {
            let mut lessons = set.lessons.iter();
            let lesson = lessons.find(|lesson| lesson.slug == slug)?;
            Some(format!("{}/", lesson.folder))
        };
        let address = match &way.leads {
            CoverWayEnd::Route(name) => set.route(name).ok().and_then(|r| route_way(set, r)),
            CoverWayEnd::Beginning => set.lessons.first().and_then(|one| folder(&one.slug)),
            CoverWayEnd::OwnModel(slug) => folder(slug),
            CoverWayEnd::Teaching => Some("#routes".to_owned()),
        };
        let Some(address) = address else { continue };
        let (title, about) = (escaped(way.title), escaped(&way.about));
        let address = escaped(&address);
        let _ = writeln!(out, "<li><a href=\"{address}\"><b>{title}</b> {about}</a></li>");
    }
    out
}

fn front_picture(picture: &FrontPicture, asset: &mut dyn FnMut(&str, &[u8]) -> String) -> String {
    let [width, height] = picture.size;
    let (light, dark) =
        (asset("notebook.png", &picture.light), asset("notebook.png", &picture.dark));
    format!(
        "<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"{dark}\">\
         <img src=\"{light}\" width=\"{width}\" height=\"{height}\" alt=\"{}\"></picture>\n",
        escaped(&picture.words)
    )
}

fn lessons(set: &LessonSet) -> String {
    let mut out = String::new();
    for lesson in &set.lessons {
        let about = match &*lesson.about {
            "" => String::new(),
            about => format!("<p>{}</p>", escaped(about)),
        };
        let _ = writeln!(
            out,
            "<li><span class=\"number-of\">{}</span><div><a data-lesson=\"{}\" href=\"{}/\">{}</a> \
             <span class=\"minutes\">{} min</span>{about}</div></li>",
            lesson.number,
            escaped(&lesson.slug),
            escaped(&lesson.folder),
            escaped(&lesson.title),
            lesson.minutes,
        );
    }
    out
}

/// A list of the routes; nothing where there are none.
fn routes(set: &LessonSet) -> String {
    if set.routes.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "<section aria-labelledby=\"routes\">\n<h2 id=\"routes\">Routes</h2>\n\
         <p>Steps in an order of their own, with the minutes that a class has.</p>\n<ul>\n",
    );
    for route in &set.routes {
        let Some(way) = route_way(set, route) else {
            continue;
        };
        let steps = route.pages(&set.lessons).len();
        let _ = writeln!(
            out,
            "<li><a href=\"{}\">{}</a> <span class=\"quiet\">{}</span></li>",
            escaped(&way),
            escaped(&route.title),
            counted(steps, "step")
        );
    }
    out.push_str("</ul>\n</section>\n");
    out
}

/// The address of the first step of a route, which names the route.
fn route_way(set: &LessonSet, route: &Route) -> Option<String> {
    let pages = route.pages(&set.lessons);
    let first = pages.first()?;
    let lesson: &Lesson = set.lessons.get(first.lesson)?;
    let step = HtmlPlace::Pages.step_id(lesson, first.step);
    Some(format!("{}/#{step}&route={}", lesson.folder, route.name))
}

// What stands around the text of a lesson: ways to the others.

/// What a search engine shows of a lesson.
pub(super) fn lesson_description(lesson: &Lesson) -> String {
    format!("Lesson {}: {}. {}", lesson.number, lesson.title, lesson.about)
}

/// What a chat shows of a link to the page in `folder`, by the Open Graph protocol
/// (<https://ogp.me>), and the one address of the page; `site` is that of the site,
/// `picture` a path in it.
pub(super) fn preview(
    title: &str,
    description: &str,
    site: Option<&str>,
    folder: &str,
    picture: Option<&str>,
) -> String {
    let mut out = String::new();
    let mut meta = |name: &str, content: &str| {
        let _ = writeln!(out, "<meta property=\"og:{name}\" content=\"{content}\">");
    };
    meta("type", "article");
    meta("site_name", "Bindpose");
    meta("title", title);
    meta("description", description);
    let Some(site) = site.map(escaped) else {
        return out;
    };
    meta("url", &format!("{site}{folder}"));
    if let Some(picture) = picture {
        meta("image", &format!("{site}{picture}"));
        out.push_str("<meta name=\"twitter:card\" content=\"summary_large_image\">\n");
    }
    let _ = writeln!(out, "<link rel=\"canonical\" href=\"{site}{folder}\">");
    out
}

/// The list of pages for search engines (<https://www.sitemaps.org>), and where it is.
pub(super) fn for_search_engines(site: &str, folders: &[&str]) -> [SiteFile; 2] {
    let mut places = String::new();
    for folder in folders {
        let address = escaped(site).into_owned() + &escaped(folder);
        let _ = writeln!(places, "<url><loc>{address}</loc></url>");
    }
    let map = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{places}</urlset>\n"
    );
    let robots = format!("User-agent: *\nAllow: /\nSitemap: {site}sitemap.xml\n");
    [("sitemap.xml", map), ("robots.txt", robots)]
        .map(|(path, text)| SiteFile { path: path.to_owned(), bytes: text.into_bytes() })
}

/// The page of a lesson, by its index, around its text.
pub(super) fn lesson_body(set: &LessonSet, index: usize, text: &str) -> String {
    let mut out = String::from(
        "<nav class=\"bar\" aria-label=\"Lessons\"><a class=\"home\" href=\"../\">Bindpose</a>\n\
         <details><summary>All lessons</summary><ol>\n",
    );
    for (at, lesson) in set.lessons.iter().enumerate() {
        let current = if at == index { " aria-current=\"page\"" } else { "" };
        let _ = writeln!(
            out,
            "<li><a href=\"{}\"{current}>{} {}</a></li>",
            escaped(&HtmlPlace::Pages.lesson_url(lesson, None)),
            lesson.number,
            escaped(&lesson.title)
        );
    }
    let _ = write!(out, "</ol></details></nav>\n<main>\n{text}</main>\n");
    out.push_str("<nav class=\"pager\" aria-label=\"Other lessons\">");
    let before = index.checked_sub(1).and_then(|at| set.lessons.get(at));
    let after = set.lessons.get(index + 1);
    for (lesson, rel, words) in [(before, "prev", "Before"), (after, "next", "Next")] {
        if let Some(lesson) = lesson {
            let _ = write!(
                out,
                "<a rel=\"{rel}\" href=\"{}\">{words}: {}</a>",
                escaped(&HtmlPlace::Pages.lesson_url(lesson, None)),
                escaped(&lesson.title)
            );
        }
    }
    out.push_str("</nav>\n");
    out.push_str(
        "<noscript><footer class=\"foot\"><p>This is the text of an interactive notebook, with \
         its pictures as each step opens. To run, the notebook needs JavaScript, which is \
         switched off here, WebAssembly and WebGL 2.</p></footer></noscript>\n",
    );
    out
}

// Files whose names are that of their content, so that browsers may keep them for
// good.

/// The folder of them in a site.
pub(super) const FOLDER: &str = "assets/";

/// The hash of bytes, the same in every build: 16 hexadecimal digits.
pub(super) fn hash(bytes: &[u8]) -> String {
    let mut hasher = SipHasher13::new();
    hasher.write(bytes);
    format!("{:016x}", hasher.finish())
}

/// The assets of a site, by path.
#[derive(Default)]
pub(super) struct Assets {
    files: BTreeMap<String, Vec<u8>>,
    /// Paths of those that are kept to be used without the network.
    kept: Vec<String>,
}

impl Assets {
    /// Adds what the notebook needs; the path, `assets/name-0123456789ab.ending`.
    pub(super) fn add(&mut self, name: &str, bytes: Vec<u8>) -> String {
        let path = self.put(name, bytes);
        if !self.kept.contains(&path) {
            self.kept.push(path.clone());
        }
        path
    }

    /// Adds what is had where there is a network alone, as pictures of texts are; its path.
    pub(super) fn add_for_network(&mut self, name: &str, bytes: Vec<u8>) -> String {
        self.put(name, bytes)
    }

    /// Paths of all that is kept to be used without the network.
    pub(super) fn kept(&self) -> &[String] {
        &self.kept
    }

    pub(super) fn into_files(self) -> impl Iterator<Item = SiteFile> {
        let files = self.files.into_iter();
        files.map(|(path, bytes)| SiteFile { path, bytes })
    }

    fn put(&mut self, name: &str, bytes: Vec<u8>) -> String {
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "bin"));
        let path = format!("{FOLDER}{stem}-{}.{ending}", &hash(&bytes)[..12]);
        self.files.insert(path.clone(), bytes);
        path
    }
}

// A file of a site.

/// A file of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteFile {
    /// From the folder of the site: `20-bind-pose/index.html`.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_and_other_braces_stay() {
        let filled = fill("{a}{ {b} {a {c}", &[("a", "{b}"), ("b", "2")]);
        assert_eq!(filled, "{b}{ 2 {a {c}");
    }

    #[test]
    fn json_ends_no_script() {
        let text = json(&Value::String("</script>".to_owned()));
        assert!(!text.contains('<'), "{text}");
    }
}
