//! The notebook in a page of a browser.

mod accessibility;
mod address_bar;
mod storage;

use eframe::egui::{self, Ui};
use eframe::wasm_bindgen::JsValue;
use eframe::{WebOptions, WebRunner};
use web_sys::HtmlCanvasElement;

use super::shell::{Shell, ShellOptions};
use crate::lesson::LessonSet;
use crate::notebook::{KeptPage, Notebook, Preferences};
use address_bar::AddressBar;
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
        let seen_on = canvas.clone();
        let app = Box::new(move |cc: &eframe::CreationContext<'_>| {
            let page = Page::open(cc)?;
            // Without it the page works as before, for those who see it.
            if accessibility::install(&cc.egui_ctx, &seen_on).is_err() {
                log::error!("no elements for screen readers");
            }
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
            ..ShellOptions::default()
        };
        let mut shell = Shell::new(&cc.egui_ctx, cc.gl.clone(), options)?;
        if let Some(complaint) = complaint {
            shell.warn(complaint);
        }
        Ok(Self {
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
        show_title(notebook);
        let written = self.storage.write(&self.shell.preferences());
        self.shell.set_save_failure(written.err());
    }
}

/// In the browser's tab, its history and the lists of screen readers.
fn show_title(notebook: &Notebook) {
    let step = notebook.step().map_or("", |step| step.title.as_str());
    let title = format!("{step} · {} · Bindpose", notebook.lesson().title);
    let document = web_sys::window().and_then(|window| window.document());
    if let Some(document) = document.filter(|document| document.title() != title) {
        document.set_title(&title);
    }
}

impl eframe::App for Page {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.follow_address();
        self.shell.ui(ui);
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
