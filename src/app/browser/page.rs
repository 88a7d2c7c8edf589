//! The notebook of a browser's page, with the address bar, what is remembered, and
//! the teacher's window.

use bindpose_notebook::link::PagePart;
use bindpose_page::theme;
use bindpose_render::MovingPictures;
use bindpose_shipped as shipped;
use eframe::egui::{Context, RawInput, Ui};
use web_sys::HtmlCanvasElement;

use super::address_bar::AddressBar;
use super::device::Device;
use super::fetching::Fetching;
use super::opened::Opened;
use super::page_events::PageEvents;
use super::printing;
use super::storage::PreferencesStorage;
use super::teachers_popup::TeachersPopup;
use crate::app::handout::make_stills;
use crate::app::shell::{Shell, ShellError, ShellOptions};

/// Between two times that the address and the storage are brought up to date while
/// a page changes all the time, in seconds. Browsers allow about three a second.
const KEEP_SECS: f64 = 0.5;

/// Before the faces that a lesson is printed with are asked for, in seconds: what is
/// in sight comes first.
const FACES_SECS: f64 = 4.0;

pub(super) struct Page {
    shell: Shell,
    fetching: Fetching,
    /// How many files had come when the faces were last given to egui.
    arrivals: u64,
    /// The open lesson, and when the faces that it is printed with are to be asked
    /// for, in seconds; absent: they were.
    printed: (String, Option<f64>),
    /// Of the canvas that it is on.
    ctx: Context,
    /// `None` where the browser lacks what it takes.
    device: Option<Device>,
    address: Option<AddressBar>,
    /// Absent in a part of the notebook, which remembers nothing.
    storage: Option<PreferencesStorage>,
    popup: TeachersPopup,
    events: PageEvents,
    /// [`Shell::changes`] when the address and the storage were last brought up to
    /// date, and when that was.
    kept: Option<(u64, f64)>,
    /// The step that they have, by lesson and number from 0.
    written_step: (String, usize),
}

impl Page {
    /// At the page of the address bar, on its first canvas.
    pub(super) fn open(
        cc: &eframe::CreationContext<'_>,
        canvas: HtmlCanvasElement,
        opened: Opened,
    ) -> Result<Self, ShellError> {
        let Opened { set, preferences, storage, complaints, query, site, fetching } = opened;
        let address = AddressBar::read(site.clone(), &cc.egui_ctx);
        let options = ShellOptions {
            set,
            preferences,
            site: Some(site),
            stills: Some(make_stills),
            moving: MovingPictures::InTime,
            ..ShellOptions::default()
        };
        let mut shell = Shell::new(&cc.egui_ctx, cc.gl.clone(), options)?;
        if query.part != PagePart::Whole {
            shell.show_only(query.part, query.dark);
        }
        for complaint in complaints {
            shell.warn(complaint);
        }
        let popup = match query.part {
            PagePart::Whole => TeachersPopup::of_notebook(&cc.egui_ctx),
            PagePart::Stage => TeachersPopup::none(),
            PagePart::TeachersWindow => TeachersPopup::in_window(&cc.egui_ctx, &mut shell),
        };
        let events = PageEvents::listen(&cc.egui_ctx);
        Ok(Self {
            shell,
            fetching,
            arrivals: shipped::arrivals(),
            printed: Default::default(),
            events,
            ctx: cc.egui_ctx.clone(),
            device: Device::attach(canvas, &cc.egui_ctx).ok(),
            address,
            storage,
            popup,
            kept: None,
            written_step: Default::default(),
        })
    }

    /// Goes on on another canvas.
    pub(super) fn move_to(
        &mut self,
        cc: &eframe::CreationContext<'_>,
        canvas: HtmlCanvasElement,
    ) -> Result<(), ShellError> {
        self.device = Device::attach(canvas, &cc.egui_ctx).ok();
        let from = std::mem::replace(&mut self.ctx, cc.egui_ctx.clone());
        self.shell.move_to(&from, &cc.egui_ctx, cc.gl.clone())
    }

    /// There is no canvas for now.
    pub(super) fn leave(&mut self) {
        self.device = None;
        self.shell.destroy();
    }

