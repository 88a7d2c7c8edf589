//! What a page of a browser is opened with: its address, what is remembered, and the
//! files that its first step needs.

use std::collections::BTreeMap;
use std::rc::Rc;

use bindpose_asset::builtin_file;
use bindpose_lesson::{LessonSet, SITE_COURSE, find_page, unpack};
use bindpose_notebook::link::{self, NotebookSite, PagePart, WebQuery};
use bindpose_notebook::{
    KeptPage, Preferences, PreferencesTable, builtin_id, carry_over, parse_table, table_text,
};
use bindpose_page::cover;
use bindpose_shipped as shipped;
use eframe::egui::Context;
use eframe::wasm_bindgen::JsValue;
use js_sys::{Array, Promise, Uint8Array};
use percent_encoding::percent_decode_str;
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::{JsFuture, future_to_promise, spawn_local};
use web_sys::{Response, Storage, Url, Window};

use super::teachers_popup::AddressBar;
use crate::app::opening::open_kept_courses;

pub(super) struct Opened {
    pub(super) set: LessonSet,
    pub(super) preferences: Preferences,
    /// Absent in a part of the notebook, which remembers nothing.
    pub(super) storage: Option<PreferencesStorage>,
    /// What is wrong with the storage and the courses.
    pub(super) complaints: Vec<String>,
    pub(super) query: WebQuery,
    pub(super) site: NotebookSite,
    /// Before the page: who comes by the first page of the site asks for none.
    pub(super) shows_cover: bool,
    pub(super) fetching: Fetching,
}

impl Opened {
    /// `site`: see [`super::BrowserNotebook::new`].
    ///
    /// Errors: in words, what could not be fetched.
    pub(super) async fn read(site: Option<String>) -> Result<Self, JsValue> {
        let fetching = Fetching::new(site.as_deref()).ok_or("there is no page")?;
        fetching.need(shipped::PRELOADED_FILES).await?;
        let query = WebQuery::read(&AddressBar::query());
        let (storage, preferences, complaint) = if query.part == PagePart::Whole {
            let (storage, preferences, complaint) = PreferencesStorage::open();
            (Some(storage), preferences, complaint)
        } else {
            (None, Preferences::default(), None)
        };
        let mut complaints = Vec::from_iter(complaint);
        let mut set = lessons_of_site(&fetching, &mut complaints).await;
        let (courses, wrong) = open_kept_courses(&mut set, &preferences.courses).await;
        complaints.extend(wrong);
        let mut first_of_course = None;
        if let Some(course) = &query.course {
            match with_course_beside(&set, &fetching, course).await {
                Ok((with, first)) => {
                    first_of_course = Some(format!("bindpose://{}", with.lessons[first].slug));
                    set = with;
                }
                Err(why) => {
                    complaints.push(format!("The course “{course}” was not opened: {why}."));
                }
            }
        }
        let one_file = site.is_none();
        let site = NotebookSite::at(site.unwrap_or_else(AddressBar::page), one_file);
        let site = site.with_course(query.course.clone());
        // An address without a fragment names the course more than the page that opens it.
        let first_of_course = first_of_course.filter(|_| !AddressBar::has_fragment());
        let asked_for = first_of_course.or_else(|| AddressBar::link(&set));
        let shows_cover = asked_for.is_none()
            && query.part == PagePart::Whole
            && set.is_built_in(0)
            && AddressBar::is_cover(&site, &set);
        let asked_for = asked_for.map(|link| KeptPage { link, ..KeptPage::default() });
        let preferences = Preferences {
            courses,
            page: asked_for.or_else(|| preferences.page.clone()),
            ..preferences
        };
        let opened =
            Self { set, preferences, storage, complaints, query, site, shows_cover, fetching };
        let of_cover = builtin_file(cover::RIG).filter(|_| shows_cover);
        let rigs: Vec<_> = opened.rig_file().into_iter().chain(of_cover).collect();
        // Without them, the notebook says what it waits for, and why.
        let _ = opened.fetching.need(&rigs).await;
        Ok(opened)
    }

    /// The file of the rig that the first page shows, if it has one.
    fn rig_file(&self) -> Option<&'static str> {
        let page = self.preferences.page.as_ref();
        let address = page.and_then(|page| link::address(&page.link).ok());
        let found = address.and_then(|address| {
            find_page(&self.set.lessons, &address.lesson, address.step.as_deref())
                .or_else(|_| find_page(&self.set.lessons, &address.lesson, None))
                .ok()
        });
        let (lesson, step) = found.unwrap_or((0, 0));
        let lesson = self.set.lessons.get(lesson)?;
        builtin_file(builtin_id(lesson.rig_at(step)))
    }
}

