//! The inputs that a page of a browser is opened with: its address, stored preferences, and
//! the files of its first step.

use std::collections::BTreeMap;
use std::rc::Rc;

use bindpose_fetch as fetch;
use bindpose_lesson::{LessonSet, SITE_COURSE, find_page, unpack};
use bindpose_notebook::link::{self, NotebookSite, PagePart, WebQuery};
use bindpose_notebook::{
    KeptPage, Preferences, PreferencesTable, builtin_id, carry_over, parse_table, table_text,
};
use bindpose_page::cover;
use bindpose_rigs::builtin_file;
use eframe::egui::Context;
use eframe::wasm_bindgen::JsValue;
use js_sys::{Array, Promise, Uint8Array};
use percent_encoding::percent_decode_str;
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::{JsFuture, future_to_promise, spawn_local};
use web_sys::{Response, Storage, Url, Window};

use super::kept_files::open_kept_courses;
use super::teachers_popup::AddressBar;
use crate::app::PRELOADED_FILES;

pub(super) struct Startup {
    pub(super) set: LessonSet,
    pub(super) preferences: Preferences,
    /// `None` in a part of the notebook, which stores nothing.
    pub(super) storage: Option<PreferencesStorage>,
    /// Problems with the storage and the courses, as messages for the reader.
    pub(super) complaints: Vec<String>,
    pub(super) query: WebQuery,
    pub(super) site: NotebookSite,
    /// Whether the cover opens first, because the address names no page.
    pub(super) shows_cover: bool,
    pub(super) fetcher: AssetFetcher,
}

impl Startup {
    /// Reads the address and the storage, and fetches the files of the first page. `site` as
    /// in [`super::notebook::BrowserNotebook::new`].
    ///
    /// # Errors
    ///
    /// A message if a file could not be fetched.
    pub(super) async fn load(site: Option<String>) -> Result<Self, JsValue> {
        let fetcher = AssetFetcher::new(site.as_deref()).ok_or("there is no page")?;
        fetcher.fetch_all(&PRELOADED_FILES).await?;
        let query = WebQuery::read(&AddressBar::query());
        let mut complaints = Vec::new();
        let (storage, preferences) = if query.part == PagePart::Whole {
            let stored = PreferencesStorage::open();
            complaints.extend(stored.complaint);
            (Some(stored.storage), stored.preferences)
        } else {
            (None, Preferences::default())
        };
        let mut set = load_site_lessons(&fetcher, &mut complaints).await;
        let (courses, course_complaints) = open_kept_courses(&mut set, &preferences.courses).await;
        complaints.extend(course_complaints);
        let mut course_link = None;
        if let Some(course) = &query.course {
            match add_course_beside(&set, &fetcher, course).await {
                Ok((extended, first_lesson)) => {
                    let slug = &extended.lessons[first_lesson].slug;
                    course_link = Some(format!("bindpose://{slug}"));
                    set = extended;
                }
                Err(error) => {
                    complaints.push(format!("The course “{course}” was not opened: {error}."));
                }
            }
        }
        let is_one_file = site.is_none();
        let site = NotebookSite::at(site.unwrap_or_else(AddressBar::page), is_one_file)
            .with_course(query.course.clone());
        // Without a fragment, the course in the address takes precedence over the page that
        // the path names.
        let requested_link =
            course_link.filter(|_| !AddressBar::has_fragment()).or_else(|| AddressBar::link(&set));
        let shows_cover = requested_link.is_none()
            && query.part == PagePart::Whole
            && set.is_built_in(0)
            && AddressBar::is_cover(&site, &set);
        let requested_page = requested_link.map(|link| KeptPage { link, ..KeptPage::default() });
        let preferences = Preferences {
            courses,
            page: requested_page.or_else(|| preferences.page.clone()),
            ..preferences
        };
        let startup =
            Self { set, preferences, storage, complaints, query, site, shows_cover, fetcher };
        let mut rig_files: Vec<_> = startup.rig_file().into_iter().collect();
        if shows_cover {
            rig_files.extend(builtin_file(cover::RIG));
        }
        // If they are missing, the notebook shows which file it waits for, and why.
        let _ = startup.fetcher.fetch_all(&rig_files).await;
        Ok(startup)
    }

    /// The file of the rig on the first page. Returns `None` if that rig has no file.
    fn rig_file(&self) -> Option<&'static str> {
        let page = self.preferences.page.as_ref();
        let address = page.and_then(|page| link::address(&page.link).ok());
        let found = address.and_then(|address| {
            find_page(&self.set.lessons, &address.lesson, address.step.as_deref())
                .or_else(|_| find_page(&self.set.lessons, &address.lesson, None))
                .ok()
        });
        let (lesson_index, step_index) = found.unwrap_or((0, 0));
        let lesson = self.set.lessons.get(lesson_index)?;
        builtin_file(builtin_id(lesson.rig_at(step_index)))
    }
}