    /// What fingers do, and what covers the page, before a frame.
    pub(super) fn take_input(&mut self, ctx: &Context, input: &mut RawInput) {
        if let Some(device) = &mut self.device {
            device.announce_fingers(input);
            device.date_presses(ctx, input);
            device.keep_sharp(ctx);
            input.safe_area_insets = Some(device.insets(ctx));
        }
    }

    /// One frame.
    pub(super) fn ui(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        self.follow_address();
        self.popup.update(&mut self.shell, &ctx);
        if let Some(device) = &mut self.device {
            device.before_frame(&ctx, &mut self.shell);
        }
        self.events.before_frame(&ctx, &mut self.shell);
        self.shell.ui(ui);
        if let Some(device) = &mut self.device {
            device.after_frame(&ctx, &self.shell);
        }
        self.popup.tell(&mut self.shell, ui.ctx());
        self.fetch(&ctx);
        // While something is dragged, it changes with each frame.
        if !ui.ctx().input(|input| input.pointer.any_down()) {
            self.keep_in_time(ui.ctx());
        }
        if self.shell.take_save_retry() {
            self.kept = None;
            ui.ctx().request_repaint();
        }
    }

    /// The browser is about to print.
    pub(super) fn begin_printing(&mut self) {
        let notebook = self.shell.notebook();
        printing::begin(&notebook.set, &notebook.lesson().slug);
    }

    /// The reader leaves.
    pub(super) fn end(&mut self) {
        self.keep(0.0);
        self.popup.end();
    }

    /// Begins to fetch what a frame found missing, and takes the faces that came.
    fn fetch(&mut self, ctx: &Context) {
        self.ask_for_printed_faces(ctx);
        self.fetching.fetch_wanted(ctx);
        let arrivals = shipped::arrivals();
        // Together: with each set of faces all text is laid out anew.
        if self.arrivals != arrivals && !shipped::are_faces_coming() {
            self.arrivals = arrivals;
            ctx.set_fonts(theme::fonts());
            ctx.request_repaint();
        }
    }

    /// The browser does not wait for them when it prints.
    fn ask_for_printed_faces(&mut self, ctx: &Context) {
        let now_secs = ctx.input(|input| input.time);
        let notebook = self.shell.notebook();
        let slug = &notebook.lesson().slug;
        if self.printed.0 != *slug {
            self.printed = (slug.clone(), Some(now_secs + FACES_SECS));
            ctx.request_repaint_after_secs(FACES_SECS as f32);
        }
        if self.printed.1.is_some_and(|at_secs| now_secs >= at_secs) {
            printing::ask_for_faces(&notebook.set, slug);
            self.printed.1 = None;
        }
    }

    /// Goes where the reader went by the browser's own buttons.
    fn follow_address(&mut self) {
        let set = &self.shell.notebook().set;
        let link = self.address.as_mut().and_then(|bar| bar.changed(set));
        if let Some(Err(wrong)) = link.map(|link| self.shell.follow(&link)) {
            self.shell.warn(wrong);
        }
    }

    fn keep_in_time(&mut self, ctx: &Context) {
        let changes = self.shell.changes();
        let now_secs = ctx.input(|input| input.time);
        if let Some((kept, at_secs)) = self.kept {
            let wait_secs = at_secs + KEEP_SECS - now_secs;
            if kept == changes {
                return;
            }
            if wait_secs > 0.0 && self.written_step == self.here() {
                ctx.request_repaint_after_secs(wait_secs as f32);
                return;
            }
        }
        if !self.keep(now_secs) {
            // The browser allows no more of it for some seconds.
            ctx.request_repaint_after_secs(5.0);
        }
    }

    fn here(&self) -> (String, usize) {
        let document = self.shell.notebook().document();
        (document.lesson.clone(), document.step)
    }

    /// Address and storage, as the page is now. False when the address has to be
    /// written again.
    fn keep(&mut self, now_secs: f64) -> bool {
        let Some(storage) = &mut self.storage else {
            return true;
        };
        let notebook = self.shell.notebook();
        // The page that is asked for is not the one that is open.
        if notebook.awaited().is_some() {
            return true;
        }
        let bar = self.address.as_mut();
        let written = bar.is_none_or(|bar| bar.show(notebook));
        let stored = storage.write(&self.shell.preferences());
        self.shell.set_save_failure(stored.err());
        self.written_step = self.here();
        self.kept = written.then(|| (self.shell.changes(), now_secs));
        written
    }
}
