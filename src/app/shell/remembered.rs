//! State kept from one run to the next: preferences, snapshots of the bench, pages of
//! earlier runs, and a reader's work saved to a file and opened again.

use std::path::PathBuf;

use bindpose_gltf::Rig;
use bindpose_notebook::{
    Document, Edit, KeptPage, OWN_RIG, PageSnapshot, Preferences, PreferencesTable, link,
    model_name, work_text,
};
use bindpose_page::view::SaveRequest;
use eframe::egui::Context;

use super::kept_pages::{KeptState, WaitingPage};
use super::{BenchState, Shell};
use crate::app::notice::{self, StandingNotice};
use crate::app::opening::FilePurpose;

/// Cause of a standing notice.
#[derive(Clone, Copy)]
enum NoticeSource {
    /// The save failed.
    Save,
    /// A kept page waits, at this index of the kept pages.
    KeptPage(usize),
    /// An earlier run crashed.
    Crash,
}

/// Buttons of the notice of a failed save.
const SAVE_ACTIONS: [&str; 3] = ["Try again", "Save my work…", "Not now"];
/// Buttons of the notice of a crash report.
const CRASH_ACTIONS: [&str; 2] = ["Copy the report", "Close"];

impl Shell {
    /// Returns a count that grows with each change that the preferences may have to save.
    pub fn changes(&self) -> u64 {
        self.changes + self.opening.recent.changes()
    }

    /// Returns the preferences to save, without the window's size and position.
    pub fn preferences(&self) -> Preferences {
        let (page, waiting) = self.pages_to_remember();
        Preferences {
            dark: self.appearance.dark,
            zoom: self.appearance.zoom,
            less_motion: self.appearance.less_motion,
            contents: self.windows.contents,
            conventions: self.view.conventions,
            bench: self.view.bench.is_open,
            knows_sources: self.view.knows_sources,
            snapshots: self.snapshot_links(),
            progress: self.notebook.progress.clone(),
            marks: self.notebook.marks.clone(),
            page: Some(page),
            route: self.notebook.route_name().map(str::to_owned),
            kept: self.notebook.kept_links(),
            model: self.model_file(),
            waiting,
            recent: self.opening.recent.paths().to_vec(),
            courses: self.courses.clone(),
            site: self.link_window.site.clone(),
            ..Preferences::default()
        }
    }
}

impl Shell {
    /// Queues the reader's work for saving, if that was requested.
    pub(super) fn save_readers_work(&mut self) {
        if let Some(name) = self.exporting.requested_work_file.take() {
            let bytes = work_text(&self.preferences()).into_bytes();
            self.view.files.saves.push(SaveRequest { name, bytes });
        }
    }

    /// Merges saved work into the reader's work, and opens the page that was open when it was
    /// saved. Settings of this machine are kept.
    pub(super) fn take_work(&mut self, work: &PreferencesTable) {
        let (merged, unreadable) = self.preferences().with_work(work);
        let Preferences {
            dark,
            zoom,
            less_motion,
            snapshots,
            progress,
            marks,
            page,
            route,
            kept,
            ..
        } = merged;
        self.appearance.dark = dark;
        self.appearance.zoom = zoom;
        self.appearance.less_motion = less_motion;
        self.notebook.take_memory(progress, marks);
        self.notebook.take_kept(&kept);
        self.notebook.take_route(route.as_deref());
        self.view.bench.snapshots.pending_links = snapshots;
        self.view.playing.stop();
        self.gesture += 1;
        self.changes += 1;
        if let Some(page) = page {
            self.open_kept_page(page);
        }
        self.notices.add("Your work is here, with what was here before. Go on where you left off.");
        if !unreadable.is_empty() {
            let names = unreadable.join(", ");
            self.notices.add_error(format!("Of the file, this could not be read: {names}."));
        }
    }
}

impl Shell {
    /// Opens the bench or closes it.
    pub fn open_bench(&mut self, open: bool) {
        self.view.bench.is_open = open;
    }

    pub(super) fn keep_snapshot(&mut self, which: PageSnapshot) {
        let document = self.notebook.document();
        let stored_rig = &self.notebook.derived().stored_rig;
        self.view.bench.snapshots.keep(which, document, stored_rig);
        let letter = if which == PageSnapshot::A { "A" } else { "B" };
        self.notices.set_status(format!("The page is kept as {letter}."));
    }

