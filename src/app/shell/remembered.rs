//! What the program remembers from one run to the next: preferences, snapshots of the
//! bench, pages of earlier runs, and a reader's work that is saved to a file and taken
//! up again.

use std::path::PathBuf;

use bindpose_asset::Rig;
use bindpose_notebook::{
    Document, Edit, KeptPage, OWN_RIG, PageSnapshot, Preferences, PreferencesTable, link,
    model_name, work_text,
};
use bindpose_page::view::SaveRequest;
use eframe::egui::Context;

use super::Shell;
use super::kept_pages::{CrashOffer, KeptState, Waiting};
use crate::app::notice::{self, StandingNotice};
use crate::app::opening::FilePurpose;

/// What can be done about a save that failed.
const SAVE_ACTIONS: [&str; 3] = ["Try again", "Save my work…", "Not now"];
/// The same about the report of a run that broke off.
const CRASH_ACTIONS: [&str; 2] = ["Copy the report", "Close"];

impl Shell {
    /// Grows whenever something was done that may have to be remembered.
    pub fn changes(&self) -> u64 {
        self.changes + self.opening.recent.changes()
    }

    /// What to remember. Window size and position are the window's.
    pub fn preferences(&self) -> Preferences {
        let (page, waiting) = self.pages_to_remember();
        Preferences {
            dark: self.look.dark,
            zoom: self.look.zoom,
            less_motion: self.look.less_motion,
            contents: self.view.windows.contents,
            conventions: self.view.conventions,
            bench: self.view.bench.open,
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
            site: self.view.links.site.clone(),
            ..Preferences::default()
        }
    }
}

impl Shell {
    /// Gives the reader's work to be saved, if that was asked for.
    pub(super) fn save_work(&mut self) {
        if let Some(name) = self.exporting.wanted_work.take() {
            let bytes = work_text(&self.preferences()).into_bytes();
            self.view.files.saves.push(SaveRequest { name, bytes });
        }
    }

    /// Adds what is in the file to what is here, and goes to the page that was open
    /// when it was saved. What is of this machine stays.
    pub(super) fn take_work(&mut self, work: &PreferencesTable) {
        let (both, wrong) = self.preferences().with_work(work);
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
        } = both;
        (self.look.dark, self.look.zoom, self.look.less_motion) = (dark, zoom, less_motion);
        self.notebook.take_memory(progress, marks);
        self.notebook.take_kept(&kept);
        self.notebook.take_route(route.as_deref());
        self.view.bench.snapshots.waiting = snapshots;
        self.view.playing.stop();
        self.gesture += 1;
        self.changes += 1;
        if let Some(page) = page {
            self.go_to_kept(page);
        }
        self.notices.say("Your work is here, with what was here before. Go on where you left off.");
        if !wrong.is_empty() {
            let wrong = wrong.join(", ");
            self.notices.wrong(format!("Of the file, this could not be read: {wrong}."));
        }
    }
}

impl Shell {
    /// Opens the bench or closes it.
    pub fn open_bench(&mut self, open: bool) {
        self.view.bench.open = open;
    }

    pub(super) fn keep(&mut self, which: PageSnapshot) {
        let (document, derived) = (self.notebook.document(), self.notebook.derived());
        let snapshots = &mut self.view.bench.snapshots;
        snapshots.keep(which, document, &derived.stored_rig);
        let letter = if which == PageSnapshot::A { "A" } else { "B" };
        self.notices.say_instead(format!("The page is kept as {letter}."));
    }

    /// Snapshots as links, for the next run.
    pub(super) fn snapshot_links(&self) -> [Option<String>; 2] {
        let snapshots = &self.view.bench.snapshots;
        snapshots.links(|document, rig| self.notebook.link_to(document, rig))
    }

