//! The notebook on the web: addresses of its pages, conversion between
//! addresses and links, and options in the query of an address.

use bindpose_lesson::LessonSet;

/// A website, or a single HTML file, that contains the notebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotebookSite {
    /// Address of the first page, with one folder per lesson below it, or of
    /// the single file.
    base: String,
    one_file: bool,
    /// Location of a course opened in addition to the site's own lessons, as in
    /// `?course=…`.
    course: Option<String>,
}

/// Known schemes. `file://` is for a site on a USB stick.
const URL_SCHEMES: [&str; 3] = ["https://", "http://", "file://"];

impl NotebookSite {
    /// Creates a site from the address of its first page or its single file.
    pub fn at(base: String, one_file: bool) -> Self {
        Self { base, one_file, course: None }
    }

    /// Sets the course opened in addition to the site's own lessons.
    #[must_use]
    pub fn with_course(self, course: Option<String>) -> Self {
        Self { course, ..self }
    }

    fn of_page(address: &str, set: &LessonSet) -> Self {
        let page = address.split(['#', '?']).next().unwrap_or_default();
        let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
        let (above, last) = folder.rsplit_once('/').unwrap_or(("", folder));
        if set.lessons.iter().any(|lesson| lesson.has_folder(last)) {
            return Self::at(format!("{above}/"), false);
        }
        Self::at(page.to_owned(), true)
    }

    /// Parses a typed or copied address: of the first page, of any other page,
    /// or of the single file. Adds `https://` if the scheme is missing.
    ///
    /// # Errors
    ///
    /// Fails with a message if no page can have this address.
    pub fn typed(text: &str, set: &LessonSet) -> Result<Self, String> {
        let text = text.trim();
        let known = URL_SCHEMES.iter().any(|scheme| text.starts_with(scheme));
        if text.is_empty() || text.contains(char::is_whitespace) || (!known && text.contains(':')) {
            return Err("an address begins with https:// or http://".to_owned());
        }
        let whole = if known { text.to_owned() } else { format!("https://{text}") };
        let page = whole.split(['#', '?']).next().unwrap_or_default();
        let last = page.rsplit('/').next().unwrap_or_default();
        let ending = std::path::Path::new(last).extension();
        let is_file = ending.is_some_and(|ending| ending.eq_ignore_ascii_case("html"));
        let is_index = last == "index.html";
        let host_alone = page.matches('/').count() < 3;
        let folder = if is_index {
            page.strip_suffix(last).unwrap_or(page).to_owned()
        } else if is_file || page.ends_with('/') {
            page.to_owned()
        } else {
            format!("{page}/")
        };
        if host_alone && folder.len() <= "https:///".len() {
            return Err("an address names a computer: https://example.org/bindpose/".to_owned());
        }
        let site = Self::of_page(&folder, set);
        Ok(Self { one_file: site.one_file && is_file && !is_index, ..site })
    }

    /// Address for display and storage. [`Self::typed`] parses it again.
    pub fn address(&self) -> &str {
        &self.base
    }

    /// Address of the first page, which shows the cover.
    pub fn cover(&self) -> String {
        format!("{}{}", self.base, self.query())
    }

    /// Returns true if `page`, without query and fragment, is the first page.
    pub fn is_cover(&self, page: &str) -> bool {
        page == self.base || page.strip_suffix("index.html") == Some(&self.base)
    }

    /// Returns the address of the page that a link leads to. Returns `None` if
    /// `link` is not a link.
    pub fn page(&self, link: &str, set: &LessonSet) -> Option<String> {
        let address = WebAddress::of_link(link)?;
        let (base, query) = (&self.base, self.query());
        if self.one_file {
            return Some(format!("{base}{query}#{}", address.whole_fragment()));
        }
        let lesson = set.lessons.iter().position(|lesson| lesson.slug == address.lesson);
        if let Some(lesson) = lesson
            && !set.has_page(lesson)
        {
            // The lesson has no page of its own, but any page can open it.
            let first = (0..set.lessons.len()).find(|&lesson| set.has_page(lesson));
            let folder = set.lessons[first.unwrap_or(lesson)].site_folder();
            return Some(format!("{base}{folder}/{query}#{}", address.whole_fragment()));
        }
        let folder = lesson.map_or(&*address.lesson, |lesson| set.lessons[lesson].site_folder());
        let fragment = Some(format!("#{}", address.fragment)).filter(|text| text.len() > 1);
        Some(format!("{base}{folder}/{query}{}", fragment.unwrap_or_default()))
    }

