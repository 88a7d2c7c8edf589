//! The notebook in a page of a browser.

mod address_bar;
mod given_files;
mod page_events;
mod printing;
mod storage;

use eframe::egui::{self, Ui};
use eframe::wasm_bindgen::JsValue;
use eframe::{WebOptions, WebRunner};
use web_sys::HtmlCanvasElement;

use super::handout::make_stills;
use super::shell::{Shell, ShellOptions};
use crate::lesson::LessonSet;
use crate::notebook::{KeptPage, Preferences};
use address_bar::AddressBar;
use page_events::PageEvents;
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
        let runner = WebRunner::new();
        let options = WebOptions {
            // The page has no depth of its own; viewports bring theirs.
            depth_buffer: 0,
            ..WebOptions::default()
        };
        let app = Box::new(|cc: &eframe::CreationContext<'_>| {
            let page = Page::open(cc)?;
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

struct Page {
    shell: Shell,
    address: Option<AddressBar>,
    storage: PreferencesStorage,
    events: PageEvents,
    /// [`Shell::changes`] when the address and the storage were last brought up to
    /// date.
    kept_changes: Option<u64>,
}

impl Page {
    fn open(cc: &eframe::CreationContext<'_>) -> Result<Self, super::ShellError> {
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
        let options = ShellOptions {
            set,
            preferences,
            stills: Some(make_stills),
        };
        let mut shell = Shell::new(&cc.egui_ctx, cc.gl.clone(), options)?;
        if let Some(complaint) = complaint {
            shell.warn(complaint);
        }
        let events = PageEvents::listen(&cc.egui_ctx, &shell);
        Ok(Self {
            events,
            shell,
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

    fn keep(&mut self) {
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
        let ctx = ui.ctx().clone();
        self.events.before_frame(&ctx, &mut self.shell);
        self.shell.ui(ui);
        self.events.after_frame(&ctx, &mut self.shell);
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