    /// Takes up the snapshots of the last run that are of the open lesson.
    pub(super) fn take_waiting_snapshots(&mut self) {
        let stored_rig = &self.notebook.derived().stored_rig;
        let snapshots = &mut self.view.bench.snapshots;
        for (place, which) in [PageSnapshot::A, PageSnapshot::B].into_iter().enumerate() {
            let link = snapshots.waiting[place].as_deref();
            if let Some(document) = link.and_then(|link| self.notebook.read_aside(link)) {
                snapshots.keep(which, &document, stored_rig);
            }
        }
    }

    /// Is the bench, or what it keeps, or how matrices are written, to be remembered
    /// anew?
    pub(super) fn note_bench(&mut self) {
        let bench = &self.view.bench;
        let now = (bench.open, bench.snapshots.revision(), self.view.conventions);
        if self.bench_noted != now {
            self.bench_noted = now;
            self.changes += 1;
        }
    }

    pub(super) fn flip(&mut self) {
        let (document, derived) = (self.notebook.document(), self.notebook.derived());
        let snapshots = &mut self.view.bench.snapshots;
        let Some((which, there)) = snapshots.flip(document, &derived.stored_rig) else {
            self.notices
                .say_instead("Nothing has been kept at this step yet: keep it as A or B first.");
            return;
        };
        self.view.playing.stop();
        let edit = Edit::Recall(which, Box::new(there));
        match self.notebook.edit(&edit, self.gesture) {
            Ok(()) => self.notices.say_instead(match which {
                PageSnapshot::A => "Snapshot A",
                PageSnapshot::B => "Snapshot B",
                PageSnapshot::Before => "As it was before",
            }),
            Err(refused) => self.notices.wrong(refused.to_string()),
        }
    }
}

impl Shell {
    /// Opens the page of the last run, as far as it can be.
    pub(super) fn open_kept(&mut self, preferences: &Preferences) {
        self.kept.model.clone_from(&preferences.model);
        self.kept.model_due = true;
        let silent = preferences.waiting.iter();
        let silent = silent.map(|page| Waiting {
            page: page.clone(),
            state: KeptState::Silent,
            stand_in: None,
        });
        self.kept.pages = silent.collect();
        for waiting in &mut self.kept.pages {
            let lessons = self.notebook.set.lessons.iter();
            let mut slugs = lessons.map(|lesson| &lesson.slug);
            let address = link::address(&waiting.page.link);
            let there = address.is_ok_and(|address| slugs.any(|slug| *slug == address.lesson));
            if there && waiting.named_model().is_none() {
                waiting.state = KeptState::Ready;
            }
        }
        if let Some(page) = preferences.page.clone() {
            self.go_to_kept(page);
        }
    }

    /// Opens a page that was kept, or what stands there until it can be opened.
    pub(super) fn go_to_kept(&mut self, page: KeptPage) {
        let state = match self.notebook.reopen(&page, self.gesture) {
            Ok(reopened) => {
                if let Some(remark) = reopened.remark {
                    self.notices.say(remark);
                }
                reopened.missing_model.map(|_| KeptState::Due)
            }
            // It is opened as soon as it can be.
            Err(_) if self.notebook.awaited().is_some() => None,
            Err(wrong) => Some(KeptState::Failed(format!("{wrong}."))),
        };
        self.notebook.forget_history();
        if let Some(state) = state {
            let stand_in = Some(self.notebook.document().clone());
            self.kept.keep(Waiting { page, state, stand_in });
        }
    }

    /// The page to remember, and those that wait.
    pub(super) fn pages_to_remember(&self) -> (KeptPage, Vec<KeptPage>) {
        let document = self.notebook.document();
        let untouched = |waiting: &&Waiting| waiting.stand_in.as_ref() == Some(document);
        let start = self.kept.pages.iter().find(untouched);
        let page = start.map_or_else(
            || {
                let here = self.notebook.kept_page();
                let on_model = link::own_model::named_model(&here.link).is_some();
                let model = self.model_file().filter(|_| on_model);
                KeptPage { model, ..here }
            },
            |start| start.page.clone(),
        );
        let others = self.kept.pages.iter();
        let others = others.filter(|waiting| !untouched(waiting));
        let others = others.map(|waiting| waiting.page.clone());
        (page, others.collect())
    }

