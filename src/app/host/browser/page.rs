//! The notebook in a page of a browser, with its address bar, stored preferences, and
//! teacher's window.

use std::future::Future;
use std::pin::Pin;
use std::sync::mpsc::{Receiver, Sender, channel};

use bindpose_fetch as fetch;
use bindpose_kit::theme;
use bindpose_notebook::link::PagePart;
use bindpose_render::MovingPictures;
use eframe::egui::{Context, Key, Modifiers, RawInput, Ui};
use js_sys::{Array, Function, Promise, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    ClipboardEvent, DataTransfer, DragEvent, Event, File, FileSystemDirectoryEntry,
    FileSystemEntry, FileSystemFileEntry, HtmlCanvasElement,
};

use super::class_line::ClassLine;
use super::device::BrowserDevice;
use super::printing;
use super::startup::{AssetFetcher, PreferencesStorage, Startup};
use super::system_settings::SystemSettingsEvents;
use super::teachers_popup::{AddressBar, HistoryTarget, TeachersPopup};
use super::web_document::{Listener, is_whole};
use crate::app::handout::make_stills;
use crate::app::shell::{Shell, ShellError, ShellOptions};

/// Minimum time between two updates of the address and the storage while a page changes
/// continuously. Browsers allow about three address changes per second.
const MIN_SAVE_INTERVAL_SECS: f64 = 0.5;

/// Time before the next attempt if the browser rejects a change of the address.
const SAVE_RETRY_SECS: f32 = 5.0;

/// Delay before the font faces that a lesson is printed with are requested, so that visible
/// content loads first.
const PRINT_FACES_DELAY_SECS: f64 = 4.0;

pub(super) struct Page {
    shell: Shell,
    fetcher: AssetFetcher,
    /// Number of files that had arrived when egui last received the font faces.
    finished_fetches: u64,
    print_faces: PrintFaces,
    /// The egui context of the current canvas.
    ctx: Context,
    /// `None` if the browser lacks a required feature.
    device: Option<BrowserDevice>,
    address: Option<AddressBar>,
    /// `None` in a part of the notebook, which stores nothing.
    storage: Option<PreferencesStorage>,
    popup: TeachersPopup,
    /// `None` if the page is not part of a class.
    class: Option<ClassLine>,
    events: PageEvents,
    /// Requests a frame when `web/page/start.js` has loaded all parts of the program. `None`
    /// once they are loaded.
    whole_listener: Option<Listener>,
    /// Whether the web page was notified that a lesson waits for its text.
    is_lack_reported: bool,
    last_save: Option<LastSave>,
    /// Lesson and step index that the address and the storage hold. `None` for the cover.
    saved_step: Option<(String, usize)>,
}

/// Schedule of the font faces that the open lesson is printed with.
#[derive(Default)]
struct PrintFaces {
    /// Slug of the open lesson.
    lesson: String,
    /// Time of the request, in seconds. `None` once the faces were requested.
    due_secs: Option<f64>,
}

/// The last complete update of the address and the storage.
struct LastSave {
    /// [`Shell::changes`] at that time.
    changes: u64,
    at_secs: f64,
}

