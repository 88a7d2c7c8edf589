//! The notebook in a page of a browser.

mod address_bar;
mod device;
mod storage;

use eframe::egui::{self, Ui};
use eframe::wasm_bindgen::JsValue;
use eframe::{WebOptions, WebRunner};
use web_sys::HtmlCanvasElement;

use super::shell::{Shell, ShellOptions};
use crate::lesson::LessonSet;
use crate::notebook::{KeptPage, Preferences};
use address_bar::AddressBar;
use device::Device;
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
        let shown_on = canvas.clone();
        let app = Box::new(move |cc: &eframe::CreationContext<'_>| {
            let page = Page::open(cc, shown_on)?;
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
    /// `None` where the browser lacks what it takes.
    device: Option<Device>,
    /// [`Shell::changes`] when the address and the storage were last brought up to
    /// date.
    kept_changes: Option<u64>,
}

impl Page {
    fn open(
        cc: &eframe::CreationContext<'_>,
        canvas: HtmlCanvasElement,
    ) -> Result<Self, super::ShellError> {
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
            device: Device::attach(canvas, &cc.egui_ctx).ok(),
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
    fn raw_input_hook(&mut self, ctx: &egui::Context, input: &mut egui::RawInput) {
        if let Some(device) = &mut self.device {
            device.announce_fingers(input);
            device.keep_sharp(ctx);
            input.safe_area_insets = Some(device.insets(ctx));
        }
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        self.follow_address();
        if let Some(device) = &mut self.device {
            device.before_frame(&ctx, &mut self.shell);
        }
        self.shell.ui(ui);
        if let Some(device) = &mut self.device {
            device.after_frame(&ctx, &self.shell);
        }
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