    /// The file of the reader's model, open or not yet open again.
    pub(super) fn model_file(&self) -> Option<PathBuf> {
        match self.notebook.own() {
            Some(model) => self.opening.path_of(model),
            None => self.kept.model.clone(),
        }
    }

    /// Leaves the model of the last run unopened because another was named. Its page stays
    /// remembered, and comes back when that model is opened.
    pub(super) fn leave_kept_model(&mut self) {
        self.kept.model_due = false;
        for waiting in &mut self.kept.pages {
            if waiting.state == KeptState::Due {
                waiting.state = KeptState::Silent;
            }
        }
    }

    /// Begins to read the model that a kept page waits for, or that was open in
    /// the last run, when the page that stands on it is entered. Waits while the reader is
    /// told that another file did not open.
    pub(super) fn read_kept_model(&mut self, ctx: &Context) {
        let is_busy = self.opening.is_reading() || self.opening.has_failed();
        if is_busy || self.notebook.own().is_some() {
            return;
        }
        if let Some(index) = self.kept.index_of(&KeptState::Reading) {
            let why = self.opening.take_failure();
            let why = why.unwrap_or_else(|| "Opening it was stopped.".to_owned());
            self.kept.pages[index].state = KeptState::Failed(why);
            self.changes += 1;
        }
        if self.kept.index_of(&KeptState::Due).is_none() && self.notebook.lesson().rig == OWN_RIG {
            self.want_model_of_last_run();
        }
        let Some(index) = self.kept.index_of(&KeptState::Due) else {
            return;
        };
        let waiting = &self.kept.pages[index];
        let name = waiting.named_model().unwrap_or_default();
        let recent = || self.opening.recent.named(&name).map(PathBuf::from);
        let Some(file) = waiting.page.model.clone().or_else(recent) else {
            let why = "It is not among the files that were opened before: open it.".to_owned();
            self.kept.pages[index].state = KeptState::Failed(why);
            return;
        };
        self.kept.pages[index].state = KeptState::Reading;
        self.kept.model_due = false;
        self.opening.begin_kept(ctx, file);
    }

