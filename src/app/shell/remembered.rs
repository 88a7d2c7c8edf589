//! What the program remembers from one run to the next: preferences, snapshots of the
//! bench, and a reader's work that is saved to a file and taken up again.

use bindpose_notebook::{Edit, PageSnapshot, Preferences, PreferencesTable, work_text};
use bindpose_page::view::SaveRequest;

use super::Shell;

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
        self.notebook.progress = progress;
        self.notebook.marks = marks;
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
