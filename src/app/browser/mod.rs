//! The notebook in a page of a browser.

mod address_bar;
mod fetching;
mod storage;

use eframe::egui::{self, Ui};
use eframe::wasm_bindgen::JsValue;
use eframe::{WebOptions, WebRunner};
use web_sys::HtmlCanvasElement;

use super::shell::{Shell, ShellOptions};
use crate::asset::builtin_file;
use crate::lesson::{LessonSet, find_lesson};
use crate::notebook::{KeptPage, Preferences, builtin_id, link};
use crate::shipped;
use crate::ui::theme;
use address_bar::AddressBar;
use fetching::Fetching;
use storage::PreferencesStorage;

/// A notebook on a canvas.
pub struct BrowserNotebook {
    runner: WebRunner,
}

impl BrowserNotebook {
    /// Opens the built-in lessons on `canvas`, at the page that the address bar
    /// names; else, where the reader left off.
    ///
    /// # Errors
    /// What the browser lacks, in words; in a console they would be too late.
    pub async fn start(canvas: HtmlCanvasElement) -> Result<Self, JsValue> {
        let fetching = Fetching::new().ok_or("there is no page")?;
        fetching.need(shipped::FIRST).await?;
        let opened = Opened::read();
        if let Some(file) = opened.rig_file() {
            // Without it, the notebook says what it waits for, and why.
            let _ = fetching.need(&[file]).await;
        }
        let runner = WebRunner::new();
        let options = WebOptions {
            // The page has no depth of its own; viewports bring theirs.
            depth_buffer: 0,
            ..WebOptions::default()
        };
        let app = Box::new(|cc: &eframe::CreationContext<'_>| {
            let page = Page::open(cc, opened, fetching)?;
            Ok(Box::new(page) as Box<dyn eframe::App>)
        });
        runner.start(canvas, options, app).await?;
        Ok(Self { runner })
    }

    /// What the program said when it broke off; `None` while it runs.
    #[must_use]
    pub fn panic_message(&self) -> Option<String> {
        self.runner.panic_summary().map(|panic| panic.message())
    }

    /// Leaves the canvas alone from now on.
    pub fn end(&self) {
        self.runner.destroy();
    }
}

/// What the notebook is opened with.
struct Opened {
    set: LessonSet,
    preferences: Preferences,
    storage: PreferencesStorage,
    address: Option<AddressBar>,
    /// What is wrong with the storage.
    complaint: Option<String>,
}

impl Opened {
    fn read() -> Self {
        let set = LessonSet::embedded();
        let (storage, preferences, complaint) = PreferencesStorage::open();
        let (address, link) = AddressBar::read(&set).unzip();
        let asked_for = link.flatten().map(|link| KeptPage {
            link,
            ..KeptPage::default()
        });
        let preferences = Preferences {
            page: asked_for.or_else(|| preferences.page.clone()),
            ..preferences
        };
        Self {
            set,
            preferences,
            storage,
            address,
            complaint,
        }
    }

    /// The file of the rig that the first page stands on, if it has one.
    fn rig_file(&self) -> Option<&'static str> {
        let page = self.preferences.page.as_ref();
        let address = page.and_then(|page| link::address(&page.link).ok());
        let lesson =
            address.and_then(|address| find_lesson(&self.set.lessons, &address.lesson).ok());
        let lesson = self.set.lessons.get(lesson.unwrap_or(0))?;
        builtin_file(builtin_id(&lesson.rig))
    }
}

struct Page {
    shell: Shell,
    fetching: Fetching,
    /// How many files had come when the faces were last given to egui.
    arrivals: u64,
    address: Option<AddressBar>,
    storage: PreferencesStorage,
    /// [`Shell::changes`] when the address and the storage were last brought up to
    /// date.
    kept_changes: Option<u64>,
}

impl Page {
    fn open(
        cc: &eframe::CreationContext<'_>,
        opened: Opened,
        fetching: Fetching,
    ) -> Result<Self, super::ShellError> {
        let Opened {
            set,
            preferences,
            storage,
            address,
            complaint,
        } = opened;
        let options = ShellOptions {
            set,
            preferences,
            ..ShellOptions::default()
        };
        let mut shell = Shell::new(&cc.egui_ctx, cc.gl.clone(), options)?;
        if let Some(complaint) = complaint {
            shell.warn(complaint);
        }
        Ok(Self {
            shell,
            fetching,
            arrivals: shipped::arrivals(),
            address,
            storage,
            kept_changes: None,
        })
    }

    /// Goes where the reader went by the browser's own buttons.
    fn follow_address(&mut self) {
        let set = &self.shell.notebook().set;
        let link = self.address.as_mut().and_then(|bar| bar.changed(set));
        if let Some(Err(wrong)) = link.map(|link| self.shell.follow(&link)) {
            self.shell.warn(wrong);
        }
    }

    /// Begins to fetch what a frame found missing, and takes the faces that came.
    fn fetch(&mut self, ctx: &egui::Context) {
        self.fetching.fetch_wanted(ctx);
        let arrivals = shipped::arrivals();
        // Together: with each set of faces all text is laid out anew.
        if self.arrivals != arrivals && !shipped::are_faces_coming() {
            self.arrivals = arrivals;
            ctx.set_fonts(theme::fonts());
            ctx.request_repaint();
        }
    }

    fn keep(&mut self) {
        // The page that is asked for is not the one that is open.
        if self.shell.notebook().awaited().is_some() {
            return;
        }
        let changes = self.shell.changes();
        if self.kept_changes == Some(changes) {
            return;
        }
        self.kept_changes = Some(changes);
        let notebook = self.shell.notebook();
        if let Some(bar) = &mut self.address {
            bar.show(&notebook.link(), &notebook.set);
        }
        let written = self.storage.write(&self.shell.preferences());
        self.shell.set_save_failure(written.err());
    }
}

impl eframe::App for Page {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.follow_address();
        self.shell.ui(ui);
        self.fetch(ui.ctx());
        // While something is dragged, it changes with each frame.
        if !ui.ctx().input(|input| input.pointer.any_down()) {
            self.keep();
        }
        if self.shell.take_save_retry() {
            self.kept_changes = None;
        }
    }

    fn save(&mut self, _storage: &mut dyn eframe::Storage) {
        self.keep();
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.shell.destroy();
    }

    fn persist_egui_memory(&self) -> bool {
        false
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }
}