    /// Returns the snapshots as links, for the next run.
    pub(super) fn snapshot_links(&self) -> [Option<String>; 2] {
        self.view.bench.snapshots.links(|document, rig| self.notebook.link_to(document, rig))
    }

    /// Restores the snapshots of the last run that belong to the open lesson.
    pub(super) fn restore_snapshots(&mut self) {
        let stored_rig = &self.notebook.derived().stored_rig;
        let snapshots = &mut self.view.bench.snapshots;
        for (index, which) in [PageSnapshot::A, PageSnapshot::B].into_iter().enumerate() {
            let link = snapshots.pending_links[index].as_deref();
            if let Some(document) = link.and_then(|link| self.notebook.parse_link_document(link)) {
                snapshots.keep(which, &document, stored_rig);
            }
        }
    }

    /// Counts a change if the bench, its snapshots or the matrix conventions have changed.
    pub(super) fn track_bench_changes(&mut self) {
        let bench = &self.view.bench;
        let bench_state = BenchState {
            is_open: bench.is_open,
            snapshots_revision: bench.snapshots.revision(),
            conventions: self.view.conventions,
        };
        if self.bench_state != bench_state {
            self.bench_state = bench_state;
            self.changes += 1;
        }
    }

    pub(super) fn flip_snapshot(&mut self) {
        let document = self.notebook.document();
        let stored_rig = &self.notebook.derived().stored_rig;
        let snapshots = &mut self.view.bench.snapshots;
        let Some((which, snapshot)) = snapshots.flip(document, stored_rig) else {
            self.notices
                .set_status("Nothing has been kept at this step yet: keep it as A or B first.");
            return;
        };
        self.view.playing.stop();
        let edit = Edit::Recall(which, Box::new(snapshot));
        match self.notebook.edit(&edit, self.gesture) {
            Ok(()) => self.notices.set_status(match which {
                PageSnapshot::A => "Snapshot A",
                PageSnapshot::B => "Snapshot B",
                PageSnapshot::Before => "As it was before",
            }),
            Err(refused) => self.notices.add_error(refused.to_string()),
        }
    }
}

impl Shell {
    /// Restores the pages of earlier runs, and opens that of the last run if possible.
    pub(super) fn restore_kept_pages(&mut self, preferences: &Preferences) {
        self.kept_pages.model.clone_from(&preferences.model);
        self.kept_pages.is_model_due = true;
        self.kept_pages.pages = preferences
            .waiting
            .iter()
            .map(|page| WaitingPage {
                page: page.clone(),
                state: KeptState::Silent,
                stand_in: None,
            })
            .collect();
        let lessons = &self.notebook.set.lessons;
        for waiting in &mut self.kept_pages.pages {
            let has_lesson = link::address(&waiting.page.link)
                .is_ok_and(|address| lessons.iter().any(|lesson| lesson.slug == address.lesson));
            if has_lesson && waiting.model_name().is_none() {
                waiting.state = KeptState::Ready;
            }
        }
        if let Some(page) = preferences.page.clone() {
            self.open_kept_page(page);
        }
    }

    /// Opens a kept page, or keeps it waiting behind the open page until it can be opened.
    pub(super) fn open_kept_page(&mut self, page: KeptPage) {
        let state = match self.notebook.reopen(&page, self.gesture) {
            Ok(reopened) => {
                if let Some(remark) = reopened.remark {
                    self.notices.add(remark);
                }
                reopened.missing_model.map(|_| KeptState::Due)
            }
            // The notebook opens it as soon as its rig is loaded.
            Err(_) if self.notebook.awaited().is_some() => None,
            Err(error) => Some(KeptState::Failed(format!("{error}."))),
        };
        self.notebook.forget_history();
        if let Some(state) = state {
            let stand_in = Some(self.notebook.document().clone());
            self.kept_pages.insert_first(WaitingPage { page, state, stand_in });
        }
    }