/// Loads the lessons of the site. If its own course is unusable, reports that in
/// `complaints` and returns the embedded lessons.
async fn load_site_lessons(fetcher: &AssetFetcher, complaints: &mut Vec<String>) -> LessonSet {
    if !fetcher.has(SITE_COURSE) {
        return LessonSet::embedded();
    }
    let course = fetcher.fetch_named(SITE_COURSE).await.and_then(|bytes| {
        let files = unpack(&bytes).map_err(|error| error.to_string())?;
        LessonSet::of_site(SITE_COURSE, files).map_err(|error| error.to_string())
    });
    course.unwrap_or_else(|error| {
        complaints.push(format!("The course of this site: {error}."));
        LessonSet::embedded()
    })
}

/// Adds the course that the address names to the lessons. Returns them with the index of the
/// course's first lesson.
///
/// # Errors
///
/// A message if the course could not be fetched or read.
async fn add_course_beside(
    set: &LessonSet,
    fetcher: &AssetFetcher,
    course: &str,
) -> Result<(LessonSet, usize), String> {
    let bytes = fetcher.fetch_same_origin(course).await?;
    let files = unpack(&bytes).map_err(|error| error.to_string())?;
    set.with_course(course, files).map_err(|error| error.to_string())
}

// Preferences in the browser's local storage, in the format of the settings file.

const STORAGE_KEY: &str = "bindpose.settings";

/// Key of a copy of unreadable preferences. Further copies have a number at the end.
const UNREADABLE_COPY_KEY: &str = "bindpose.settings.unreadable";

/// Maximum number of copies, because browsers allow a site only some megabytes.
const MAX_UNREADABLE_COPIES: usize = 5;

/// The preferences in the local storage of this site. Does nothing if the browser provides no
/// storage.
pub(super) struct PreferencesStorage {
    storage: Option<Storage>,
    /// The preferences that this page wrote last. Initially those that it read.
    ours: PreferencesTable,
}

/// Result of [`PreferencesStorage::open`].
struct StoredPreferences {
    storage: PreferencesStorage,
    preferences: Preferences,
    /// A message about preferences that could not be read.
    complaint: Option<String>,
}

impl PreferencesStorage {
    fn open() -> StoredPreferences {
        // A browser that blocks storage for sites returns an error here.
        let storage = web_sys::window().and_then(|window| window.local_storage().ok().flatten());
        let (table, table_complaint) = match storage.as_ref().map(read_table) {
            None => (PreferencesTable::new(), None),
            Some(Ok(table)) => (table, None),
            Some(Err(complaint)) => (PreferencesTable::new(), Some(complaint)),
        };
        let (preferences, invalid_keys) = Preferences::from_table(&table);
        let value_complaint = (!invalid_keys.is_empty()).then(|| {
            let invalid_keys = invalid_keys.join(", ");
            let copy = storage.as_ref().map(copy_unreadable).unwrap_or_default();
            format!(
                "Of what this browser remembered, this could not be read: {invalid_keys}. {copy}"
            )
        });
        StoredPreferences {
            storage: Self { storage, ours: preferences.table() },
            preferences,
            complaint: table_complaint.or(value_complaint),
        }
    }

    /// Writes changed preferences, and keeps those that other pages of this site have written
    /// in the meantime.
    ///
    /// # Errors
    ///
    /// A message if the browser rejects the change. The next call writes it again.
    pub(super) fn write(&mut self, preferences: &Preferences) -> Result<(), String> {
        let now = preferences.table();
        let Some(storage) = &self.storage else {
            return Err("This browser keeps nothing for this site".to_owned());
        };
        if now == self.ours {
            return Ok(());
        }
        let mut table = read_table(storage).unwrap_or_else(|_| self.ours.clone());
        carry_over(&self.ours, &now, &mut table);
        let written = storage.set_item(STORAGE_KEY, &table_text(&table));
        written.map_err(|_refusal| "The browser has no more room for this site".to_owned())?;
        self.ours = now;
        Ok(())
    }
}

/// Reads the stored preferences. Unreadable ones are copied to another key, before they are
/// overwritten, and reported in the error.
fn read_table(storage: &Storage) -> Result<PreferencesTable, String> {
    match storage.get_item(STORAGE_KEY) {
        Ok(Some(text)) => parse_table(&text).map_err(|error| {
            let copy = copy_unreadable(storage);
            format!("What this browser remembered could not be read: {error}. {copy}")
        }),
        Ok(None) => Ok(PreferencesTable::new()),
        Err(_) => Err("This browser does not show what it remembered.".to_owned()),
    }
}