    fn query(&self) -> String {
        match &self.course {
            Some(course) => format!("?course={course}"),
            None => String::new(),
        }
    }

    /// Returns an HTML `iframe` that embeds the stage of the linked page.
    pub fn frame(&self, link: &str, title: &str, set: &LessonSet) -> Option<String> {
        let page = self.page(link, set)?;
        let (path, fragment) = page.split_once('#').unwrap_or((&page, ""));
        let mark = if fragment.is_empty() { "" } else { "#" };
        let and = if path.contains('?') { '&' } else { '?' };
        let address = escape_attribute(&format!("{path}{and}embed=stage{mark}{fragment}"));
        let title = escape_attribute(title);
        Some(format!(
            "<iframe src=\"{address}\" title=\"{title}\" width=\"720\" height=\"540\" \
             loading=\"lazy\" style=\"border: 0\" allowfullscreen></iframe>"
        ))
    }
}

/// Escapes text for an attribute value in HTML.
fn escape_attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

/// Returns the link for an address of a page on any site. Returns `None` if it
/// is not such an address: either the last folder must look like that of a
/// lesson, or the fragment must name a lesson.
pub(super) fn link_at(address: &str) -> Option<String> {
    let rest = URL_SCHEMES.iter().find_map(|scheme| address.strip_prefix(scheme))?;
    let (page, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let page = page.split('?').next().unwrap_or_default();
    // The part before the first slash is the host.
    let (_, path) = page.split_once('/')?;
    let mut folders = path.rsplit('/');
    let last = match folders.next() {
        Some("" | "index.html") => folders.next(),
        other => other,
    };
    let folder = last.filter(|folder| is_lesson_folder(folder));
    if folder.is_none() && !fragment.starts_with("lesson=") {
        return None;
    }
    WebAddress::link(folder.unwrap_or_default(), fragment)
}

/// Returns true for names like `20-bind-pose`.
fn is_lesson_folder(name: &str) -> bool {
    name.split_once('-').is_some_and(|(number, slug)| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) && !slug.is_empty()
    })
}

// The address of a page in a browser, such as
// `…/20-bind-pose/#step=and-carry-it-back&nod=0.5`. Everything after the
// lesson's folder is in the fragment, which browsers do not send to servers. A
// single-file site has the lesson there too: `#lesson=bind-pose&step=…`.

/// Start of the program's own links.
pub(super) const WEB_SCHEME: &str = "bindpose://";

/// Lesson and fragment of a page's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebAddress {
    /// Slug, number or folder of the lesson, encoded as in links.
    pub lesson: String,
    /// Fragment without `#`: `step=…` if a step is named, then the values of
    /// the link.
    pub fragment: String,
}

impl WebAddress {
    /// Returns the address for a link. Returns `None` if `link` is not a link.
    pub fn of_link(link: &str) -> Option<Self> {
        let rest = link.strip_prefix(WEB_SCHEME)?;
        let (path, values) = rest.split_once('?').unwrap_or((rest, ""));
        let (lesson, step) = path.split_once('/').unwrap_or((path, ""));
        let step = step.trim_end_matches('/');
        let mut parts: Vec<String> = Vec::new();
        if !step.is_empty() {
            parts.push(format!("step={step}"));
        }
        if !values.is_empty() {
            parts.push(values.to_owned());
        }
        (!lesson.is_empty()).then(|| Self { lesson: lesson.to_owned(), fragment: parts.join("&") })
    }

    /// Returns the link for an address with `folder` as the last folder of its
    /// path and `fragment` after the `#`. A lesson in the fragment takes
    /// precedence over the folder. Returns `None` if neither names one.
    pub fn link(folder: &str, fragment: &str) -> Option<String> {
        let mut pairs: Vec<&str> = fragment.split('&').filter(|pair| !pair.is_empty()).collect();
        let lesson = take_first(&mut pairs, "lesson").unwrap_or(folder);
        let step = take_first(&mut pairs, "step").unwrap_or_default();
        if lesson.is_empty() {
            return None;
        }
        let mut link = format!("{WEB_SCHEME}{lesson}");
        for (mark, part) in [('/', step), ('?', &*pairs.join("&"))] {
            if !part.is_empty() {
                link.push(mark);
                link.push_str(part);
            }
        }
        Some(link)
    }

    /// Fragment for a single-file site, which includes the lesson.
    pub fn whole_fragment(&self) -> String {
        let lesson = format!("lesson={}", self.lesson);
        if self.fragment.is_empty() { lesson } else { format!("{lesson}&{}", self.fragment) }
    }