    /// Returns the page to remember as the open one, and the pages that still wait. While the
    /// stand-in of a waiting page is unchanged, the waiting page counts as the open one.
    pub(super) fn pages_to_remember(&self) -> (KeptPage, Vec<KeptPage>) {
        let document = self.notebook.document();
        let mut page_behind_stand_in = None;
        let mut waiting_pages = Vec::new();
        for waiting in &self.kept_pages.pages {
            if waiting.stand_in.as_ref() == Some(document) {
                page_behind_stand_in.get_or_insert(&waiting.page);
            } else {
                waiting_pages.push(waiting.page.clone());
            }
        }
        let page = if let Some(page) = page_behind_stand_in {
            page.clone()
        } else {
            let open_page = self.notebook.kept_page();
            let uses_model = link::own_model::named_model(&open_page.link).is_some();
            let model = self.model_file().filter(|_| uses_model);
            KeptPage { model, ..open_page }
        };
        (page, waiting_pages)
    }

    /// Returns the file of the reader's model, open or not yet open again.
    pub(super) fn model_file(&self) -> Option<PathBuf> {
        match self.notebook.own() {
            Some(model) => self.opening.path_of(model),
            None => self.kept_pages.model.clone(),
        }
    }

    /// Does not open the model of the last run, because another one was named. Its page is
    /// still kept, and opens when that model is opened.
    pub(super) fn skip_kept_model(&mut self) {
        self.kept_pages.is_model_due = false;
        for waiting in &mut self.kept_pages.pages {
            if waiting.state == KeptState::Due {
                waiting.state = KeptState::Silent;
            }
        }
    }

    /// Starts reading the model that a kept page waits for, or the model of the last run when
    /// a page on it is entered. Waits while the error of another file is shown.
    pub(super) fn open_kept_model(&mut self, ctx: &Context) {
        let is_busy = self.opening.is_reading() || self.opening.has_failed();
        if is_busy || self.notebook.own().is_some() {
            return;
        }
        if let Some(index) = self.kept_pages.index_of(&KeptState::Reading) {
            let reason =
                self.opening.take_failure().unwrap_or_else(|| "Opening it was stopped.".to_owned());
            self.kept_pages.pages[index].state = KeptState::Failed(reason);
            self.changes += 1;
        }
        if self.kept_pages.index_of(&KeptState::Due).is_none()
            && self.notebook.lesson().rig == OWN_RIG
        {
            self.request_model_of_last_run();
        }
        let Some(index) = self.kept_pages.index_of(&KeptState::Due) else {
            return;
        };
        // No other model opens in place of the one that this page is on.
        self.kept_pages.is_model_due = false;
        let waiting = &self.kept_pages.pages[index];
        let name = waiting.model_name().unwrap_or_default();
        let file = match &waiting.page.model {
            Some(file) => Some(file.clone()),
            None => self.opening.recent.find_by_name(&name).map(PathBuf::from),
        };
        let Some(file) = file else {
            let reason = "It is not among the files that were opened before: open it.".to_owned();
            self.kept_pages.pages[index].state = KeptState::Failed(reason);
            return;
        };
        self.kept_pages.pages[index].state = KeptState::Reading;
        self.opening.open_kept(ctx, file);
    }