/// The lessons of the site; what is wrong with its own course goes to `complaints`.
async fn lessons_of_site(fetching: &Fetching, complaints: &mut Vec<String>) -> LessonSet {
    if !fetching.names(SITE_COURSE) {
        return LessonSet::embedded();
    }
    let own = fetching.bytes(SITE_COURSE).await.and_then(|bytes| {
        let files = unpack(&bytes).map_err(|error| error.to_string())?;
        LessonSet::of_site(SITE_COURSE, files).map_err(|error| error.to_string())
    });
    own.unwrap_or_else(|why| {
        complaints.push(format!("The course of this site: {why}."));
        LessonSet::embedded()
    })
}

/// These lessons with those of the course that the address names, and the index of its
/// first.
///
/// Errors: in words, why it is not there.
async fn with_course_beside(
    set: &LessonSet,
    fetching: &Fetching,
    course: &str,
) -> Result<(LessonSet, usize), String> {
    let bytes = fetching.bytes_beside(course).await?;
    let files = unpack(&bytes).map_err(|error| error.to_string())?;
    let with = set.with_course(course, files);
    with.map_err(|error| error.to_string())
}

// What is remembered, in the browser's local storage, in the form of the
// settings file.

const KEY: &str = "bindpose.settings";
/// Of what could not be read; further ones have a number.
const ASIDE: &str = "bindpose.settings.unreadable";
/// Copies kept, at most: a site has some megabytes.
const MOST_ASIDE: usize = 5;

/// The local storage of this site, as far as the browser allows it.
pub(super) struct PreferencesStorage {
    storage: Option<Storage>,
    /// What this page has put there so far; at first, what it read.
    ours: PreferencesTable,
}

impl PreferencesStorage {
    /// Reads what is there. The third value says in words what could not be read.
    pub(super) fn open() -> (Self, Preferences, Option<String>) {
        // A browser that keeps nothing for sites refuses here.
        let storage = web_sys::window().and_then(|window| window.local_storage().ok().flatten());
        let (table, broken) = match storage.as_ref().map(read) {
            None => (PreferencesTable::new(), None),
            Some(Ok(table)) => (table, None),
            Some(Err(why)) => (PreferencesTable::new(), Some(why)),
        };
        let (preferences, wrong) = Preferences::from_table(&table);
        let wrong = (!wrong.is_empty()).then(|| {
            let wrong = wrong.join(", ");
            let aside = storage.as_ref().map(set_aside).unwrap_or_default();
            format!("Of what this browser remembered, this could not be read: {wrong}. {aside}")
        });
        let ours = preferences.table();
        (Self { storage, ours }, preferences, broken.or(wrong))
    }

    /// Writes what has changed. What other pages of this site have written
    /// meanwhile stays.
    ///
    /// Errors: in words, when the browser refuses; the same is written the next time.
    pub(super) fn write(&mut self, preferences: &Preferences) -> Result<(), String> {
        let now = preferences.table();
        let Some(storage) = &self.storage else {
            return Err("This browser keeps nothing for this site".to_owned());
        };
        if now == self.ours {
            return Ok(());
        }
        let mut table = read(storage).unwrap_or_else(|_| self.ours.clone());
        carry_over(&self.ours, &now, &mut table);
        let written = storage.set_item(KEY, &table_text(&table));
        written.map_err(|_refusal| "The browser has no more room for this site".to_owned())?;
        self.ours = now;
        Ok(())
    }
}

/// What cannot be read is set aside, in words, before anything is written over it.
fn read(storage: &Storage) -> Result<PreferencesTable, String> {
    match storage.get_item(KEY) {
        Ok(Some(text)) => parse_table(&text).map_err(|why| {
            let aside = set_aside(storage);
            format!("What this browser remembered could not be read: {why}. {aside}")
        }),
        Ok(None) => Ok(PreferencesTable::new()),
        Err(_) => Err("This browser does not show what it remembered.".to_owned()),
    }
}

