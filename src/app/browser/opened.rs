//! What a page of a browser is opened with: its address, what is remembered, and the
//! files that its first step needs.

use bindpose_asset::builtin_file;
use bindpose_lesson::{LessonSet, SITE_COURSE, find_lesson, find_step, unpack};
use bindpose_notebook::link::{self, NotebookSite, PagePart, WebQuery};
use bindpose_notebook::{KeptPage, Preferences, builtin_id};
use bindpose_shipped as shipped;
use eframe::wasm_bindgen::JsValue;

use super::address_bar::AddressBar;
use super::fetching::Fetching;
use super::storage::PreferencesStorage;
use crate::app::kept_courses;

pub(super) struct Opened {
    pub(super) set: LessonSet,
    pub(super) preferences: Preferences,
    /// Absent in a part of the notebook, which remembers nothing.
    pub(super) storage: Option<PreferencesStorage>,
    /// What is wrong with the storage and the courses.
    pub(super) complaints: Vec<String>,
    pub(super) query: WebQuery,
    pub(super) site: NotebookSite,
    pub(super) fetching: Fetching,
}

impl Opened {
    /// `site`: see [`super::BrowserNotebook::new`].
    ///
    /// Errors: in words, what could not be fetched.
    pub(super) async fn read(site: Option<String>) -> Result<Self, JsValue> {
        let fetching = Fetching::new().ok_or("there is no page")?;
        fetching.need(shipped::FIRST).await?;
        let query = WebQuery::read(&AddressBar::query());
        let (storage, preferences, complaint) = if query.part == PagePart::Whole {
            let (storage, preferences, complaint) = PreferencesStorage::open();
            (Some(storage), preferences, complaint)
        } else {
            (None, Preferences::default(), None)
        };
        let mut complaints = Vec::from_iter(complaint);
        let mut set = lessons_of_site(&fetching, &mut complaints).await;
        let (courses, wrong) = kept_courses::open(&mut set, &preferences.courses).await;
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
        let asked_for = asked_for.map(|link| KeptPage { link, ..KeptPage::default() });
        let preferences = Preferences {
            courses,
            page: asked_for.or_else(|| preferences.page.clone()),
            ..preferences
        };
        let opened = Self { set, preferences, storage, complaints, query, site, fetching };
        // Without them, the notebook says what it waits for, and why.
        let _ = opened.fetching.need(&opened.rig_files()).await;
        Ok(opened)
    }

    /// The files of the rigs that the first page shows, of those that have one.
    fn rig_files(&self) -> Vec<&'static str> {
        let page = self.preferences.page.as_ref();
        let address = page.and_then(|page| link::address(&page.link).ok());
        let found = address.and_then(|address| {
            let lesson = find_lesson(&self.set.lessons, &address.lesson).ok()?;
            let step = address.step.as_deref().unwrap_or_default();
            let step = find_step(&self.set.lessons[lesson], step).unwrap_or(0);
            Some((lesson, step))
        });
        let (lesson, step) = found.unwrap_or((0, 0));
        let Some(lesson) = self.set.lessons.get(lesson) else {
            return Vec::new();
        };
        let rigs = std::iter::once(lesson.rig_at(step)).chain(lesson.picture_rigs_at(step));
        rigs.filter_map(|rig| builtin_file(builtin_id(rig))).collect()
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
