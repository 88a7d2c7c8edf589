//! The notebook in the web: where it stands, and its pages there as addresses, which are
//! links, and what such an address asks for.

use bindpose_lesson::LessonSet;

/// Pages of the notebook that a browser opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotebookSite {
    /// The address of its first page: with a folder for each lesson below it, or of
    /// the one file that has them all.
    base: String,
    one_file: bool,
    /// Where the course lies that is opened beside its own lessons, as its address says
    /// it: `?course=…`.
    course: Option<String>,
}

/// What an address begins with. A file is opened from a stick.
const SCHEMES: [&str; 3] = ["https://", "http://", "file://"];

impl NotebookSite {
    /// With its first page, or its one file, at this address.
    pub fn at(base: String, one_file: bool) -> Self {
        Self { base, one_file, course: None }
    }

    /// With a course that is opened beside its own lessons, by what its address says of
    /// it.
    #[must_use]
    pub fn with_course(self, course: Option<String>) -> Self {
        Self { course, ..self }
    }

    fn of_page(address: &str, set: &LessonSet) -> Self {
        let page = address.split(['#', '?']).next().unwrap_or_default();
        let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
        let (above, last) = folder.rsplit_once('/').unwrap_or(("", folder));
        if set.lessons.iter().any(|lesson| lesson.folder == last) {
            return Self::at(format!("{above}/"), false);
        }
        Self::at(page.to_owned(), true)
    }

    /// From what somebody types or has copied: the address of the first page, of any
    /// other, or of the one file; with `https://` where it has none.
    ///
    /// Errors: in words, when no page can stand there.
    pub fn typed(text: &str, set: &LessonSet) -> Result<Self, String> {
        let text = text.trim();
        let known = SCHEMES.iter().any(|scheme| text.starts_with(scheme));
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

    /// As it is shown and remembered: [`Self::typed`] takes it again.
    pub fn address(&self) -> &str {
        &self.base
    }

    /// The address of its first page, where the cover is.
    pub fn cover(&self) -> String {
        format!("{}{}", self.base, self.query())
    }

    /// Is this the address of its first page, without what follows `?` or `#`?
    pub fn is_cover(&self, page: &str) -> bool {
        page == self.base || page.strip_suffix("index.html") == Some(&self.base)
    }

    /// The address of the page that a link leads to; `None` for what is no link.
    pub fn page(&self, link: &str, set: &LessonSet) -> Option<String> {
        let address = WebAddress::of_link(link)?;
        let (base, query) = (&self.base, self.query());
        if self.one_file {
            return Some(format!("{base}{query}#{}", address.whole_fragment()));
        }
        let mut lessons = set.lessons.iter();
        let lesson = lessons.position(|lesson| lesson.slug == address.lesson);
        if let Some(lesson) = lesson
            && !set.has_page(lesson)
        {
            // Any page can open it.
            let first = (0..set.lessons.len()).find(|&lesson| set.has_page(lesson));
            let folder = &set.lessons[first.unwrap_or(lesson)].folder;
            return Some(format!("{base}{folder}/{query}#{}", address.whole_fragment()));
        }
        let folder = lesson.map_or(&address.lesson, |lesson| &set.lessons[lesson].folder);
        let fragment = Some(format!("#{}", address.fragment)).filter(|text| text.len() > 1);
        Some(format!("{base}{folder}/{query}{}", fragment.unwrap_or_default()))
    }

    fn query(&self) -> String {
        let course = self.course.as_ref();
        course.map_or_else(String::new, |course| format!("?course={course}"))
    }

    /// What puts the stage of that page into another: an `iframe` of HTML.
    pub fn frame(&self, link: &str, title: &str, set: &LessonSet) -> Option<String> {
        let page = self.page(link, set)?;
        let (path, fragment) = page.split_once('#').unwrap_or((&page, ""));
        let mark = if fragment.is_empty() { "" } else { "#" };
        let and = if path.contains('?') { '&' } else { '?' };
        let address = escaped(&format!("{path}{and}embed=stage{mark}{fragment}"));
        let title = escaped(title);
        Some(format!(
            "<iframe src=\"{address}\" title=\"{title}\" width=\"720\" height=\"540\" \
             loading=\"lazy\" style=\"border: 0\" allowfullscreen></iframe>"
        ))
    }
}

/// For a value between quotes in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

/// The link to what stands at the address of a page of a site, whoever's it is;
/// `None` for all that is no such address: there the last folder has a number and a
/// name, or the fragment names a lesson.
pub(super) fn link_at(address: &str) -> Option<String> {
    let rest = SCHEMES.iter().find_map(|scheme| address.strip_prefix(scheme))?;
    let (page, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let page = page.split('?').next().unwrap_or_default();
    // What comes before the first slash is the computer.
    let (_, path) = page.split_once('/')?;
    let mut folders = path.rsplit('/');
    let folder = match folders.next() {
        Some("" | "index.html") => folders.next(),
        other => other,
    };
    let folder = folder.filter(|folder| is_lesson_folder(folder));
    if folder.is_none() && !fragment.starts_with("lesson=") {
        return None;
    }
    WebAddress::link(folder.unwrap_or_default(), fragment)
}

/// `20-bind-pose`.
fn is_lesson_folder(name: &str) -> bool {
    name.split_once('-').is_some_and(|(number, slug)| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) && !slug.is_empty()
    })
}