/// Copies the stored text to an unused key, or finds an earlier copy of it. Returns a sentence
/// for the reader with that key.
fn copy_unreadable(storage: &Storage) -> String {
    let Ok(Some(text)) = storage.get_item(STORAGE_KEY) else {
        return String::new();
    };
    for number in 1..=MAX_UNREADABLE_COPIES {
        let key = match number {
            1 => UNREADABLE_COPY_KEY.to_owned(),
            _ => format!("{UNREADABLE_COPY_KEY}-{number}"),
        };
        let existing = storage.get_item(&key).ok().flatten();
        let is_same = existing.as_ref() == Some(&text);
        if is_same || (existing.is_none() && storage.set_item(&key, &text).is_ok()) {
            return format!("A copy of it is kept in this site’s storage, as {key}.");
        }
    }
    "There is no room for a copy of it.".to_owned()
}

// Files that a page of a browser fetches when they are first needed.

const INVALID_ADDRESS: &str = "it is no address";
const NO_ANSWER: &str = "there is no answer from its server";

/// Fetches files of the page. The element `assets` of the web page maps their paths below the
/// folder of that name to URLs.
#[derive(Clone)]
pub(super) struct AssetFetcher {
    window: Window,
    /// Absolute URLs, including `data:` URLs, by path.
    urls: Rc<BTreeMap<String, String>>,
}

impl AssetFetcher {
    /// Reads the URLs from the web page, relative to `site`. Returns `None` outside a page.
    fn new(site: Option<&str>) -> Option<Self> {
        let window = web_sys::window()?;
        let element = window.document()?.get_element_by_id("assets");
        let mut urls: BTreeMap<String, String> = element
            .and_then(|element| element.text_content())
            .and_then(|json| serde_json::from_str(&json).ok())
            .unwrap_or_default();
        for url in urls.values_mut() {
            url.insert_str(0, site.unwrap_or_default());
        }
        Some(Self { window, urls: Rc::new(urls) })
    }

    /// Fetches the files concurrently. Files that are already loaded stay as they are, and
    /// those that failed before are tried again.
    ///
    /// # Errors
    ///
    /// A message if one of the files is unavailable.
    async fn fetch_all(&self, paths: &[&'static str]) -> Result<(), String> {
        for &path in paths {
            fetch::try_again(path);
            let _ = fetch::request(path);
        }
        let promises = fetch::take_requests().into_iter().map(|path| {
            let fetcher = self.clone();
            future_to_promise(async move {
                fetcher.fetch_and_store(path).await;
                Ok(JsValue::UNDEFINED)
            })
        });
        let all = Promise::all(&promises.collect::<Array>());
        // No promise is rejected, because errors are stored with their files.
        let _ = JsFuture::from(all).await;
        let mut failures = paths.iter().filter_map(|path| fetch::failure(path));
        failures.next().map_or(Ok(()), Err)
    }

    /// Starts fetching files that were requested since the last call. Each one requests a
    /// frame when it arrives.
    pub(super) fn fetch_wanted(&self, ctx: &Context) {
        for path in fetch::take_requests() {
            let fetcher = self.clone();
            let ctx = ctx.clone();
            spawn_local(async move {
                fetcher.fetch_and_store(path).await;
                ctx.request_repaint();
            });
        }
    }

    async fn fetch_and_store(&self, path: &'static str) {
        let result = self.fetch_named(path).await;
        fetch::store_result(path, result);
    }

    fn has(&self, path: &str) -> bool {
        self.urls.contains_key(path)
    }

    /// Fetches a file that the web page lists.
    ///
    /// # Errors
    ///
    /// A message if the file is not listed, or if its server does not return it.
    async fn fetch_named(&self, path: &str) -> Result<Vec<u8>, String> {
        match self.urls.get(path) {
            Some(url) => self.fetch_url(url).await,
            None => Err(format!("this page does not say where {path} is")),
        }
    }

    /// Fetches a file by its address, absolute or relative to the page. Rejects addresses of
    /// other servers.
    ///
    /// # Errors
    ///
    /// A message if the address is rejected, or if the server does not return the file.
    async fn fetch_same_origin(&self, address: &str) -> Result<Vec<u8>, String> {
        let decoded = percent_decode_str(address).decode_utf8_lossy();
        let location = self.window.location();
        let (Ok(base), Ok(origin)) = (location.href(), location.origin()) else {
            return Err(INVALID_ADDRESS.to_owned());
        };
        let url =
            Url::new_with_base(&decoded, &base).map_err(|_not_a_url| INVALID_ADDRESS.to_owned())?;
        if url.origin() != origin {
            return Err("a course comes from the same server as this page".to_owned());
        }
        self.fetch_url(&url.href()).await
    }

    async fn fetch_url(&self, url: &str) -> Result<Vec<u8>, String> {
        let response: Response = JsFuture::from(self.window.fetch_with_str(url))
            .await
            .map_err(|_network_error| NO_ANSWER.to_owned())?
            .unchecked_into();
        if !response.ok() {
            return Err(format!("its server answers {}", response.status()));
        }
        let buffer = response.array_buffer().map_err(|_network_error| NO_ANSWER.to_owned())?;
        let buffer = JsFuture::from(buffer).await.map_err(|_network_error| NO_ANSWER.to_owned())?;
        Ok(Uint8Array::new(&buffer).to_vec())
    }
}