    /// Returns true if both addresses lead to the same step.
    pub fn same_step(&self, other: &Self) -> bool {
        self.lesson == other.lesson && self.step() == other.step()
    }

    fn step(&self) -> &str {
        let first = self.fragment.split('&').next().unwrap_or_default();
        first.strip_prefix("step=").unwrap_or_default()
    }
}

/// Removes the first of some `name=value` pairs if it has this name, and
/// returns its value.
fn take_first<'a>(pairs: &mut Vec<&'a str>, name: &str) -> Option<&'a str> {
    let value = pairs.first()?.strip_prefix(name)?.strip_prefix('=')?;
    pairs.remove(0);
    Some(value)
}

// Options between `?` and `#` of an address: `?embed=stage&theme=dark`.

/// Part of the notebook that a browser window shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PagePart {
    #[default]
    Whole,
    /// Only the stage of a step, embedded in another website.
    Stage,
    /// The teacher's notes, in a separate window.
    TeachersWindow,
}

/// Options in the query of an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebQuery {
    /// From `embed=stage` or `window=teacher`.
    pub part: PagePart,
    /// From `theme=dark` or `theme=light`. If `None`, the system's theme.
    pub dark: Option<bool>,
    /// From `course=hands.bindpose`: location of a course, as written.
    pub course: Option<String>,
    /// Whether the page belongs to a class, from `class=K7QF`.
    pub in_class: bool,
}