impl Page {
    /// Opens the page that the address bar names, on its first canvas.
    pub(super) fn open(
        cc: &eframe::CreationContext<'_>,
        canvas: HtmlCanvasElement,
        startup: Startup,
    ) -> Result<Self, ShellError> {
        let Startup { set, preferences, storage, complaints, query, site, shows_cover, fetcher } =
            startup;
        let address = AddressBar::new(site.clone(), &cc.egui_ctx);
        let options = ShellOptions {
            set,
            preferences,
            site: Some(site),
            make_stills: Some(make_stills),
            moving: MovingPictures::InTime,
            ..ShellOptions::default()
        };
        let mut shell = Shell::new(&cc.egui_ctx, cc.gl.clone(), options)?;
        if query.part != PagePart::Whole {
            shell.set_part(query.part, query.dark);
        }
        if shows_cover {
            shell.open_cover();
        }
        for complaint in complaints {
            shell.show_error(complaint);
        }
        let popup = match query.part {
            PagePart::Whole => TeachersPopup::for_notebook(&cc.egui_ctx),
            PagePart::Stage => TeachersPopup::inactive(),
            PagePart::TeachersWindow => TeachersPopup::for_window(&cc.egui_ctx, &mut shell),
        };
        let in_class = query.in_class && query.part == PagePart::Whole;
        let class = in_class.then(|| ClassLine::listen(&cc.egui_ctx)).flatten();
        let events = PageEvents::listen(&cc.egui_ctx);
        let ctx = cc.egui_ctx.clone();
        let whole_listener = web_sys::window()
            .map(|window| Listener::new(&window, "bindpose-whole", move |_| ctx.request_repaint()));
        shell.set_waiting_for_parts(whole_listener.is_some());
        Ok(Self {
            shell,
            whole_listener,
            is_lack_reported: false,
            fetcher,
            finished_fetches: fetch::finished_count(),
            print_faces: PrintFaces::default(),
            events,
            ctx: cc.egui_ctx.clone(),
            device: BrowserDevice::attach(canvas, &cc.egui_ctx).ok(),
            address,
            storage,
            popup,
            class,
            last_save: None,
            saved_step: None,
        })
    }

    /// Moves the page to another canvas.
    pub(super) fn move_to(
        &mut self,
        cc: &eframe::CreationContext<'_>,
        canvas: HtmlCanvasElement,
    ) -> Result<(), ShellError> {
        self.device = BrowserDevice::attach(canvas, &cc.egui_ctx).ok();
        let previous_ctx = std::mem::replace(&mut self.ctx, cc.egui_ctx.clone());
        self.shell.move_to(&previous_ctx, &cc.egui_ctx, cc.gl.clone())
    }

    /// Releases the canvas and its GL objects.
    pub(super) fn leave_canvas(&mut self) {
        self.device = None;
        self.shell.destroy();
    }

    /// Adds touch input and the safe area to egui's input before a frame.
    pub(super) fn adapt_input(&mut self, ctx: &Context, input: &mut RawInput) {
        if let Some(device) = &mut self.device {
            device.announce_touch(input);
            device.compensate_click_delays(ctx, input);
            device.match_screen_pixels(ctx);
            input.safe_area_insets = Some(device.safe_area_insets(ctx));
        }
    }

    pub(super) fn ui(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        self.follow_address();
        self.popup.before_frame(&mut self.shell, &ctx);
        self.use_loaded_parts();
        if let Some(device) = &mut self.device {
            device.before_frame(&ctx, &mut self.shell);
        }
        self.events.before_frame(&ctx, &mut self.shell);
        if let Some(class) = &self.class {
            class.before_frame(&mut self.shell);
        }
        self.shell.ui(ui);
        if let Some(class) = &self.class {
            class.after_frame(&mut self.shell);
        }
        if let Some(device) = &mut self.device {
            device.after_frame(&ctx, &self.shell);
        }
        self.popup.after_frame(&mut self.shell, ui.ctx());
        self.fetch_missing(&ctx);
        self.report_lacking_text();
        // During a drag, the state changes in each frame.
        if !ui.ctx().input(|input| input.pointer.any_down()) {
            self.save_if_due(ui.ctx());
        }
        if self.shell.take_save_retry() {
            self.last_save = None;
            ui.ctx().request_repaint();
        }
    }

    /// Prepares the printed text when the browser is about to print.
    pub(super) fn begin_printing(&mut self) {
        let notebook = self.shell.notebook();
        printing::insert_printed_text(&notebook.set, &notebook.lesson().slug);
    }

    /// Saves the state and closes the connection to the other page when the reader leaves.
    pub(super) fn close(&mut self) {
        self.save(0.0);
        self.popup.close();
    }

    /// Takes loaded parts into use once all of them are here. Reading lessons again before that
    /// would call functions that no page calls before it is live.
    fn use_loaded_parts(&mut self) {
        if self.whole_listener.is_some() && is_whole() {
            self.whole_listener = None;
            self.shell.reload_lesson_texts();
            self.shell.set_waiting_for_parts(false);
        }
    }