    /// Keeps the open page, which uses the reader's model, waiting for the model of the last
    /// run. Does so once.
    fn request_model_of_last_run(&mut self) {
        if !std::mem::take(&mut self.kept_pages.is_model_due) {
            return;
        }
        let Some(file) = self.kept_pages.model.clone() else {
            return;
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let kept_page = self.kept_pages.pages.iter().find(|waiting| {
            waiting.state == KeptState::Silent && waiting.model_name().as_deref() == Some(&*name)
        });
        let page = if let Some(waiting) = kept_page {
            waiting.page.clone()
        } else {
            let open_page = self.notebook.kept_page();
            let short_link = open_page.link.split('?').next().unwrap_or_default();
            KeptPage { link: link::own_model::name_model(short_link, &name), ..open_page }
        };
        let stand_in = Some(self.notebook.document().clone());
        self.kept_pages.insert_first(WaitingPage {
            page: KeptPage { model: Some(file), ..page },
            state: KeptState::Due,
            stand_in,
        });
    }

    /// Reopens the page that was made on a model which was just opened, if one is kept.
    pub(super) fn reopen_page_on(&mut self, model: &Rig, before: &Document) {
        let name = model_name(model);
        let mut pages = self.kept_pages.pages.iter();
        let Some(index) = pages.position(|waiting| waiting.model_name().as_deref() == Some(name))
        else {
            return;
        };
        let waiting = self.kept_pages.pages.remove(index);
        self.reopen(waiting, before);
    }

    /// Opens a page that waited. `before` is the document that was open until now.
    fn reopen(&mut self, mut waiting: WaitingPage, before: &Document) {
        self.gesture += 1;
        match self.notebook.reopen(&waiting.page, self.gesture) {
            Ok(reopened) => {
                if let Some(remark) = reopened.remark {
                    self.notices.add(remark);
                }
                if waiting.stand_in.as_ref() == Some(before) {
                    self.notebook.forget_history();
                }
                self.view.scroll.to_top = true;
            }
            Err(error) => {
                waiting.state = KeptState::Failed(format!("{error}."));
                self.kept_pages.insert_first(waiting);
            }
        }
        self.changes += 1;
    }

    /// Applies the reader's choice among the [`WaitingPage::actions`] of a page.
    pub(super) fn apply_kept_page_action(&mut self, ctx: &Context, index: usize, action: usize) {
        let waiting = self.kept_pages.pages.remove(index);
        match action {
            // A page on a model has to read its file: the model that is open now is another one.
            0 if waiting.model_name().is_some() => {
                let file = waiting.page.model.clone();
                self.kept_pages.pages.insert(index, waiting);
                match file {
                    Some(file) => self.opening.open_files(ctx, vec![file]),
                    None => self.opening.open_dialog(ctx, FilePurpose::Page),
                }
            }
            0 => {
                let before = self.notebook.document().clone();
                self.reopen(waiting, &before);
            }
            1 => {
                if self.kept_pages.model == waiting.page.model {
                    self.kept_pages.model = None;
                }
                self.changes += 1;
            }
            _ => {
                let state = KeptState::Silent;
                self.kept_pages.pages.insert(index, WaitingPage { state, ..waiting });
            }
        }
    }
}

impl Shell {
    /// Sets the reason why the last save failed, as text for the reader. `None` if it
    /// succeeded.
    pub fn set_save_failure(&mut self, why: Option<String>) {
        self.save.why = why;
    }

    /// Returns true if the reader wants the save tried again, and clears that wish.
    pub fn take_save_retry(&mut self) -> bool {
        std::mem::take(&mut self.save.retry)
    }

    pub(super) fn draw_standing_notices(&mut self, ctx: &Context) {
        let mut notices = Vec::new();
        let mut sources = Vec::new();
        if let Some(why) = &self.save.why
            && self.save.dismissed.as_ref() != Some(why)
        {
            sources.push(NoticeSource::Save);
            notices.push(StandingNotice {
                text: format!(
                    "{why}. Progress and the open page are in this window only, and are lost \
                     when it is closed."
                ),
                is_error: true,
                actions: &SAVE_ACTIONS,
            });
        }
        for (index, waiting) in self.kept_pages.pages.iter().enumerate() {
            if let Some(text) = waiting.notice_text() {
                sources.push(NoticeSource::KeptPage(index));
                notices.push(StandingNotice { text, is_error: false, actions: waiting.actions() });
            }
        }
        // Last, so that its appearance does not move the others.
        if let Some(crash) = &self.crash {
            sources.push(NoticeSource::Crash);
            notices.push(StandingNotice {
                text: crash.notice.clone(),
                is_error: false,
                actions: &CRASH_ACTIONS,
            });
        }
        let Some((notice, action)) =
            notice::standing_notices_ui(ctx, &self.appearance.theme, &notices)
        else {
            return;
        };
        match sources[notice] {
            NoticeSource::Save => match action {
                0 => self.save.retry = true,
                1 => self.exporting.requested_work_file = Some("bindpose-work.json".to_owned()),
                _ => self.save.dismissed.clone_from(&self.save.why),
            },
            NoticeSource::KeptPage(index) => self.apply_kept_page_action(ctx, index, action),
            NoticeSource::Crash => {
                if let Some(crash) = self.crash.take()
                    && action == 0
                {
                    ctx.copy_text(crash.report);
                    self.copying.confirmation = Some("The report is on the clipboard.");
                }
            }
        }
        ctx.request_repaint();
    }
}
