//! What a page of a browser is opened with: its address, what is remembered, and the
//! files that its first step needs.

use eframe::wasm_bindgen::JsValue;

use super::address_bar::AddressBar;
use super::fetching::Fetching;
use super::storage::PreferencesStorage;
use crate::asset::builtin_file;
use crate::lesson::{LessonSet, SITE_COURSE, find_lesson, find_step, unpack};
use crate::notebook::link::{self, PagePart, Site, WebQuery};
use crate::notebook::{KeptPage, Preferences, builtin_id};
use crate::shipped;

pub(super) struct Opened {
    pub(super) set: LessonSet,
    pub(super) preferences: Preferences,
    /// Absent in a part of the notebook, which remembers nothing.
    pub(super) storage: Option<PreferencesStorage>,
    /// What is wrong with the storage.
    pub(super) complaint: Option<String>,
    pub(super) query: WebQuery,
    pub(super) site: Site,
    pub(super) fetching: Fetching,
}

impl Opened {
    /// `site`: see [`super::BrowserNotebook::new`].
    ///
    /// # Errors
    /// In words, what could not be fetched.
    pub(super) async fn read(site: Option<String>) -> Result<Self, JsValue> {
        let fetching = Fetching::new().ok_or("there is no page")?;
        fetching.need(shipped::FIRST).await?;
        let query = WebQuery::read(&AddressBar::query());
        let (set, wrong) = lessons(&fetching, query.course.as_deref()).await;
        let one_file = site.is_none();
        let site = Site::at(site.unwrap_or_else(AddressBar::page), one_file);
        let site = site.with_course(query.course.clone());
        let (storage, preferences, complaint) = if query.part == PagePart::Whole {
            let (storage, preferences, complaint) = PreferencesStorage::open();
            (Some(storage), preferences, complaint)
        } else {
            (None, Preferences::default(), None)
        };
        let complaint = wrong.or(complaint);
        let asked_for = AddressBar::link(&set).map(|link| KeptPage {
            link,
            ..KeptPage::default()
        });
        let preferences = Preferences {
            page: asked_for.or_else(|| preferences.page.clone()),
            ..preferences
        };
        let opened = Self {
            set,
            preferences,
            storage,
            complaint,
            query,
            site,
            fetching,
        };
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
        rigs.filter_map(|rig| builtin_file(builtin_id(rig)))
            .collect()
    }
}

/// The lessons of the site, and those of the course that the address names; in words,
/// why one of them is not there.
async fn lessons(fetching: &Fetching, course: Option<&str>) -> (LessonSet, Option<String>) {
    let mut wrong = None;
    let mut set = LessonSet::embedded();
    if fetching.names(SITE_COURSE) {
        let own = fetching.bytes(SITE_COURSE).await.and_then(|bytes| {
            let files = unpack(&bytes).map_err(|error| error.to_string())?;
            LessonSet::of_site(SITE_COURSE, files).map_err(|error| error.to_string())
        });
        match own {
            Ok(own) => set = own,
            Err(why) => wrong = Some(format!("The course of this site: {why}.")),
        }
    }
    if let Some(course) = course {
        let with = fetching.bytes_beside(course).await.and_then(|bytes| {
            let files = unpack(&bytes).map_err(|error| error.to_string())?;
            set.with_course(course, files)
                .map_err(|error| error.to_string())
        });
        match with {
            Ok((with, _)) => set = with,
            Err(why) => wrong = Some(format!("The course “{course}” was not opened: {why}.")),
        }
    }
    (set, wrong)
}