    /// Notifies the web page once of a lesson that waits for its text. The web page knows why
    /// the text does not arrive.
    fn report_lacking_text(&mut self) {
        let awaited = self.shell.notebook().awaited();
        let lacks_text = awaited.is_some_and(|awaited| awaited.rig.is_none());
        if lacks_text
            && !self.is_lack_reported
            && let Some(window) = web_sys::window()
            && let Ok(event) = Event::new("bindpose-lacks-text")
        {
            let _ = window.dispatch_event(&event);
        }
        self.is_lack_reported = lacks_text;
    }

    /// Starts fetching files that a frame found missing, and loads font faces that have
    /// arrived.
    fn fetch_missing(&mut self, ctx: &Context) {
        self.request_print_faces(ctx);
        self.fetcher.fetch_wanted(ctx);
        let finished_fetches = fetch::finished_count();
        // All faces at once, because each new set of faces lays out all text again.
        if self.finished_fetches != finished_fetches && !fetch::is_any_font_pending() {
            self.finished_fetches = finished_fetches;
            ctx.set_fonts(theme::fonts());
            ctx.request_repaint();
        }
    }

    /// Requests the faces of a printed lesson in advance, because the browser does not wait for
    /// them when it prints.
    fn request_print_faces(&mut self, ctx: &Context) {
        let now_secs = ctx.input(|input| input.time);
        let notebook = self.shell.notebook();
        let slug = &notebook.lesson().slug;
        if self.print_faces.lesson != *slug {
            self.print_faces = PrintFaces {
                lesson: slug.clone(),
                due_secs: Some(now_secs + PRINT_FACES_DELAY_SECS),
            };
            ctx.request_repaint_after_secs(PRINT_FACES_DELAY_SECS as f32);
        }
        if self.print_faces.due_secs.is_none_or(|due_secs| now_secs < due_secs) {
            return;
        }
        // The code that writes handouts is in the second part of the program.
        if is_whole() {
            printing::request_faces(&notebook.set, slug);
            self.print_faces.due_secs = None;
        } else {
            self.print_faces.due_secs = Some(now_secs + PRINT_FACES_DELAY_SECS);
            ctx.request_repaint_after_secs(PRINT_FACES_DELAY_SECS as f32);
        }
    }

    /// Opens the page that the reader reached with the browser's own buttons.
    fn follow_address(&mut self) {
        let set = &self.shell.notebook().set;
        match self.address.as_mut().and_then(|bar| bar.take_target(set)) {
            None => {}
            Some(HistoryTarget::Cover) => self.shell.open_cover(),
            Some(HistoryTarget::Link(link)) => {
                if let Err(problem) = self.shell.open_link(&link) {
                    self.shell.show_error(problem);
                }
            }
        }
    }

    fn save_if_due(&mut self, ctx: &Context) {
        let changes = self.shell.changes();
        let now_secs = ctx.input(|input| input.time);
        if let Some(last) = &self.last_save {
            if last.changes == changes {
                return;
            }
            let wait_secs = last.at_secs + MIN_SAVE_INTERVAL_SECS - now_secs;
            if wait_secs > 0.0 && self.saved_step == self.current_step() {
                ctx.request_repaint_after_secs(wait_secs as f32);
                return;
            }
        }
        if !self.save(now_secs) {
            ctx.request_repaint_after_secs(SAVE_RETRY_SECS);
        }
    }

    /// Lesson and step index of the open page. Returns `None` on the cover.
    fn current_step(&self) -> Option<(String, usize)> {
        let document = self.shell.notebook().document();
        (!self.shell.is_on_cover()).then(|| (document.lesson.clone(), document.step))
    }

    /// Writes the current state to the address and the storage. Returns false if the browser
    /// rejected the address.
    fn save(&mut self, now_secs: f64) -> bool {
        let Some(storage) = &mut self.storage else {
            return true;
        };
        let notebook = self.shell.notebook();
        // While a page waits for its files, the open page is not the requested one.
        if notebook.awaited().is_some() {
            return true;
        }
        let bar = self.address.as_mut();
        let is_written = bar.is_none_or(|bar| bar.write(notebook, self.shell.is_on_cover()));
        let stored = storage.write(&self.shell.preferences());
        self.shell.set_save_failure(stored.err());
        self.saved_step = self.current_step();
        self.last_save =
            is_written.then(|| LastSave { changes: self.shell.changes(), at_secs: now_secs });
        is_written
    }
}