impl WebQuery {
    /// Parses a query with or without its `?`. Unknown options are ignored,
    /// because other programs add to addresses too.
    pub fn read(query: &str) -> Self {
        let mut read = Self::default();
        let query = query.strip_prefix('?').unwrap_or(query);
        for pair in query.split('&') {
            match pair {
                "embed=stage" => read.part = PagePart::Stage,
                "window=teacher" => read.part = PagePart::TeachersWindow,
                "theme=dark" => read.dark = Some(true),
                "theme=light" => read.dark = Some(false),
                other if other.starts_with("class=") => read.in_class = true,
                other => {
                    if let Some(course) = other.strip_prefix("course=")
                        && !course.is_empty()
                    {
                        read.course = Some(course.to_owned());
                    }
                }
            }
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::find_lesson;

    use super::super::{address, find};
    use super::*;

    const LINK: &str = "bindpose://bind-pose/edit-it-yourself?nod=0.5";

    fn set() -> LessonSet {
        LessonSet::embedded()
    }

    #[test]
    fn links_and_pages_of_a_site_convert_both_ways() {
        let set = set();
        for (typed, page) in [
            ("https://example.org/skin/", "https://example.org/skin/20-bind-pose/"),
            ("https://example.org/skin", "https://example.org/skin/20-bind-pose/"),
            ("example.org", "https://example.org/20-bind-pose/"),
            ("http://192.168.0.7:8080/index.html", "http://192.168.0.7:8080/20-bind-pose/"),
            ("http://localhost:8080/20-bind-pose/#step=2", "http://localhost:8080/20-bind-pose/"),
        ] {
            let site = NotebookSite::typed(typed, &set).unwrap();
            let there = site.page(LINK, &set).unwrap();
            assert_eq!(there, format!("{page}#step=edit-it-yourself&nod=0.5"));
            let (named, meant) = (address(&there).unwrap(), address(LINK).unwrap());
            let lesson = |name: &str| find_lesson(&set.lessons, name).unwrap();
            assert_eq!(lesson(&named.lesson), lesson(&meant.lesson));
            assert_eq!((named.step, named.values), (meant.step, meant.values));
            assert_eq!(NotebookSite::of_page(&there, &set), site);
            assert_eq!(NotebookSite::typed(site.address(), &set).unwrap(), site);
            assert!(site.is_cover(&site.cover()) && !site.is_cover(&there));
            assert!(site.is_cover(&format!("{}index.html", site.cover())));
        }
    }

    #[test]
    fn single_file_site_has_lesson_in_fragment() {
        let set = set();
        let site = NotebookSite::typed("file:///media/stick/bindpose.html", &set).unwrap();
        let there = site.page(LINK, &set).unwrap();
        let of_file =
            "file:///media/stick/bindpose.html#lesson=bind-pose&step=edit-it-yourself&nod=0.5";
        assert_eq!(there, of_file);
        assert_eq!(address(&there).unwrap(), address(LINK).unwrap());
        assert_eq!(NotebookSite::of_page(&there, &set), site);
    }

    #[test]
    fn other_addresses_are_rejected() {
        for text in [
            "https://example.org/",
            "https://example.org/skinning/#step=2",
            "https://20-bind-pose",
            "ftp://example.org/20-bind-pose/",
            "20-bind-pose/",
        ] {
            assert!(address(text).is_err(), "{text}");
        }
        for typed in ["", "two words", "mailto:a@b", "https://"] {
            assert!(NotebookSite::typed(typed, &set()).is_err(), "{typed}");
        }
    }

    #[test]
    fn links_of_both_kinds_are_found_in_a_message() {
        let web = "https://example.org/20-bind-pose/#step=at-rest";
        for (message, link) in [
            (format!("Look: {LINK} please"), LINK),
            (format!("see <{web}>."), web),
            (format!("https://example.org/ or ({web}), as you like"), web),
        ] {
            assert_eq!(find(&message), Some(link));
        }
        assert_eq!(find("https://example.org/ has more"), None);
    }

    #[test]
    fn a_frame_shows_the_stage_of_the_page() {
        let site = NotebookSite::typed("https://example.org/", &set()).unwrap();
        let frame = site.frame(LINK, "A \"nod\"", &set()).unwrap();
        let address =
            "https://example.org/20-bind-pose/?embed=stage#step=edit-it-yourself&amp;nod=0.5";
        assert!(frame.contains(&format!("src=\"{address}\"")), "{frame}");
        assert!(frame.contains("title=\"A &quot;nod&quot;\""), "{frame}");
    }

    #[test]
    fn an_address_asks_for_a_part_and_a_theme() {
        assert_eq!(WebQuery::read(""), WebQuery::default());
        let stage = WebQuery::read("?embed=stage&theme=dark&utm_source=slides");
        assert_eq!((stage.part, stage.dark), (PagePart::Stage, Some(true)));
        let teacher = WebQuery::read("window=teacher");
        assert_eq!(teacher.part, PagePart::TeachersWindow);
        assert_eq!(WebQuery::read("?embed=all").part, PagePart::Whole);
        let course = WebQuery::read("?course=../hands.bindpose&theme=light").course;
        assert_eq!(course.as_deref(), Some("../hands.bindpose"));
        assert_eq!(WebQuery::read("?course=").course, None);
    }

    #[test]
    fn links_and_addresses_convert_both_ways() {
        for (link, lesson, fragment) in [
            ("bindpose://bind-pose", "bind-pose", ""),
            ("bindpose://bind-pose/at-rest", "bind-pose", "step=at-rest"),
            (
                "bindpose://bone-grid/half?b0=0.5&camera.main=1,2",
                "bone-grid",
                "step=half&b0=0.5&camera.main=1,2",
            ),
            ("bindpose://bone-grid?b0=0.5", "bone-grid", "b0=0.5"),
        ] {
            let address = WebAddress::of_link(link).unwrap();
            assert_eq!((&*address.lesson, &*address.fragment), (lesson, fragment));
            assert_eq!(WebAddress::link(lesson, fragment).unwrap(), link);
            // A single file may be in a folder of any name.
            assert_eq!(WebAddress::link("usb", &address.whole_fragment()).unwrap(), link);
        }
    }

    #[test]
    fn values_named_lesson_or_step_stay_values() {
        let link = "bindpose://a/b?lesson=2&step=3";
        let address = WebAddress::of_link(link).unwrap();
        assert_eq!(address.fragment, "step=b&lesson=2&step=3");
        assert_eq!(WebAddress::link("a", &address.fragment).unwrap(), link);
    }

    #[test]
    fn invalid_links_have_no_address() {
        assert_eq!(WebAddress::of_link("https://example.org"), None);
        assert_eq!(WebAddress::of_link("bindpose://"), None);
        assert_eq!(WebAddress::link("", "b0=1"), None);
        assert_eq!(WebAddress::link("", ""), None);
    }

    #[test]
    fn same_step_ignores_values() {
        let of = |link| WebAddress::of_link(link).unwrap();
        assert!(of("bindpose://a/b?x=1").same_step(&of("bindpose://a/b")));
        assert!(!of("bindpose://a/b").same_step(&of("bindpose://a/c")));
        assert!(!of("bindpose://a/b").same_step(&of("bindpose://c/b")));
        assert!(!of("bindpose://a?x=1").same_step(&of("bindpose://a/b")));
    }
}