// A page of the notebook as an address in a browser:
// `…/20-bind-pose/#step=and-carry-it-back&nod=0.5`. All after the lesson's
// folder is the fragment, which no server sees; a site that is one file has the
// lesson there too, as `#lesson=bind-pose&step=…`.

/// What the program's own links begin with.
pub(super) const WEB_SCHEME: &str = "bindpose://";

/// What stands in the address of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebAddress {
    /// Slug, number or folder of the lesson, encoded as in links.
    pub lesson: String,
    /// The rest, without `#`: `step=…` first, if a step is named, then the values
    /// of the link.
    pub fragment: String,
}

impl WebAddress {
    /// The address of what `link` leads to; `None` for what is no link.
    pub fn of_link(link: &str) -> Option<Self> {
        let rest = link.strip_prefix(WEB_SCHEME)?;
        let (path, values) = rest.split_once('?').unwrap_or((rest, ""));
        let (lesson, step) = path.split_once('/').unwrap_or((path, ""));
        let step = Some(step.trim_end_matches('/')).filter(|step| !step.is_empty());
        let step = step.map(|step| format!("step={step}"));
        let values = Some(values.to_owned()).filter(|values| !values.is_empty());
        let parts: Vec<String> = step.into_iter().chain(values).collect();
        (!lesson.is_empty()).then(|| Self { lesson: lesson.to_owned(), fragment: parts.join("&") })
    }

    /// The link to what stands at an address. `folder` is the last folder of its
    /// path, `fragment` what follows the `#`. A lesson in the fragment goes before
    /// the folder; `None` where neither names one.
    pub fn link(folder: &str, fragment: &str) -> Option<String> {
        let mut pairs: Vec<&str> = fragment.split('&').filter(|pair| !pair.is_empty()).collect();
        let mut taken = |name: &str| {
            let first = pairs.first()?.strip_prefix(name)?.strip_prefix('=')?;
            pairs.remove(0);
            Some(first)
        };
        let lesson = taken("lesson").unwrap_or(folder);
        let step = taken("step").unwrap_or_default();
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

    /// The fragment of a site that is one file.
    pub fn whole_fragment(&self) -> String {
        let lesson = format!("lesson={}", self.lesson);
        if self.fragment.is_empty() { lesson } else { format!("{lesson}&{}", self.fragment) }
    }

    /// Do both lead to the same step?
    pub fn same_step(&self, other: &Self) -> bool {
        let step = |address: &Self| {
            let first = address.fragment.split('&').next().unwrap_or_default();
            first.strip_prefix("step=").unwrap_or_default().to_owned()
        };
        self.lesson == other.lesson && step(self) == step(other)
    }
}

// What the address of a page asks for beside the page, between `?` and `#`:
// `?embed=stage&theme=dark`.

/// Which part of the notebook a browser's page is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PagePart {
    /// All of it.
    #[default]
    Whole,
    /// The stage of a step alone, within a page of somebody else.
    Stage,
    /// What a teacher reads, in a window of its own.
    TeachersWindow,
}

/// What the address asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebQuery {
    /// `embed=stage`, `window=teacher`.
    pub part: PagePart,
    /// `theme=dark`, `theme=light`; absent: as the system has it.
    pub dark: Option<bool>,
    /// `course=hands.bindpose`: where a course lies, as the address says it.
    pub course: Option<String>,
    /// `class=K7QF`: the page belongs to a class.
    pub in_class: bool,
}

impl WebQuery {
    /// Reads it, with or without its `?`. What it does not know it leaves alone:
    /// others add to addresses, too.
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
                    let course = other.strip_prefix("course=");
                    let course = course.filter(|course| !course.is_empty());
                    read.course = course.map(str::to_owned).or(read.course);
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
    fn a_link_and_its_page_of_a_site_lead_to_each_other() {
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
    fn a_site_of_one_file_has_the_lesson_behind_the_hash() {
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
    fn what_is_no_address_of_a_page_is_no_link() {
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
    fn links_and_addresses_lead_to_each_other() {
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
            // In one file, whatever its folder is called.
            assert_eq!(WebAddress::link("usb", &address.whole_fragment()).unwrap(), link);
        }
    }

    #[test]
    fn a_value_that_is_called_as_a_part_of_the_address_stays_a_value() {
        let link = "bindpose://a/b?lesson=2&step=3";
        let address = WebAddress::of_link(link).unwrap();
        assert_eq!(address.fragment, "step=b&lesson=2&step=3");
        assert_eq!(WebAddress::link("a", &address.fragment).unwrap(), link);
    }

    #[test]
    fn what_leads_nowhere_is_no_address() {
        assert_eq!(WebAddress::of_link("https://example.org"), None);
        assert_eq!(WebAddress::of_link("bindpose://"), None);
        assert_eq!(WebAddress::link("", "b0=1"), None);
        assert_eq!(WebAddress::link("", ""), None);
    }

    #[test]
    fn values_do_not_make_another_step() {
        let of = |link| WebAddress::of_link(link).unwrap();
        assert!(of("bindpose://a/b?x=1").same_step(&of("bindpose://a/b")));
        assert!(!of("bindpose://a/b").same_step(&of("bindpose://a/c")));
        assert!(!of("bindpose://a/b").same_step(&of("bindpose://c/b")));
        assert!(!of("bindpose://a?x=1").same_step(&of("bindpose://a/b")));
    }
}