/// Events of the web page that eframe does not pass on: files in folders, settings of the
/// system, and the key for printing.
struct PageEvents {
    files: Option<FileEvents>,
    system: SystemSettingsEvents,
}

impl PageEvents {
    fn listen(ctx: &Context) -> Self {
        Self { files: FileEvents::listen(ctx), system: SystemSettingsEvents::listen(ctx) }
    }

    /// Passes events since the last frame to the shell, before the page is laid out.
    fn before_frame(&mut self, ctx: &Context, shell: &mut Shell) {
        if let Some(settings) = self.system.last() {
            shell.set_system_settings(settings);
        }
        if let Some(files) = &self.files {
            for received in files.received.try_iter() {
                match received {
                    Ok(files) => shell.open_received_files(ctx, files),
                    Err(why) => shell.show_error(why),
                }
            }
        }
        if ctx.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::P)) {
            shell.print();
        }
    }
}

// Files that eframe does not report, because they are in a dropped folder, or pasted.

/// Maximum number of files read from dropped folders.
const MAX_FILES: usize = 500;

/// Maximum total size of files read from one drop or paste.
const MAX_TOTAL_BYTES: f64 = 256.0 * 1024.0 * 1024.0;

/// Paths relative to the dropped folder, and contents.
type FileBatch = Vec<(String, Vec<u8>)>;

/// Receives dropped folders and pasted files. Each message holds the files of one event, or the
/// reason for which there are none, as a message for the reader.
struct FileEvents {
    received: Receiver<Result<FileBatch, String>>,
    _listeners: [Listener; 2],
}

impl FileEvents {
    /// Listens on the whole document, before eframe does. Returns `None` without a document.
    fn listen(ctx: &Context) -> Option<Self> {
        let document = web_sys::window()?.document()?;
        let (sender, received) = channel();
        let drop_inbox = FileInbox { ctx: ctx.clone(), sender };
        let paste_inbox = drop_inbox.clone();
        let drops = Listener::new(&document, "drop", move |event| {
            if let Some(event) = event.dyn_ref::<DragEvent>() {
                let carried = event.data_transfer();
                let entries = carried.as_ref().map(entries_with_folder).unwrap_or_default();
                if !entries.is_empty() {
                    consume_drop(event);
                    drop_inbox.receive(read_entries(entries));
                }
            }
        });
        let pastes = Listener::new(&document, "paste", move |event| {
            if let Some(event) = event.dyn_ref::<ClipboardEvent>() {
                let carried = event.clipboard_data();
                let files = carried.as_ref().map(carried_files).unwrap_or_default();
                if !files.is_empty() {
                    event.prevent_default();
                    event.stop_propagation();
                    paste_inbox.receive(read_files(files));
                }
            }
        });
        Some(Self { received, _listeners: [drops, pastes] })
    }
}

/// The sending end of [`FileEvents`].
#[derive(Clone)]
struct FileInbox {
    ctx: Context,
    sender: Sender<Result<FileBatch, String>>,
}

impl FileInbox {
    /// Reads files in the background, and requests a frame that opens them.
    fn receive(&self, reading: impl Future<Output = Result<FileBatch, JsValue>> + 'static) {
        let Self { ctx, sender } = self.clone();
        wasm_bindgen_futures::spawn_local(async move {
            let result = reading.await.map_err(|error| {
                let why = error.as_string().unwrap_or_else(|| format!("{error:?}"));
                format!("What was dropped or pasted did not open: {why}.")
            });
            let _ = sender.send(result);
            ctx.request_repaint();
        });
    }
}

/// Hides the drop from later listeners. They receive "dragleave" instead, so that eframe does
/// not show a hovering file any more.
fn consume_drop(event: &DragEvent) {
    event.prevent_default();
    event.stop_propagation();
    if let Some(target) = event.target()
        && let Ok(drag_leave) = DragEvent::new("dragleave")
    {
        let _ = target.dispatch_event(&drag_leave);
    }
}