/// Keeps a copy of what is there under a name that nothing has, or under that of an
/// earlier copy of the same; says where.
fn set_aside(storage: &Storage) -> String {
    let Ok(Some(text)) = storage.get_item(KEY) else {
        return String::new();
    };
    for number in 1..=MOST_ASIDE {
        let key = match number {
            1 => ASIDE.to_owned(),
            _ => format!("{ASIDE}-{number}"),
        };
        let there = storage.get_item(&key).ok().flatten();
        let same = there.as_ref() == Some(&text);
        if same || (there.is_none() && storage.set_item(&key, &text).is_ok()) {
            return format!("A copy of it is kept in this site’s storage, as {key}.");
        }
    }
    "There is no room for a copy of it.".to_owned()
}

// Files that a page of a browser fetches when they are first needed: it says where
// they are, in its element `assets`, by their path below the folder of that name.

/// Where files are.
#[derive(Clone)]
pub(super) struct Fetching {
    window: Window,
    /// Whole addresses, or the content itself.
    urls: Rc<BTreeMap<String, String>>,
}

impl Fetching {
    /// As the page says, which stands in `site`; `None`: there is no page.
    fn new(site: Option<&str>) -> Option<Self> {
        let window = web_sys::window()?;
        let element = window.document()?.get_element_by_id("assets");
        let text = element.and_then(|element| element.text_content());
        let urls = text.and_then(|text| serde_json::from_str(&text).ok());
        let mut urls: BTreeMap<String, String> = urls.unwrap_or_default();
        for url in urls.values_mut() {
            url.insert_str(0, site.unwrap_or_default());
        }
        Some(Self { window, urls: Rc::new(urls) })
    }

    /// Fetches these, all at once; those that are here already, or were fetched in
    /// vain, stay as they are.
    ///
    /// Errors: in words, why one of them is not here.
    pub(super) async fn need(&self, paths: &[&'static str]) -> Result<(), String> {
        for &path in paths {
            shipped::try_again(path);
            let _ = shipped::file(path);
        }
        let promises = shipped::take_wanted().into_iter().map(|path| {
            let here = self.clone();
            future_to_promise(async move {
                here.fetch(path).await;
                Ok(JsValue::UNDEFINED)
            })
        });
        let all = Promise::all(&promises.collect::<Array>());
        // None of them fails: what goes wrong is noted with the file.
        let _ = JsFuture::from(all).await;
        let mut failures = paths.iter().filter_map(|path| shipped::failure(path));
        failures.next().map_or(Ok(()), Err)
    }

    /// Begins to fetch what was asked for since; another frame is painted when it
    /// has come.
    pub(super) fn fetch_wanted(&self, ctx: &Context) {
        for path in shipped::take_wanted() {
            let (here, ctx) = (self.clone(), ctx.clone());
            spawn_local(async move {
                here.fetch(path).await;
                ctx.request_repaint();
            });
        }
    }

    async fn fetch(&self, path: &'static str) {
        let bytes = self.bytes(path).await;
        shipped::arrived(path, bytes);
    }

    /// Does the page say where this file is?
    pub(super) fn names(&self, path: &str) -> bool {
        self.urls.contains_key(path)
    }

    /// The content of a file that the page names.
    ///
    /// Errors: in words, why it is not here.
    pub(super) async fn bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        let url = self.urls.get(path).map(String::as_str);
        let url = url.ok_or_else(|| format!("this page does not say where {path} is"))?;
        self.content(url).await
    }

    /// The content of a file that an address names, from the page's own server alone.
    ///
    /// Errors: in words, why it is not here.
    pub(super) async fn bytes_beside(&self, address: &str) -> Result<Vec<u8>, String> {
        let decoded = percent_decode_str(address).decode_utf8_lossy();
        let location = self.window.location();
        let wrong = |_: JsValue| "it is no address".to_owned();
        let base = location.href().map_err(wrong)?;
        let url = Url::new_with_base(&decoded, &base).map_err(wrong)?;
        if url.origin() != location.origin().map_err(wrong)? {
            return Err("a course comes from the same server as this page".to_owned());
        }
        self.content(&url.href()).await
    }

    async fn content(&self, url: &str) -> Result<Vec<u8>, String> {
        let broken = |_: JsValue| "there is no answer from its server".to_owned();
        let response = JsFuture::from(self.window.fetch_with_str(url)).await;
        let response: Response = response.map_err(broken)?.unchecked_into();
        if !response.ok() {
            return Err(format!("its server answers {}", response.status()));
        }
        let buffer = response.array_buffer().map_err(broken)?;
        let buffer = JsFuture::from(buffer).await.map_err(broken)?;
        Ok(Uint8Array::new(&buffer).to_vec())
    }
}