    /// The open page stands on the reader's model: the one of the last run is
    /// wanted, once.
    fn want_model_of_last_run(&mut self) {
        if !std::mem::take(&mut self.kept.model_due) {
            return;
        }
        let Some(file) = self.kept.model.clone() else {
            return;
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let kept = self.kept.pages.iter().find(|waiting| {
            waiting.state == KeptState::Silent && waiting.named_model().as_deref() == Some(&*name)
        });
        let page = kept.map_or_else(
            || {
                let here = self.notebook.kept_page();
                let page = here.link.split('?').next().unwrap_or_default();
                KeptPage { link: link::own_model::name_model(page, &name), ..here }
            },
            |kept| kept.page.clone(),
        );
        let stand_in = Some(self.notebook.document().clone());
        self.kept.keep(Waiting {
            page: KeptPage { model: Some(file), ..page },
            state: KeptState::Due,
            stand_in,
        });
    }

    /// A model was opened: the page that was made on it is taken up again.
    pub(super) fn take_up_page_on(&mut self, model: &Rig, before: &Document) {
        let name = model_name(model);
        let pages = self.kept.pages.iter();
        let mut on_it = pages.map(|waiting| waiting.named_model().as_deref() == Some(name));
        let Some(index) = on_it.position(|is| is) else {
            return;
        };
        let waiting = self.kept.pages.remove(index);
        self.reopen(waiting, before);
    }

    /// Opens a page that waited; `before`: the page that stood there until now.
    fn reopen(&mut self, mut waiting: Waiting, before: &Document) {
        self.gesture += 1;
        match self.notebook.reopen(&waiting.page, self.gesture) {
            Ok(reopened) => {
                if let Some(remark) = reopened.remark {
                    self.notices.say(remark);
                }
                if waiting.stand_in.as_ref() == Some(before) {
                    self.notebook.forget_history();
                }
                self.view.scroll.to_top = true;
            }
            Err(wrong) => {
                waiting.state = KeptState::Failed(format!("{wrong}."));
                self.kept.keep(waiting);
            }
        }
        self.changes += 1;
    }

    /// Those that have something to say.
    pub(super) fn told_pages(&self) -> impl Iterator<Item = (usize, &Waiting)> {
        let pages = self.kept.pages.iter().enumerate();
        pages.filter(|(_, waiting)| waiting.words().is_some())
    }

    /// What the reader has chosen among [`Waiting::actions`] of a page.
    pub(super) fn act_on_page(&mut self, ctx: &Context, index: usize, action: usize) {
        let waiting = self.kept.pages.remove(index);
        match action {
            // A model that is open now would not be looked at.
            0 if waiting.named_model().is_some() => {
                let file = waiting.page.model.clone();
                self.kept.pages.insert(index, waiting);
                match file {
                    Some(file) => self.opening.begin_files(ctx, vec![file]),
                    None => self.opening.ask(ctx, FilePurpose::Page),
                }
            }
            0 => {
                let before = self.notebook.document().clone();
                self.reopen(waiting, &before);
            }
            1 => {
                if self.kept.model == waiting.page.model {
                    self.kept.model = None;
                }
                self.changes += 1;
            }
            _ => {
                let state = KeptState::Silent;
                self.kept.pages.insert(index, Waiting { state, ..waiting });
            }
        }
    }
}

impl Shell {
    /// Says why the last save failed, for people; `None`: it did not.
    pub fn set_save_failure(&mut self, why: Option<String>) {
        self.save.why = why;
    }

    /// Does the reader want the save tried again? Answers once.
    pub fn take_save_retry(&mut self) -> bool {
        std::mem::take(&mut self.save.retry)
    }

    pub(super) fn standing_notices(&mut self, ctx: &Context) {
        let mut notices = Vec::new();
        let failure = self.save.why.as_ref();
        let failure = failure.filter(|why| self.save.put_off.as_ref() != Some(why));
        let of_save = usize::from(failure.is_some());
        notices.extend(failure.map(|why| StandingNotice {
            text: format!(
                "{why}. Progress and the open page are in this window only, and are lost when it \
                 is closed."
            ),
            wrong: true,
            actions: &SAVE_ACTIONS,
        }));
        let pages: Vec<usize> = self.told_pages().map(|(index, _)| index).collect();
        notices.extend(self.told_pages().map(|(_, waiting)| StandingNotice {
            text: waiting.words().unwrap_or_default(),
            wrong: false,
            actions: waiting.actions(),
        }));
        // Below the others, whose numbers stay.
        let of_crash = notices.len();
        notices.extend(self.crash.as_ref().map(|crash| StandingNotice {
            text: crash.words.clone(),
            wrong: false,
            actions: &CRASH_ACTIONS,
        }));
        let Some((notice, action)) = notice::show_standing(ctx, &self.look.theme, &notices) else {
            return;
        };
        match notice.checked_sub(of_save) {
            Some(_) if notice == of_crash => {
                let report = self.crash.take().filter(|_| action == 0);
                if let Some(CrashOffer { text, .. }) = report {
                    ctx.copy_text(text);
                    self.copying.words = Some("The report is on the clipboard.");
                }
            }
            Some(page) => self.act_on_page(ctx, pages[page], action),
            None if action == 0 => self.save.retry = true,
            None if action == 1 => {
                self.exporting.wanted_work = Some("bindpose-work.json".to_owned());
            }
            None => self.save.put_off.clone_from(&self.save.why),
        }
        ctx.request_repaint();
    }
}