/// Returns all dropped entries if at least one of them is a folder, else none.
fn entries_with_folder(carried: &DataTransfer) -> Vec<FileSystemEntry> {
    let items = carried.items();
    let entries: Vec<FileSystemEntry> = (0..items.length())
        .filter_map(|index| items.get(index))
        .filter_map(|item| item.webkit_get_as_entry().ok().flatten())
        .collect();
    if entries.iter().any(FileSystemEntry::is_directory) { entries } else { Vec::new() }
}

fn carried_files(carried: &DataTransfer) -> Vec<File> {
    let Some(files) = carried.files() else {
        return Vec::new();
    };
    (0..files.length()).filter_map(|index| files.get(index)).collect()
}

async fn read_files(files: Vec<File>) -> Result<FileBatch, JsValue> {
    let mut reader = LimitedFileReader::new();
    for file in files {
        reader.read_file(file.name(), &file).await?;
    }
    reader.finish()
}

async fn read_entries(entries: Vec<FileSystemEntry>) -> Result<FileBatch, JsValue> {
    let mut reader = LimitedFileReader::new();
    for entry in entries {
        reader.read_entry(entry).await?;
    }
    reader.finish()
}

/// Reads files and folders up to [`MAX_FILES`] and [`MAX_TOTAL_BYTES`].
struct LimitedFileReader {
    files: FileBatch,
    remaining_bytes: f64,
    /// Name of the last file that was too large.
    too_large: Option<String>,
}

impl LimitedFileReader {
    fn new() -> Self {
        Self { files: FileBatch::new(), remaining_bytes: MAX_TOTAL_BYTES, too_large: None }
    }

    /// Reads a file, or all files below a folder.
    fn read_entry<'a>(
        &'a mut self,
        entry: FileSystemEntry,
    ) -> Pin<Box<dyn Future<Output = Result<(), JsValue>> + 'a>> {
        Box::pin(async move {
            if self.files.len() >= MAX_FILES {
                return Ok(());
            }
            if entry.is_file() {
                let path = entry.full_path().trim_start_matches('/').to_owned();
                let entry: FileSystemFileEntry = entry.unchecked_into();
                let value = await_callback(|done, failed| {
                    entry.file_with_callback_and_callback(done, failed);
                })
                .await?;
                let file: File = value.dyn_into()?;
                return self.read_file(path, &file).await;
            }
            let folder: FileSystemDirectoryEntry = entry.unchecked_into();
            let reader = folder.create_reader();
            loop {
                // The browser returns a folder in batches. An empty batch is the end.
                let value = await_callback(|done, failed| {
                    let _ = reader.read_entries_with_callback_and_callback(done, failed);
                })
                .await?;
                let batch: Array = value.dyn_into()?;
                if batch.length() == 0 {
                    return Ok(());
                }
                for entry in batch.iter() {
                    self.read_entry(entry.unchecked_into()).await?;
                }
            }
        })
    }

    /// Reads a file, or skips it if it exceeds the remaining size.
    async fn read_file(&mut self, path: String, file: &File) -> Result<(), JsValue> {
        if file.size() > self.remaining_bytes {
            self.too_large = Some(path);
            return Ok(());
        }
        self.remaining_bytes -= file.size();
        let buffer = JsFuture::from(file.array_buffer()).await?;
        self.files.push((path, Uint8Array::new(&buffer).to_vec()));
        Ok(())
    }
}

impl LimitedFileReader {
    /// Returns the files, or the reason for which there are none.
    fn finish(self) -> Result<FileBatch, JsValue> {
        match self.too_large {
            _ if !self.files.is_empty() => Ok(self.files),
            Some(name) => {
                let max_mib = MAX_TOTAL_BYTES / (1024.0 * 1024.0);
                let why = format!("“{name}” is too large; the limit is {max_mib} MiB");
                Err(JsValue::from_str(&why))
            }
            None => Err(JsValue::from_str("there is no file in it")),
        }
    }
}

/// Waits for a function of the browser that returns its result through a callback.
async fn await_callback(mut call: impl FnMut(&Function, &Function)) -> Result<JsValue, JsValue> {
    let promise = Promise::new(&mut |resolve, reject| call(&resolve, &reject));
    JsFuture::from(promise).await
}
